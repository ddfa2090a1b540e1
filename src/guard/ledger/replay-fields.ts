// What an entry holds so that its act can be judged anew under another policy.
import type { Decision } from "../../protocol/decision.ts";
import type { Assessment } from "../../protocol/effect.ts";
import type { DecideContext } from "../contract/ports.ts";
import type { LedgerAct } from "./entry.ts";

type ReplayFields = Pick<
  LedgerAct,
  "assessed" | "contained" | "tags" | "reasons" | "autonomy" | "ceiling" | "role" | "tainted" | "checkpoints" | "terms"
>;

/** What is as by default is left out: most entries are plain reads. */
export function replayFields(assessment: Assessment, decision: Decision, context: DecideContext): ReplayFields {
  const { tags, reasons, risk } = assessment;
  // Only what is asked or worse can stand beside what a rule names, or be a move.
  const asked = reasons.filter((reason) => reason.risk === "L2" || reason.risk === "L3");
  return {
    ...(risk !== decision.risk && { assessed: risk }),
    ...(decision.contained === true && { contained: true as const }),
    tags,
    reasons: asked.map(({ code, risk: of, part }) => ({ code, risk: of, ...(part !== undefined && { part }) })),
    autonomy: context.autonomy,
    role: context.role,
    ...(context.ceiling !== "none" && { ceiling: context.ceiling }),
    ...(context.tainted && { tainted: true as const }),
    ...(context.checkpoints === false && { checkpoints: false as const }),
    ...(context.terms !== undefined && { terms: context.terms }),
  };
}
