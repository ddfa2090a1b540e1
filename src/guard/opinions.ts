// What each limit and each permit says of one call: the grounds of a decision, for people.
import type { Assessment } from "../protocol/effect.ts";
import type { PolicyOpinion } from "../protocol/policy.ts";
import { consult, onThisMachine } from "./decide.ts";
import { limits } from "./limits/list.ts";
import { permits } from "./permits/list.ts";
import type { DecideContext } from "./contract/ports.ts";

export function opinions(assessment: Assessment, context: DecideContext): PolicyOpinion[] {
  const { judged } = onThisMachine(assessment, context);
  const ofLimits = limits.map((limit): PolicyOpinion => {
    const { name } = limit;
    const verdict = consult(limit, judged, context);
    if (verdict === "pass") return { name, kind: "limit", says: "pass" };
    const rule = verdict.rule ?? name;
    return "deny" in verdict
      ? { name, kind: "limit", says: "deny", rule, text: verdict.deny }
      : { name, kind: "limit", says: "ask", rule, text: verdict.ask };
  });
  const ofPermits = permits.map((permit): PolicyOpinion => {
    const { name } = permit;
    const found = permit.covers(judged, context);
    if (!found) return { name, kind: "permit", says: "nothing" };
    return { name, kind: "permit", says: found.tell ? "notify" : "allow", rule: found.rule, text: found.text };
  });
  return [...ofLimits, ...ofPermits];
}
