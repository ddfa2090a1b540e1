// What all adapters agree on: how broken arguments, wrong stop reasons and call ids are put right.
import { createHash } from "node:crypto";
import type { CallContent, Finish, Json, Part, ResultContent } from "../../protocol/message.ts";

/** No tool takes more, and what goes through arguments by recursion would come to the end of the stack. */
const deepest = 100;

function isTooDeep(value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((each) => (each !== null && typeof each === "object" ? Object.values(each) : []));
  }
  return false;
}

/** Arguments as the model wrote them. No text at all means no arguments. */
export function parseArguments(raw: string): Pick<CallContent, "input" | "malformed"> {
  if (raw.trim() === "") return { input: {} };
  try {
    const input = JSON.parse(raw) as Json;
    return isTooDeep(input) ? { input: null, malformed: raw } : { input };
  } catch {
    return { input: null, malformed: raw };
  }
}

/** The same for arguments that come as an object already. */
export const takenArguments = (input: Json): Pick<CallContent, "input" | "malformed"> =>
  isTooDeep(input) ? { input: null, malformed: JSON.stringify("an object that is nested too deeply") } : { input };

/** Arguments for the next request. Servers refuse or choke on anything but an object. */
export const replayArguments = (call: CallContent): { [key: string]: Json } =>
  call.input !== null && typeof call.input === "object" && !Array.isArray(call.input) ? call.input : {};

/** Some servers say `stop` although calls came, or `tool_calls` without any. */
export function normalFinish(finish: Finish, calls: number): Finish {
  if (finish === "stop" && calls > 0) return "calls";
  return finish === "calls" && calls === 0 ? "stop" : finish;
}

/** The id itself where the vendor takes it; else a short digest of it, the same every time. */
export const fittingId = (id: string, pattern: RegExp): string =>
  pattern.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);

export const textOf = (parts: readonly Part[]): string =>
  parts
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("\n");

/** For vendors whose tool results hold text only: says where the images are. */
export const resultText = (result: ResultContent): string => {
  const images = result.parts.filter((part) => part.type === "image").length;
  const text = textOf(result.parts);
  return images === 0
    ? text
    : `${text}${text ? "\n" : ""}[${images} image${images > 1 ? "s" : ""}: see the next message]`;
};
