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

/** Null is nothing, `"true"` is a boolean where one is wanted, and one thing is a list of it where a list is wanted. */
export function readAnswer<T>(type: z.ZodType<T>, answer: unknown): { value: T } | { problems: string[] } {
  if (answer === undefined) return { problems: ["it is not JSON"] };
  const read = type.safeParse(forgiven(answer, schemaOf(type) as Schema));
  return read.success ? { value: read.data } : { problems: read.error.issues.map(told) };
}

const told = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`;

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

function forgiven(value: unknown, schema: Schema | undefined): unknown {
  const wanted = merged(schema);
  switch (wanted?.type) {
    case "boolean":
      return typeof value === "string" ? (words.get(value.trim().toLowerCase()) ?? value) : value;
    case "number":
    case "integer":
      return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
    case "array": {
      const list = Array.isArray(value) ? value : [value];
      return list.filter((each) => each !== null).map((each) => forgiven(each, wanted.items));
    }
    case "object":
      return isObject(value) ? withoutNull(value, wanted) : value;
    default:
      return value;
  }
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
      .map(([name, each]) => [name, forgiven(each, properties?.[name])]),
  );

/** Of several forms of an object, the members of all. */
function merged(schema: Schema | undefined): Schema | undefined {
  if (!schema?.anyOf?.every(({ type }) => type === "object")) return schema;
  return { type: "object", properties: Object.assign({}, ...schema.anyOf.map(({ properties }) => properties)) };
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
