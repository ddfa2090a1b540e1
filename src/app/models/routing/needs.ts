// What a turn needs of its arm, from the conversation as it is.
import type { ArmWish } from "../../../engine/arm-choice.ts";
import type { SessionState } from "../../../engine/session/state.ts";
import type { Needs } from "../../../model/router/candidate.ts";
import type { Warmth } from "../../../model/router/score.ts";
import type { Part } from "../../../protocol/message.ts";

/** What stands before any conversation: the system prompt and the tools. */
const prefixTokens = 2_500;
/** Less room than this is not worth an answer. */
const answerTokens = 4_096;
/** Caches are kept about so long. */
const warmMs = 5 * 60_000;
const bytesPerToken = 3.5;

export const textOf = (prompt: readonly Part[]): string =>
  prompt.map((part) => (part.type === "text" && part.source === undefined ? part.text : "")).join("\n");

export function needsOf({ conversation, rounds }: SessionState, { prompt, left }: ArmWish): Needs {
  const last = rounds.at(-1);
  const { messages } = conversation;
  const before = messages.length === 0 ? 0 : (last ? last.usage.input + last.usage.output : 0) || bytesOf(messages);
  const own = prompt.reduce((sum, part) => sum + (part.type === "text" ? part.text.length / bytesPerToken : 1_500), 0);
  const seesImage = [...prompt, ...messages.flatMap(({ role, content }) => (role === "user" ? content : []))].some(
    ({ type }) => type === "image",
  );
  return {
    tools: true,
    images: seesImage,
    reasoning: false,
    contextTokens: Math.round(Math.max(before, prefixTokens) + own + answerTokens),
    ...(left !== undefined && { budget: { left, name: "what is left of the budget" } }),
  };
}

const bytesOf = (messages: readonly object[]): number => JSON.stringify(messages).length / bytesPerToken;

/** The arm that answered last, as long as its cache may hold the prefix. */
export function warmthOf({ rounds, turns, conversation }: SessionState, now: number): Warmth | undefined {
  const last = rounds.at(-1);
  const turn = turns.at(-1);
  if (!last || !turn || now - turn.startedAt > warmMs + 60_000) return undefined;
  const tokens = conversation.messages.length === 0 ? Math.min(prefixTokens, last.usage.input) : last.usage.input;
  return { arm: last.model, tokens };
}
