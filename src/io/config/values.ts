// Is a value what its key accepts? And what a text (environment, `config set`) means as a value.
import { z } from "zod";
import type { Json } from "../../protocol/message.ts";
import type { Key, Kind } from "./keys.ts";
import type { RuleSettings } from "./settings.ts";

const ruleSchema = () =>
  z.strictObject({
    action: z.enum(["allow", "ask", "deny"]),
    effect: z.array(z.enum(["read", "write", "delete", "execute", "network", "vcs", "spawn"])).optional(),
    program: z.string().min(1).optional(),
    args: z.array(z.string()).optional(),
    paths: z.array(z.string()).optional(),
    hosts: z.array(z.string()).optional(),
    match: z.array(z.string()).optional(),
    not_match: z.array(z.string()).optional(),
  });

const stringForms = {
  model: () => z.string().regex(/^[^\s/]+(\/\S+)?$/),
  url: () => z.url({ protocol: /^https?$/ }),
  variable: () => z.string().regex(/^[A-Za-z_]\w*$/),
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
      return z.array(z.string().min(1));
    case "table":
      return z.record(z.string(), z.string());
    case "duration":
      return z.union([z.number().min(-1), z.string().regex(/^-?\d+(ms|s|m|h)?$/)]);
    case "rules":
      return z.array(ruleSchema());
  }
}

const forms = { model: "a model such as provider/model", url: "an http or https address", variable: "a variable name" };

/** What `kind` accepts, for the sentence of an error. */
export function expected(kind: Kind): string {
  switch (kind.type) {
    case "integer":
    case "number": {
      const what = kind.type === "integer" ? "a whole number" : "a number";
      return kind.max === undefined ? `${what} of at least ${kind.min}` : `${what} from ${kind.min} to ${kind.max}`;
    }
    case "boolean":
      return "true or false";
    case "string":
      return kind.form ? forms[kind.form] : "a text that is not empty";
    case "choice":
      return `one of ${kind.values.join(", ")}`;
    case "strings":
      return "a list of texts";
    case "table":
      return "a table of texts";
    case "duration":
      return 'a number of seconds or a text such as "10m"';
    case "rules":
      return "a list of rules";
  }
}

/** Undefined when `value` fits; else what was expected and found instead. */
export function misfit(key: Key, value: unknown): string | undefined {
  const checked = schemaOf(key.kind).safeParse(value);
  if (checked.success) return undefined;
  const issue = checked.error.issues[0];
  if (key.kind.type === "rules" && issue) return `is not a rule (${issue.path.join(".") || "rules"}: ${issue.message})`;
  return `must be ${expected(key.kind)}, not ${shortened(value)}`;
}

const shortened = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

const words: Record<string, boolean> = {
  true: true,
  "1": true,
  yes: true,
  on: true,
  false: false,
  "0": false,
  no: false,
  off: false,
};

/** The value that a text means under `kind`; the text itself when it means none (then `misfit` says so). */
export function fromText(kind: Kind, text: string): Json {
  switch (kind.type) {
    case "integer":
    case "number":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    case "boolean":
      return words[text.trim().toLowerCase()] ?? text;
    case "duration":
      return /^-?\d+$/.test(text.trim()) ? Number(text) : text;
    case "strings":
      return text.trim().startsWith("[")
        ? parsed(text)
        : text
            .split(",")
            .map((part) => part.trim())
            .filter(Boolean);
    case "table":
    case "rules":
      return parsed(text);
    default:
      return text;
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Rules of a file or flag, with the place that people are shown. */
export const namedRules = (value: unknown, place: string): RuleSettings[] =>
  (value as Omit<RuleSettings, "source">[]).map((rule, at) => ({ ...rule, source: `${place}, rule ${at + 1}` }));
