// The published schema of config.toml, for editors and for people.
import { z } from "zod";
import type { Json } from "../../protocol/message.ts";
import { keys } from "./keys.ts";
import { schemaOf } from "./values.ts";

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
