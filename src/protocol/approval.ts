// A question of the gate to a person, and the answer.
import { z } from "zod";
import { Action, Origin } from "./action.ts";
import { ApproverRole } from "./decision.ts";
import { Effect, Reason, Risk, Undo } from "./effect.ts";
import { Diff } from "./result.ts";

/** All texts are raw; a surface escapes them (base/escape.ts) and never cuts them silently. Times are ms since 1970. */
export const ApprovalRequest = z.object({
  nonce: z.string(),
  session: z.string(),
  call: z.string(),
  tool: z.string(),
  /** Who asks for the effect; `call` is a name that a model may have chosen, and says nothing. */
  origin: Origin,
  action: Action,
  claim: z.string().optional(),
  effects: z.array(Effect),
  risk: Risk,
  undo: Undo,
  reasons: z.array(Reason),
  approver: ApproverRole,
  diff: Diff.optional(),
  sandboxed: z.boolean(),
  sessionScope: z.string().optional(),
  digest: z.string(),
  askedAt: z.number().int(),
  expiresAt: z.number().int(),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

/** `session` approves this and later calls of the same scope, only offered when `sessionScope` is set. */
export const ApprovalAnswer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("approve") }),
  z.object({ kind: z.literal("session") }),
  z.object({ kind: z.literal("deny"), reason: z.string().optional() }),
]);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

/** What came of a request: a person's answer, or why there was none. */
export const ApprovalOutcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("approve"), by: z.string() }),
  z.object({ kind: z.literal("session"), by: z.string() }),
  z.object({ kind: z.literal("deny"), by: z.string(), reason: z.string().optional() }),
  z.object({ kind: z.literal("expired") }),
  z.object({ kind: z.literal("unanswered"), why: z.enum(["headless", "stopped"]) }),
]);
export type ApprovalOutcome = z.infer<typeof ApprovalOutcome>;
