import { jsonOf } from "../base/json-text.ts";
import type { Json } from "../protocol/message.ts";
import type { Field } from "./input.ts";

type JsonObject = { [key: string]: Json };

/** Any object, whose members somebody else describes; also as the text of one. */
export function object(description: string, aliases: readonly string[]): Field<JsonObject> {
  return {
    schema: { type: "object", ...(description !== "" && { description }) },
    shape: "{…}",
    required: true,
    aliases,
    read(value) {
      const given = typeof value === "string" ? ((jsonOf(value) as Json | undefined) ?? value) : value;
      const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
      return isObject ? { value: given } : { problem: "must be an object" };
    },
  };
}
