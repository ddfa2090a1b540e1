// What a mission answers, read as it is meant: the form is forgiven, the meaning is not, and all that is wrong is told at once.
import { z } from "zod";
import { jsonOf, jsonText } from "../../../base/json-text.ts";
import type { Json } from "../../../protocol/message.ts";

export const schemaOf = (type: z.ZodType): Json => z.toJSONSchema(type, { io: "input" }) as Json;

/** The JSON of an answer, also where a model puts words before or behind it. */
export function answerIn(text: string): unknown {
  const whole = jsonOf(jsonText(text));
  if (whole !== undefined) return whole;
  const [start, end] = [text.indexOf("{"), text.lastIndexOf("}")];
  return start < 0 || end < start ? undefined : jsonOf(text.slice(start, end + 1));
}

/**
 * Null is nothing, `"true"` is a boolean where one is wanted, one thing is a list of it where a list is wanted, a list of
 * commands is one line of shell, and `update` is `modify`.
 */
export function readAnswer<T>(type: z.ZodType<T>, answer: unknown): { value: T } | { problems: string[] } {
  if (answer === undefined) return { problems: ["it is not JSON"] };
  const read = type.safeParse(forgiven(answer, schemaOf(type) as Schema));
  return read.success ? { value: read.data } : { problems: read.error.issues.map(told) };
}

const told = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`;

interface Schema {
  type?: string;
  enum?: readonly string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

function forgiven(value: unknown, schema: Schema | undefined, name = ""): unknown {
  const wanted = merged(schema);
  switch (wanted?.type) {
    case "string":
      return asText(value, wanted, name);
    case "boolean":
      return typeof value === "string" ? (words.get(value.trim().toLowerCase()) ?? value) : value;
    case "number":
    case "integer":
      return typeof value === "string" ? (numberIn(value) ?? value) : value;
    case "array": {
      const list = Array.isArray(value) ? value : [value];
      return list.filter((each) => each !== null).map((each) => forgiven(each, wanted.items, name));
    }
    case "object":
      if (typeof value === "string" && wanted.properties?.["subject"]) return asMessage(value);
      return isObject(value) ? withoutNull(value, wanted) : value;
    default:
      return value;
  }
}

const commands: ReadonlySet<string> = new Set(["install", "compile", "lint", "test", "command"]);

const otherWords: Readonly<Record<string, string>> = {
  ...{ update: "modify", edit: "modify", change: "modify", modified: "modify", rewrite: "modify" },
  ...{ add: "create", new: "create", write: "create", remove: "delete", drop: "delete" },
};

function asText(value: unknown, { enum: choices }: Schema, name: string): unknown {
  const lines: unknown[] = Array.isArray(value) ? value : [value];
  if (!lines.every((line) => typeof line === "string")) return value;
  const text = lines.join(commands.has(name) ? " && " : ", ");
  if (!choices || choices.includes(text)) return text;
  const word = text.trim().toLowerCase();
  return [word, otherWords[word]].find((each) => each !== undefined && choices.includes(each)) ?? text;
}

const degrees: Readonly<Record<string, number>> = { high: 0.9, medium: 0.6, low: 0.3 };

function numberIn(text: string): number | undefined {
  const plain = text.trim().toLowerCase();
  const percent = /^([\d.]+) ?%$/.exec(plain)?.[1];
  if (percent !== undefined) return Number(percent) / 100;
  return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : degrees[plain];
}

/** A commit's message as git has it. */
function asMessage(text: string): { subject: string; body: string } {
  const [subject = "", ...body] = text.trim().split("\n");
  return { subject, body: body.join("\n").trim() };
}

const words: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["false", false],
  ["no", false],
]);

const withoutNull = (value: object, { properties }: Schema): unknown =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [name, forgiven(each, properties?.[name], name)]),
  );

/** Of several forms of an object, the members of all. */
function merged(schema: Schema | undefined): Schema | undefined {
  if (!schema?.anyOf?.every(({ type }) => type === "object")) return schema;
  return { type: "object", properties: Object.assign({}, ...schema.anyOf.map(({ properties }) => properties)) };
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
