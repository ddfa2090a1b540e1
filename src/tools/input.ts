// What a tool accepts: one declaration makes the JSON Schema for the model, a reader that forgives slips, and its sentences.
// Not zod: making and converting these schemas with it costs 10 ms before every first request.
import { jsonOf } from "../base/json-text.ts";
import type { Json } from "../protocol/message.ts";
import type { ToolSpec } from "../protocol/request.ts";

export type Reading<T> = { value: T } | { problem: string };

export interface Field<T> {
  schema: { [key: string]: Json };
  /** How a sentence shows what belongs here. */
  shape: string;
  required: boolean;
  untold?: boolean;
  /** Names that models use for the same thing. */
  aliases: readonly string[];
  read(value: Json): Reading<T>;
}

export interface Input<I> {
  schema: ToolSpec["schema"];
  /** The whole object as a sentence shows it: `{"path": string, "offset"?: integer}`. */
  shape: string;
  read(input: Json): Reading<I>;
}

type FieldsOf<S> = { [K in keyof S]: S[K] extends Field<infer T> ? T : never };
type Shape = { [name: string]: Field<unknown> };

/** Parameters that every tool accepts as the model's word on why; not in the schemas except where a field says so. */
const claimNames = ["why", "description", "explanation", "reason", "justification"];

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `bare`: what a text in the place of the object stands for. `path?` and the like come out as undefined when they are missing or null. */
export function fields<S extends Shape>(shape: S, { bare }: { bare?: keyof S & string } = {}): Input<FieldsOf<S>> {
  const entries = Object.entries(shape);
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  const shown = entries.map(([name, field]) => `"${name}"${field.required ? "" : "?"}: ${field.shape}`).join(", ");
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(entries.flatMap(([name, field]) => (field.untold ? [] : [[name, field.schema]]))),
      ...(required.length > 0 ? { required } : {}),
    },
    shape: `{${shown}}`,
    read: (input) =>
      readFields(entries, bare !== undefined && isBare(input) ? { [bare]: input } : input) as Reading<FieldsOf<S>>,
  };
}

/** Taken, but not told to models: what they know from elsewhere. */
export const untold = <T>(field: Field<T>): Field<T> => ({ ...field, untold: true });

function readFields(entries: [string, Field<unknown>][], input: Json): Reading<{ [name: string]: unknown }> {
  const given = objectOf(entries, input);
  if (!given) return { problem: `the arguments must be an object` };
  const left = new Map(Object.entries(given));
  const value: { [name: string]: unknown } = {};
  for (const [name, field] of entries) {
    const key = [name, ...field.aliases].find((each) => left.has(each) && left.get(each) !== null);
    const raw = key === undefined ? undefined : left.get(key);
    for (const each of [name, ...field.aliases]) if (each === key || left.get(each) === null) left.delete(each);
    if (raw === undefined) {
      if (field.required) return { problem: `"${name}" is missing` };
      value[name] = undefined;
      continue;
    }
    const read = field.read(raw);
    if ("problem" in read) return { problem: `"${name}" ${read.problem}` };
    value[name] = read.value;
  }
  const unknown = [...left.keys()].find((name) => left.get(name) !== null && !claimNames.includes(name));
  return unknown === undefined ? { value } : { problem: `"${unknown}" is not a parameter` };
}

/** Also takes arguments that were encoded twice, and the bare value of an only required field. */
function objectOf(entries: [string, Field<unknown>][], input: Json): { [key: string]: Json } | undefined {
  if (isObject(input)) return input;
  if (input === null) return {};
  if (typeof input !== "string") return undefined;
  const decoded = decode(input);
  if (decoded !== undefined && isObject(decoded)) return decoded;
  const required = entries.filter(([, field]) => field.required);
  const [only] = required;
  return only && required.length === 1 ? { [only[0]]: input } : undefined;
}

/** Text that is no object written out. */
const isBare = (input: Json): boolean => typeof input === "string" && !isObject(decode(input) ?? null);

function decode(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? (jsonOf(text) as Json | undefined) : undefined;
}

/** The model's own word on why, if it gave one. */
export function claimOf(input: Json): string | undefined {
  if (!isObject(input)) return undefined;
  for (const name of claimNames) {
    const claim = input[name];
    if (typeof claim === "string" && claim.trim() !== "") return claim.trim();
  }
  return undefined;
}

export const optional = <T>(field: Field<T>): Field<T | undefined> => ({ ...field, required: false });

