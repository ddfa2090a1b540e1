// The configuration as people see it: every key with its value and origin.
import type { Json } from "../../protocol/message.ts";
import type { ConfigValue } from "../../protocol/query.ts";
import { findKey, type Key, keyPath, keys, keyText } from "./keys.ts";
import type { Merged } from "./merge.ts";

/** Every key that has a value, and the unset ones that have none by default, in the order of the schema. */
export function listValues(merged: Merged): ConfigValue[] {
  const values: ConfigValue[] = [];
  const walk = (value: Json | undefined, path: string[]): void => {
    const key = findKey(path);
    if (key) {
      values.push(described(merged, path, key, value ?? null));
      return;
    }
    if (!isTable(value)) return;
    for (const [word, inner] of Object.entries(value)) walk(inner, [...path, word]);
  };
  walk(merged.settings as unknown as Json, []);
  const unset = keys.filter((key) => !key.path.includes("*") && !values.some((one) => one.key === keyText(key.path)));
  return [...values, ...unset.map((key) => described(merged, [...key.path], key, null))].sort(
    (left, right) => rank(left.key) - rank(right.key),
  );
}

/** One setting by its key; undefined where there is no such key, or a name that a person chooses is not there. */
export function valueOf(merged: Merged, text: string): ConfigValue | undefined {
  const path = keyPath(text) ?? [text];
  const key = findKey(path);
  if (!key) return undefined;
  let value: Json | undefined = merged.settings as unknown as Json;
  for (const word of path) value = isTable(value) && Object.hasOwn(value, word) ? value[word] : undefined;
  if (value === undefined && key.path.includes("*")) return undefined;
  return described(merged, path, key, value ?? null);
}

const isTable = (value: Json | undefined): value is { [word: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const sections = [...new Set(keys.map((key) => key.path[0]))];
const rank = (text: string): number => sections.indexOf(text.split(".")[0]);

function described(merged: Merged, path: string[], key: Key, value: Json): ConfigValue {
  const text = keyText(path);
  const origin = merged.origins.get(text)?.() ?? "default";
  return { key: text, value, origin, description: key.description, secret: false };
}
