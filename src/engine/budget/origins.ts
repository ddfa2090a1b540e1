// Where the input of a call comes from, so that a bill can say what a conversation is paid for.
import { bytesOf } from "../../model/contract/size.ts";
import type { Message } from "../../protocol/message.ts";
import type { ModelRequest } from "../../protocol/request.ts";

/** Bytes by origin: `instructions` (with the tools' descriptions), `prompts`, `answers`, and results by tool. */
export function originsOf(request: ModelRequest): Record<string, number> {
  const origins: Record<string, number> = {};
  const add = (origin: string, bytes: number): void => {
    origins[origin] = (origins[origin] ?? 0) + bytes;
  };
  add("instructions", Buffer.byteLength(request.system));
  for (const tool of request.tools) add("instructions", bytesOf(tool));
  for (const message of request.messages) addMessage(message, add);
  return origins;
}

function addMessage(message: Message, add: (origin: string, bytes: number) => void): void {
  if (message.role === "tool") for (const result of message.content) add(result.name, bytesOf(result));
  else add(message.role === "user" ? "prompts" : "answers", bytesOf(message));
}
