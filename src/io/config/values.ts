// Is a value what its key accepts? And what a text (environment, `config set`) means as a value.
// By hand: every start checks a few values, and loading zod for that costs more than the rest of the configuration.
import { anyError, withFallback } from "../../base/fallback.ts";
import { entryOf } from "../../base/entry.ts";
import type { Json } from "../../protocol/message.ts";
import type { Key } from "./keys.ts";
import { hooksProblem } from "./hook-values.ts";
import { examplesProblem } from "./policy-examples.ts";
import type { Kind, RuleSettings } from "./setting-kinds.ts";
import { isTable } from "./table.ts";

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
      return kind.among ? `a list of these: ${kind.among.join(", ")}` : "a list of texts";
    case "table":
      return "a table of texts";
    case "duration":
      return 'a number of seconds or a text such as "10m"';
    case "rules":
      return "a list of rules";
    case "hooks":
      return "a list of hooks";
    case "examples":
      return "a list of examples";
  }
}

/** Undefined when `value` fits; else what was expected and found instead. */
export function misfit(key: Key, value: unknown): string | undefined {
  if (key.kind.type === "rules") return ruleProblem(value);
  if (key.kind.type === "hooks") return hooksProblem(value);
  if (key.kind.type === "examples") return examplesProblem(value);
  return accepts(key.kind, value) ? undefined : `must be ${expected(key.kind)}, not ${shortened(value)}`;
}

/** The same judgement as the published schema (json-schema.ts); a test holds the two together. */
export function accepts(kind: Kind, value: unknown): boolean {
  switch (kind.type) {
    case "integer":
    case "number":
      return isNumber(value, kind.min, kind.max) && (kind.type === "number" || Number.isSafeInteger(value));
    case "boolean":
      return typeof value === "boolean";
    case "string":
      return typeof value === "string" && (kind.form ? stringForms[kind.form](value) : value !== "");
    case "choice":
      return typeof value === "string" && kind.values.includes(value);
    case "strings":
      return isTexts(value) && !value.includes("") && value.every((text) => kind.among?.includes(text) ?? true);
    case "table":
      return isTable(value) && Object.values(value).every((text) => typeof text === "string");
    case "duration":
      return typeof value === "string" ? durationForm.test(value) : isNumber(value, -1);
    case "rules":
      return ruleProblem(value) === undefined;
    case "hooks":
      return hooksProblem(value) === undefined;
    case "examples":
      return examplesProblem(value) === undefined;
  }
}

const isNumber = (value: unknown, min: number, max = Number.MAX_VALUE): boolean =>
  typeof value === "number" && value >= min && value <= max;
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

export const modelForm = /^[^\s/]+(\/\S+)?$/;
export const variableForm = /^[A-Za-z_]\w*$/;
export const urlForm = /^https?:\/\/[^\s/]/;
export const durationForm = /^-?\d+(ms|s|m|h)?$/;
const stringForms: Record<"model" | "url" | "variable", (text: string) => boolean> = {
  model: (text) => modelForm.test(text),
  variable: (text) => variableForm.test(text),
  url: (text) => urlForm.test(text) && URL.canParse(text),
};

export const ruleActions = ["allow", "ask", "deny"] as const;
export const ruleEffects = ["read", "write", "delete", "execute", "network", "vcs", "spawn"] as const;
const ruleParts: Record<Exclude<keyof RuleSettings, "source" | "place">, (value: unknown) => boolean> = {
  action: (value) => ruleActions.some((action) => action === value),
  effect: (value) => isTexts(value) && value.every((effect) => ruleEffects.some((known) => known === effect)),
  program: (value) => typeof value === "string" && value !== "",
  args: (value) => isTexts(value) && !value.slice(0, -1).includes("**"),
  paths: isTexts,
  hosts: isTexts,
  match: isTexts,
  not_match: isTexts,
};
const ruleKeys = Object.keys(ruleParts);

function ruleProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return `must be ${expected({ type: "rules" })}, not ${shortened(value)}`;
  for (const [at, rule] of value.entries()) {
    const wrong = isTable(rule) ? wrongPart(rule) : "is not a table";
    if (wrong) return `${at + 1} ${wrong}`;
  }
  return undefined;
}

function wrongPart(rule: Record<string, unknown>): string | undefined {
  if (!("action" in rule)) return "has no action (allow, ask or deny)";
  const wrong = Object.keys(rule).find(
    (name) => !ruleKeys.includes(name) || !ruleParts[name as keyof typeof ruleParts](rule[name]),
  );
  if (wrong === undefined) return undefined;
  return ruleKeys.includes(wrong)
    ? `cannot have ${wrong} = ${shortened(rule[wrong])}: it must be ${rulePartText(wrong)}`
    : `has an unknown key ${wrong}; a rule has ${ruleKeys.join(", ")}`;
}

function rulePartText(part: string): string {
  if (part === "action") return `one of ${ruleActions.join(", ")}`;
  if (part === "effect") return `a list of ${ruleEffects.join(", ")}`;
  if (part === "args") return "a list of texts, ** only as the last one";
  return part === "program" ? "the name of a program" : "a list of texts";
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
      return entryOf(words, text.trim().toLowerCase()) ?? text;
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
    case "hooks":
    case "examples":
      return parsed(text);
    default:
      return text;
  }
}

const parsed = (text: string): Json => withFallback(text, anyError, () => JSON.parse(text) as Json);

/** Rules of a file or flag, with the place that people are shown; `places` are file and line of each. */
export const namedRules = (value: unknown, name: string, places: readonly string[] = []): RuleSettings[] =>
  (value as Omit<RuleSettings, "source">[]).map((rule, at) => {
    const place = places[at];
    return { ...rule, source: `${name}, rule ${at + 1}`, ...(place !== undefined && { place }) };
  });
