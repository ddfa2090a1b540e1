// May it happen? One pure function over what was assessed, the limits and the permits.
import type { ApproverRole, Decision } from "../protocol/decision.ts";
import type { Assessment, Risk } from "../protocol/effect.ts";
import { riskRank } from "../protocol/risk.ts";
import { containedText, heldText, isContained, removingParts } from "./containment/containment.ts";
import { irretrievableText, withoutCheckpoints } from "./irretrievable.ts";
import type { Limit } from "./limits/limit.ts";
import { limits } from "./limits/list.ts";
import { autonomyAsks } from "./permits/autonomy.ts";
import { permits, sessionApproval } from "./permits/list.ts";
import type { Covered, Permit } from "./permits/permit.ts";
import type { DecideContext, LimitVerdict } from "./contract/ports.ts";

export type { Limit } from "./limits/limit.ts";

interface Ask {
  rule: string;
  text: string;
  approver: ApproverRole | undefined;
  answeredBySession: boolean;
}

/**
 * Any limit that denies wins; then an ask that no permit answers asks. What a limit asks only the person answers
 * (an approval for the session, where the limit says so). A limit that throws denies.
 */
export function decide(assessment: Assessment, context: DecideContext, extra: readonly Limit[] = []): Decision {
  const { known, judged } = onThisMachine(assessment, context);
  const decision = judge(judged, context, extra.length === 0 ? limits : [...limits, ...extra]);
  const contained = isContained(judged, context);
  const text = [
    decision.text,
    ...(contained && decision.verdict !== "deny" ? [`It is ${containedText}.`] : []),
    ...(decision.quiet && removingParts(judged).size > 0 ? [heldText] : []),
    ...(known === assessment ? [] : [irretrievableText]),
    ...(judged === known ? [] : [unsandboxedText(assessment.risk, judged.risk)]),
  ];
  return { ...decision, risk: judged.risk, text: text.join(" "), ...(contained && { contained }) };
}

/** What an assessment comes to where something is missing: `known` without checkpoints, `judged` also without a sandbox. */
export function onThisMachine(assessment: Assessment, context: DecideContext) {
  const known = withoutCheckpoints(assessment, context);
  return { known, judged: withoutSandbox(known, context) };
}

const unsandboxedText = (from: Risk, to: Risk) =>
  `There is no sandbox, so running a program is judged ${to} instead of ${from}.`;

/** Without a sandbox every execution is judged one level higher; what is L2 already cannot be more than asked. */
function withoutSandbox(assessment: Assessment, { sandboxed }: DecideContext): Assessment {
  const executes = assessment.tags.includes("process") || assessment.effects.some(({ kind }) => kind === "execute");
  if (sandboxed || !executes || riskRank(assessment.risk) >= 2) return assessment;
  // What nothing masks would be read with the secrets among it.
  const masked = assessment.tags.includes("reads-sensitive-mask");
  return { ...assessment, risk: assessment.risk === "L0" && !masked ? "L1" : "L2" };
}

type Judged = Omit<Decision, "risk">;

function judge(assessment: Assessment, context: DecideContext, all: readonly Limit[]): Judged {
  const asks: Ask[] = [];
  for (const limit of all) {
    const verdict = consult(limit, assessment, context);
    if (verdict === "pass") continue;
    if ("deny" in verdict) return { verdict: "deny", rule: verdict.rule ?? limit.name, text: verdict.deny };
    asks.push({
      rule: verdict.rule ?? limit.name,
      text: verdict.ask,
      approver: verdict.approver,
      answeredBySession: verdict.answeredBySession ?? limit.answeredBySession === true,
    });
  }
  const answers = asks.length === 0 ? permits : asks.every((ask) => ask.answeredBySession) ? [sessionApproval] : [];
  const covered = coveredBy(answers, assessment, context);
  if (covered) {
    const { rule, text, tell, contained } = covered;
    return { verdict: tell ? "notify" : "allow", rule, text, ...(contained && { quiet: true as const }) };
  }
  const { rule, text } = asks[0] ?? autonomyAsks(assessment, context);
  const approver = asks.reduce((role, ask) => higherApprover(role, ask.approver), approverFor(assessment));
  return { verdict: "ask", rule, text, approver };
}

/** The first that covers; what a person or a plan allowed by name comes before what only a layer makes good. */
function coveredBy(answers: readonly Permit[], assessment: Assessment, context: DecideContext): Covered | undefined {
  let onLayer: Covered | undefined;
  for (const permit of answers) {
    const found = permit.covers(assessment, context);
    if (found && !found.contained) return found;
    onLayer ??= found;
  }
  return onLayer;
}

/** The verdict of one limit; one that throws denies. */
export function consult(limit: Limit, assessment: Assessment, context: DecideContext): LimitVerdict {
  try {
    return limit.judge(assessment, context);
  } catch (error) {
    return { deny: `The limit ${limit.name} failed (${error instanceof Error ? error.message : String(error)}).` };
  }
}

const approverOrder: readonly ApproverRole[] = ["developer", "senior", "architect", "admin"];

export const higherApprover = (left: ApproverRole, right: ApproverRole | undefined): ApproverRole =>
  right && approverOrder.indexOf(right) > approverOrder.indexOf(left) ? right : left;

/** By kind; the size of a change is known only with its diff (approve.ts). */
function approverFor({ tags, effects }: Assessment): ApproverRole {
  const has = (...wanted: string[]) => wanted.some((tag) => tags.includes(tag));
  if (has("publish", "control")) return "admin";
  const destroys = effects.some(
    ({ kind, undo }) => kind === "delete" || (undo === "irreversible" && kind !== "network"),
  );
  const touched = effects.filter(({ kind }) => kind === "write" || kind === "delete").length;
  if (has("destroy", "delete") || destroys || touched > 20) return "architect";
  return has("network", "install", "push") || effects.some(({ kind }) => kind === "network") ? "senior" : "developer";
}
