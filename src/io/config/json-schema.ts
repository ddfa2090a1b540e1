// The published schema of config.toml, for editors and for people.
import { z } from "zod";
import type { Json } from "../../protocol/message.ts";
import { namePattern } from "../../base/name-pattern.ts";
import { eventOf, hostForm } from "./hook-values.ts";
import { keys } from "./keys.ts";
import type { Kind } from "./setting-kinds.ts";
import { durationForm, modelForm, ruleActions, ruleEffects, urlForm, variableForm } from "./values.ts";

const ruleSchema = () =>
  z.strictObject({
    action: z.enum(ruleActions),
    effect: z.array(z.enum(ruleEffects)).optional(),
    program: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    paths: z.array(z.string()).optional(),
    hosts: z.array(z.string()).optional(),
    match: z.array(z.string()).optional(),
    not_match: z.array(z.string()).optional(),
  });

const hookSchema = () =>
  z.strictObject({
    name: z
      .string()
      .regex(/^[\w.-]{1,60}$/)
      .optional(),
    event: z.string().refine((event) => eventOf(event) !== undefined),
    matcher: z
      .string()
      .refine((text) => namePattern(text) !== undefined)
      .optional(),
    command: z.string().regex(/^[^\0]*[^\0\s][^\0]*$/),
    timeout_secs: z.number().int().min(1).max(600).optional(),
    home_read: z.boolean().optional(),
    hosts: z.array(z.string().regex(hostForm)).optional(),
    deciding: z.boolean().optional(),
  });

const stringForms = {
  model: () => z.string().regex(modelForm),
  url: () =>
    z
      .string()
      .regex(urlForm)
      .refine((text) => URL.canParse(text)),
  variable: () => z.string().regex(variableForm),
};

export function schemaOf(kind: Kind): z.ZodType {
  switch (kind.type) {
    case "integer":
    case "number": {
      const base = kind.type === "integer" ? z.number().int() : z.number();
      return kind.max === undefined ? base.min(kind.min) : base.min(kind.min).max(kind.max);
    }
    case "boolean":
      return z.boolean();
    case "string":
      return kind.form ? stringForms[kind.form]() : z.string().min(1);
    case "choice":
      return z.enum(kind.values as [string, ...string[]]);
    case "strings":
      return z.array(kind.among ? z.enum(kind.among as [string, ...string[]]) : z.string().min(1));
    case "table":
      return z.record(z.string(), z.string());
    case "duration":
      return z.union([z.number().min(-1), z.string().regex(durationForm)]);
    case "rules":
      return z.array(ruleSchema());
    case "hooks":
      return z.array(hookSchema());
    case "examples":
      return z.array(z.record(z.string(), z.unknown()));
  }
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
