// One model call beside the conversation: budgeted, scrubbed and paid for like any other, answered as text.
import type { Firewall } from "../../guard/firewall/firewall.ts";
import type { Arm } from "../../model/contract/arm.ts";
import { sentWith } from "../../model/contract/sent.ts";
import type { Wire } from "../../model/wire.ts";
import type { FactOf } from "../../protocol/event.ts";
import type { Usage } from "../../protocol/message.ts";
import { type AnswerPart, type ModelRequest, WireFault, type WireFaultKind } from "../../protocol/request.ts";
import { noUsage } from "../../protocol/usage.ts";
import { allowCall, costOfAnswer, partBytes, Running } from "../budget/calls.ts";
import type { BudgetNode } from "../budget/node.ts";
import { textIn } from "../../base/text-in.ts";

export interface AsideParts {
  wire: Wire;
  firewall: Firewall;
  budget: BudgetNode;
  roundEnded(fact: FactOf<"round.ended">, request: ModelRequest): void;
  signal: AbortSignal;
  turn: number;
}

/** `text` of an answer that ended by itself or at its length; else `problem`. What it took is said in either case. */
export interface AsideAnswer {
  text?: string;
  problem?: string;
  kind?: WireFaultKind | "budget";
  usage: Usage;
  cost: number | null;
}

/** Never rejects for what a provider does. */
export async function askAside(parts: AsideParts, arm: Arm, request: ModelRequest): Promise<AsideAnswer> {
  const allowance = allowCall(arm, request, parts.budget);
  if ("refused" in allowance) return { problem: allowance.refused, kind: "budget", usage: noUsage, cost: 0 };
  const since = performance.now();
  const bounded = { ...request, maxOutputTokens: allowance.maxOutput };
  const token = parts.firewall.scrub(bounded);
  /** Bytes that have come. */
  let unseen = 0;
  const ended = (end: Pick<Extract<AnswerPart, { type: "end" }>, "content" | "usage" | "finish">, paid: boolean) => {
    const cost = paid ? costOfAnswer(arm, bounded, { ...end, unseen: end.content.length > 0 ? 0 : unseen }) : 0;
    const ms = Math.round(performance.now() - since);
    const { vendor } = arm.provider;
    const sent = sentWith(token);
    const round = { turn: parts.turn, round: 0, model: arm.name, vendor, content: [], finish: end.finish, ms };
    parts.roundEnded({ type: "round.ended", ...round, usage: end.usage, cost, ...(sent && { sent }) }, bounded);
    allowance.held?.commit(cost ?? 0);
    return { usage: end.usage, cost };
  };
  const nothing = { content: [], usage: noUsage };
  const running = allowance.held && arm.price && new Running(arm.price, bounded, allowance.held);
  let begun = false;
  try {
    const hooks = { signal: parts.signal, waiting: () => undefined };
    for await (const part of parts.wire.stream(arm, token, hooks)) {
      begun = true;
      if (part.type !== "end") {
        unseen += partBytes(part);
        const problem = running?.take(partBytes(part));
        if (problem !== undefined)
          return { problem, kind: "budget", ...ended({ ...nothing, finish: "aborted" }, true) };
        continue;
      }
      const taken = ended(part, true);
      const text = textIn(part.content).trim();
      const whole = part.finish === "stop" || part.finish === "length" || part.finish === "calls";
      return whole && text !== "" ? { text, ...taken } : { problem: `${arm.name} wrote nothing`, ...taken };
    }
    return { problem: `${arm.name} did not end its answer`, ...ended({ ...nothing, finish: "error" }, begun) };
  } catch (error) {
    const fault = error instanceof WireFault ? error : undefined;
    if (!fault && !parts.signal.aborted) throw error;
    const taken = ended({ ...nothing, finish: fault ? "error" : "aborted" }, begun || parts.signal.aborted);
    return { problem: fault?.message ?? "it was stopped", ...(fault && { kind: fault.kind }), ...taken };
  } finally {
    allowance.held?.release();
  }
}
