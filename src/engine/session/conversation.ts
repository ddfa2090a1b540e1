// The messages that a provider will see. Append-only but for the newest tool message, so that prompt caches hold:
// every call of an answer is followed by exactly one tool message with its results in source order.
import { wrapAsData } from "../../guard/firewall/data.ts";
import type { FactOf } from "../../protocol/event.ts";
import type { AssistantContent, CallContent, Message, Part, ResultContent } from "../../protocol/message.ts";
import type { Result } from "../../protocol/result.ts";

export interface Conversation {
  messages: readonly Message[];
  /** Calls of the newest answer, in source order, that the newest tool message answers. */
  open: readonly CallContent[];
  /** Absent: its first message is the first that there was. */
  opening?: Opening;
  /** Nobody else holds `messages`: they grow in place, as a copy for each of many would take long. */
  replaying?: true;
}

/** What the first message stands for. */
export interface Opening {
  /** The person's own words in what was left out. */
  words: readonly string[];
  /** Compactions of this conversation, and how many of the newest ones in a row had no summary. */
  count: number;
  failures: number;
}

export const emptyConversation: Conversation = { messages: [], open: [] };

/** For a replay of many facts, until `replayed`. */
export const replaying = (conversation: Conversation): Conversation =>
  conversation.replaying ? conversation : { ...conversation, messages: [...conversation.messages], replaying: true };

export const replayed = ({ replaying: _, ...conversation }: Conversation): Conversation => conversation;

function withMessage({ messages, replaying: inPlace }: Conversation, message: Message): readonly Message[] {
  if (!inPlace) return [...messages, message];
  (messages as Message[]).push(message);
  return messages;
}

/** Calls that may run: those of an answer that ended by itself. */
export function runnableCalls(content: readonly AssistantContent[], finish: string): CallContent[] {
  if (finish !== "calls" && finish !== "stop") return [];
  return content.filter((block): block is CallContent => block.type === "call");
}

const textOf = (text: string): Part => ({ type: "text", text });

/** Text that no person typed is wrapped, so that a model can tell it from instructions. */
function asData(part: Part): Part {
  if (part.type !== "text" || part.source === undefined) return part;
  return textOf(wrapAsData(part.text, part.source, part.found));
}

/** Consecutive user messages stay separate: merging would change bytes that were already sent. */
export function addUser(conversation: Conversation, content: readonly Part[], by?: "note" | "command"): Conversation {
  const closed = closeCalls(conversation);
  // Some servers refuse a text without a letter.
  const said = content.filter((part) => part.type !== "text" || part.text.trim() !== "").map(asData);
  const shown = said.length > 0 ? said : [textOf("(nothing)")];
  const message: Message = { role: "user", content: shown, ...(by && { by }) };
  return { ...closed, messages: withMessage(closed, message), open: [] };
}

/** The first messages give way to one that stands for them. Only between rounds: no call is open then. */
export function compact(conversation: Conversation, fact: CompactedParts): Conversation {
  const before = conversation.opening ?? { count: 0, failures: 0 };
  const { messages, open } = closeCalls(conversation);
  const opening: Message = { role: "user", by: "compaction", content: fact.opening.map(asData) };
  return {
    messages: [opening, ...messages.slice(fact.dropped)],
    open,
    opening: {
      words: fact.words,
      count: before.count + 1,
      failures: fact.by === "summary" ? 0 : before.failures + 1,
    },
  };
}
type CompactedParts = Pick<FactOf<"context.compacted">, "opening" | "dropped" | "words" | "by">;

export function addAnswer(conversation: Conversation, fact: FactOf<"round.ended">): Conversation {
  const calls = runnableCalls(fact.content, fact.finish);
  const content = fact.content.filter(
    (block): block is AssistantContent => block.type !== "call" || calls.includes(block),
  );
  if (content.length === 0 || content.every((block) => block.type === "reasoning")) return conversation;
  const answer: Message = { role: "assistant", vendor: fact.vendor, content };
  const closed = closeCalls(conversation);
  return { ...closed, messages: withMessage(closed, answer), open: calls };
}

/** A result that answers no open call (a rewind, a discarded turn) is not part of the conversation. */
export function addResult(conversation: Conversation, call: string, tool: string, result: Result): Conversation {
  if (!conversation.open.some((each) => each.id === call)) return conversation;
  const parts = result.parts.length > 0 ? result.parts : [textOf("(no output)")];
  const answer: ResultContent = { type: "result", call, name: tool, failed: result.status !== "done", parts };
  return withResults(conversation, [...resultsOf(conversation), answer]);
}

/** Gives every call without a result one, so that the conversation can go on after a stop. */
export function closeCalls(conversation: Conversation): Conversation {
  if (conversation.open.length === 0) return conversation;
  const results = resultsOf(conversation);
  const missing = conversation.open.filter((call) => !results.some((result) => result.call === call.id));
  const filled = missing.map(
    (call): ResultContent => ({
      type: "result",
      call: call.id,
      name: call.name,
      failed: true,
      parts: [textOf("Not run: the turn was stopped before this call.")],
    }),
  );
  return { ...withResults(conversation, [...results, ...filled]), open: [] };
}

export function cutTo(conversation: Conversation, length: number): Conversation {
  if (length === 0) return emptyConversation;
  return { ...conversation, messages: conversation.messages.slice(0, length), open: [] };
}

function resultsOf(conversation: Conversation): ResultContent[] {
  const last = conversation.messages.at(-1);
  return last?.role === "tool" ? last.content : [];
}

function withResults(conversation: Conversation, results: ResultContent[]): Conversation {
  if (results.length === 0) return conversation;
  const order = new Map(conversation.open.map((call, index) => [call.id, index]));
  const content = results.toSorted((left, right) => (order.get(left.call) ?? 0) - (order.get(right.call) ?? 0));
  const message: Message = { role: "tool", content };
  if (conversation.messages.at(-1)?.role !== "tool")
    return { ...conversation, messages: withMessage(conversation, message) };
  if (!conversation.replaying) return { ...conversation, messages: [...conversation.messages.slice(0, -1), message] };
  (conversation.messages as Message[])[conversation.messages.length - 1] = message;
  return { ...conversation };
}
