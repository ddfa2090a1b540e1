// What a compaction would leave out and what it has to carry over; pure, and the same for the same conversation.
import { bytesOf } from "../../model/contract/size.ts";
import type { Origin } from "../../protocol/action.ts";
import type { FactOf } from "../../protocol/event.ts";
import type { Message, Part } from "../../protocol/message.ts";
import type { ModelRequest } from "../../protocol/request.ts";
import { compact } from "../session/conversation.ts";
import type { SessionState } from "../session/state.ts";
import { Masking } from "./masking.ts";
import { digestsOf, missingPins, openingOf, type Pin, pinsOf } from "./opening.ts";
import { buildRequest, type Prefix } from "./prefix.ts";
import { cutOf } from "./tail.ts";
import { overflowTail, type WindowLimits } from "./window.ts";
import { boundedWords, wordsOf } from "./words.ts";

export interface Plan {
  limits: WindowLimits;
  /** Messages as they are sent, and how many of them go. */
  shown: readonly Message[];
  cut: number;
  words: string[];
  pins: Pin[];
}

/** A summary costs as much. */
const leastGainBytes = 4_000;

interface PlanParts {
  shown: readonly Message[];
  limits: WindowLimits;
  /** The server took no more: little is better than nothing. */
  overflow: boolean;
  more: readonly Pin[];
  /** Of the turn that room is made in. */
  origin?: Origin | undefined;
}

/** Undefined where too little could go. */
export function planOf(
  { conversation, todo, asked }: Pick<SessionState, "conversation" | "todo" | "asked">,
  { shown, limits, overflow, more, origin }: PlanParts,
): Plan | undefined {
  const tail = overflow ? overflowTail(limits) : limits.tail;
  const cut = cutOf(shown, tail);
  const gone = shown.slice(0, cut).reduce((sum, message) => sum + bytesOf(message), 0);
  if (cut === 0 || (gone < leastGainBytes && !overflow)) return undefined;
  const said = conversation.messages.slice(0, cut).flatMap((message) => wordsOf(message) ?? []);
  const words = boundedWords([...(conversation.opening?.words ?? []), ...said], limits.words);
  return { limits, shown, cut, words, pins: pinsOf({ origin, words, todo, asked, more }) };
}

/** What the model is given instead: `text` is undefined where there is no summary, because of `problem`. */
export interface Replacement {
  text?: string;
  found: string[];
  problem?: string;
  files: { parts: Part[]; paths: string[] };
}

type Replaced = Pick<
  FactOf<"context.compacted">,
  "by" | "problem" | "dropped" | "opening" | "words" | "pinned" | "files"
>;

export function replacedBy(plan: Plan, { text, found, problem, files }: Replacement, prefix: Prefix): Replaced {
  const { cut: dropped, pins, words } = plan;
  return {
    ...{ dropped, words, by: text === undefined ? "truncation" : "summary" },
    ...(problem !== undefined && { problem }),
    opening: openingOf({
      ...{ dropped, pins, files: files.parts },
      ...(text !== undefined && { summary: { text, found } }),
    }),
    ...{ pinned: digestsOf(prefix, pins), files: files.paths },
  };
}

/** The next request, in bytes; throws where anything that has to stay would be missing from it. */
export function requestAfter(
  conversation: SessionState["conversation"],
  { plan, replaced, prefix }: { plan: Plan; replaced: Replaced; prefix: Prefix },
): { request: ModelRequest; bytes: number } {
  const masking = new Masking(plan.limits);
  const messages = masking.shown(compact(conversation, replaced).messages);
  const request = buildRequest(prefix, messages, { model: "", maxOutputTokens: 1 });
  const missing = missingPins(request, replaced.pinned);
  if (missing.length > 0) throw new Error(`a compaction would have lost ${missing.join(", ")}`);
  const tools = request.tools.reduce((sum, tool) => sum + bytesOf(tool), 0);
  const sources = prefix.sources ? bytesOf(prefix.sources) : 0;
  return { request, bytes: Buffer.byteLength(request.system) + tools + sources + masking.bytes };
}
