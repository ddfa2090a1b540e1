// The configuration as people see it: every key with its value and origin, and the published schema.
import { z } from "zod";
import type { Json } from "../../protocol/message.ts";
import type { ConfigValue } from "../../protocol/query.ts";
import { findKey, type Key, keys, keyText } from "./keys.ts";
import type { Merged } from "./merge.ts";
import { schemaOf } from "./values.ts";

/** Every key that has a value, and the unset ones that have none by default, in the order of the schema. */
export function listValues(merged: Merged): ConfigValue[] {
  const values: ConfigValue[] = [];
  const walk = (value: Json | undefined, path: string[]): void => {
    const key = findKey(path);
    if (key) {
      values.push(described(merged, path, key, value ?? null));
      return;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [word, inner] of Object.entries(value)) walk(inner, [...path, word]);
  };
  walk(merged.settings as unknown as Json, []);
  const unset = keys.filter((key) => !key.path.includes("*") && !values.some((one) => one.key === keyText(key.path)));
  return [...values, ...unset.map((key) => described(merged, [...key.path], key, null))].sort(
    (left, right) => rank(left.key) - rank(right.key),
  );
}

const sections = [...new Set(keys.map((key) => key.path[0]))];
const rank = (text: string): number => sections.indexOf(text.split(".")[0]);

function described(merged: Merged, path: string[], key: Key, value: Json): ConfigValue {
  const text = keyText(path);
  const origin = merged.origins.get(text) ?? "default";
  return { key: text, value, origin, description: key.description, secret: false };
}

/** JSON Schema of config.toml. Each leaf also names the environment variable that sets it. */
export function configSchema(): { [key: string]: Json } {
  const root: z.ZodType = tableSchema([]);
  return z.toJSONSchema(root, { io: "input" }) as { [key: string]: Json };
}

function tableSchema(prefix: readonly string[]): z.ZodType {
  const inside = keys.filter(
    (key) => prefix.every((word, at) => key.path[at] === word) && key.path.length > prefix.length,
  );
  const words = [...new Set(inside.map((key) => key.path[prefix.length] ?? ""))];
  if (words[0] === "*") return z.record(z.string(), childSchema([...prefix, "*"]));
  return z.strictObject(Object.fromEntries(words.map((word) => [word, childSchema([...prefix, word]).optional()])));
}

function childSchema(path: readonly string[]): z.ZodType {
  const key = keys.find((candidate) => candidate.path.join(".") === path.join("."));
  if (!key) return tableSchema(path);
  const variable = `FETTLE_${environmentName(path)}`;
  return schemaOf(key.kind).meta({ description: key.description, environment: variable });
}

/** `FETTLE_SECTION_KEY`; deeper keys nest with `__`. */
const environmentName = (path: readonly string[]): string =>
  path
    .join(path.length > 2 ? "__" : "_")
    .replaceAll("*", "NAME")
    .toUpperCase();
