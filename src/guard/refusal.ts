// What the model is told when a call did not run, or not to its end: what happened, and what not to do about it.
import { Fault, machineFault } from "../base/fault.ts";
import type { ApprovalOutcome } from "../protocol/approval.ts";
import type { Decision } from "../protocol/decision.ts";
import type { Result } from "../protocol/result.ts";
import { failure } from "../protocol/outcome.ts";
import { GrantError } from "./grant.ts";

const refused = (code: string, text: string, params: NonNullable<Result["params"]> = {}): Result => ({
  status: "refused",
  code,
  params,
  parts: [{ type: "text", text }],
});

/** What is allowed instead, where that is not plain from the decision's own text. */
function instead(rule: string): string {
  if (rule.startsWith("ceiling.plan")) return "Say what you would do instead of doing it.";
  if (rule === "denied.effects") return "Go on without it, or end your answer and say what you need.";
  if (rule.startsWith("injection")) return "Write it plainly and without secrets.";
  return "Another spelling of the same is refused too; choose another way, or say what you need.";
}

/** What a hook or a rule of somebody says may end without a full stop. */
const sentence = (text: string): string => (/\w$/.test(text) ? `${text}.` : text);

export const denied = (decision: Decision): Result =>
  refused("gate.denied", `Refused (${decision.rule}): ${sentence(decision.text)} ${instead(decision.rule)}`, {
    rule: decision.rule,
    risk: decision.risk,
  });

export function unapproved(
  outcome: Exclude<ApprovalOutcome, { kind: "approve" | "session" }>,
  timeoutMs: number,
): Result {
  if (outcome.kind === "deny") {
    const reason = outcome.reason?.trim();
    const said = reason ? `The person refused this and said: ${reason}` : "The person refused this.";
    const params = reason ? { by: outcome.by, reason } : { by: outcome.by };
    return refused("approval.denied", `${said}\nIt was not done. Do not try the same in another form.`, params);
  }
  if (outcome.kind === "expired") {
    const seconds = Math.max(1, Math.round(timeoutMs / 1000));
    const time = seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
    const text = `Nobody answered within ${time}, so this was not done. Do not ask for the same again; go on without it and say what is left.`;
    return { ...refused("approval.expired", text), status: "expired" };
  }
  const why =
    outcome.why === "headless" ? "Nobody can be asked in this run" : "The run was stopped before anybody answered";
  const text = `${why}, so this was not done. Do not try the same again; do what is possible without it and say what is left.`;
  return { ...refused("approval.unanswered", text, { why: outcome.why }), status: "expired" };
}

export const changed = (what = "What this would touch changed since it was judged."): Result =>
  refused("gate.changed", `${what} So it was not done. Look at it again first.`, { what });

export const unwritable = (why: string): Result =>
  failure("ledger.unwritable", `Nothing was done. ${why}`, { params: { why } });

/** The effect has happened; only its record is missing. */
export const unrecorded = (result: Result, why: string): Result => ({
  ...result,
  code: "ledger.unwritable",
  params: { ...result.params, why },
  parts: [
    ...result.parts,
    { type: "text", text: `This was done, but its end could not be recorded in the ledger: ${why}` },
  ],
});

export const interrupted = (): Result => failure("stopped", "Stopped before it ended; part of it may have been done.");

/** Keeps what had come before it was stopped; a tool that failed has said so itself. */
export function stopped(partial?: Result): Result {
  if (!partial) return failure("stopped", "Stopped; it was not done.");
  const told = partial.status === "failed";
  const note = { type: "text" as const, text: "[stopped before it ended]" };
  return { ...partial, status: "failed", code: "stopped", parts: told ? partial.parts : [...partial.parts, note] };
}

export function crashed(error: unknown): Result {
  if (error instanceof GrantError) return failure("grant.refused", error.message);
  const fault = error instanceof Fault ? error : machineFault(error);
  if (fault) return failure(fault.code, [fault.message, fault.remedy].filter(Boolean).join(" "));
  const message = error instanceof Error ? error.message : String(error);
  return failure("tool.crashed", `The tool failed unexpectedly: ${message}`);
}