const described = (schema: { [key: string]: Json }, description: string) =>
  description === "" ? schema : { ...schema, description };

export function text(description = "", aliases: readonly string[] = []): Field<string> {
  return {
    schema: described({ type: "string" }, description),
    shape: "string",
    required: true,
    aliases,
    read(value) {
      if (typeof value === "string") return { value };
      if (typeof value === "number" || typeof value === "boolean") return { value: String(value) };
      return { problem: "must be a string" };
    },
  };
}

const pathAliases = ["file_path", "filePath", "filepath", "absolute_path", "target_file", "file", "filename"];
const folderAliases = ["dir_path", "directory", "dir", "folder", "folder_path", "cwd", ...pathAliases];

/** A path without a NUL; empty is refused when it is required and means the workspace otherwise. */
export function path(description = "", aliases: readonly string[] = pathAliases): Field<string> {
  return {
    ...text(description, aliases),
    read(value) {
      if (typeof value !== "string") return { problem: "must be a path" };
      if (value.includes("\0")) return { problem: "must not contain a NUL character" };
      return value === "" ? { problem: "must not be empty" } : { value };
    },
  };
}

export function folder(description = ""): Field<string | undefined> {
  const field = path(description, folderAliases);
  return { ...optional(field), read: (value) => (value === "" ? { value: "." } : field.read(value)) };
}

export function whole(description: string, least: number, aliases: readonly string[] = []): Field<number> {
  return {
    schema: described({ type: "integer" }, description),
    shape: "integer",
    required: true,
    aliases,
    read(value) {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number !== "number" || !Number.isSafeInteger(number)) return { problem: "must be a whole number" };
      return number < least ? { problem: `must be at least ${least}` } : { value: number };
    },
  };
}

const flagWords = new Map([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false],
]);

/** Always optional; missing means false. */
export function flag(description = "", aliases: readonly string[] = []): Field<boolean | undefined> {
  return {
    schema: described({ type: "boolean" }, description),
    shape: "boolean",
    required: false,
    aliases,
    read(value) {
      if (typeof value === "boolean") return { value };
      const known = typeof value === "string" || typeof value === "number" ? flagWords.get(String(value)) : undefined;
      return known === undefined ? { problem: "must be true or false" } : { value: known };
    },
  };
}

/** `words` says what a plain string becomes; a string that holds a JSON array is always read as one. */
export function texts(description: string, words: (line: string) => Reading<string[]>): Field<string[]> {
  return {
    schema: described({ type: "array", items: { type: "string" } }, description),
    shape: "[string, …]",
    required: true,
    aliases: [],
    read(value) {
      const decoded = typeof value === "string" ? (decode(value) ?? value) : value;
      if (typeof decoded === "string") return words(decoded);
      if (!Array.isArray(decoded)) return { problem: "must be a list of strings" };
      const strings = decoded.map((each) => (typeof each === "number" ? String(each) : each));
      const bad = strings.findIndex((each) => typeof each !== "string");
      return bad >= 0
        ? { problem: `must hold only strings (item ${bad + 1} is none)` }
        : { value: strings as string[] };
    },
  };
}

export function choice<T extends string>(
  options: readonly T[],
  synonyms: ReadonlyMap<string, T> = new Map(),
): Field<T> {
  return {
    schema: { type: "string", enum: [...options] },
    shape: options.map((option) => `"${option}"`).join(" | "),
    required: true,
    aliases: [],
    read(value) {
      const known = options.find((option) => option === value);
      const meant = known ?? (typeof value === "string" ? synonyms.get(value.toLowerCase()) : undefined);
      return meant === undefined ? { problem: `must be one of ${options.join(", ")}` } : { value: meant };
    },
  };
}

export function list<T>(item: Input<T>, aliases: readonly string[] = []): Field<T[]> {
  return {
    schema: { type: "array", items: item.schema },
    shape: `[${item.shape}, …]`,
    required: true,
    aliases,
    read(value) {
      const decoded = typeof value === "string" ? decode(value) : value;
      if (!Array.isArray(decoded)) return { problem: "must be a list" };
      const values: T[] = [];
      for (const [index, each] of decoded.entries()) {
        const read = item.read(each);
        if ("problem" in read) return { problem: `item ${index + 1}: ${read.problem}` };
        values.push(read.value);
      }
      return { value: values };
    },
  };
}

export const withAliases = <T>(field: Field<T>, aliases: readonly string[]): Field<T> => ({ ...field, aliases });
