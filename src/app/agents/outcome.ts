// What subagents came to, for the router. Each one's own session is watched like any other; a verifier also judges others.
import type { Session } from "../../engine/session/session.ts";
import type { FactOf, StoredFact } from "../../protocol/event.ts";
import type { RouterOutcome } from "../../protocol/router.ts";
import { runsTests, testsPassed } from "../models/routing/evidence/test-commands.ts";
import type { RouterMemory } from "../models/routing/memory.ts";

const isDecided = (fact: StoredFact): fact is StoredFact & FactOf<"call.decided"> => fact.type === "call.decided";
const isEnded = (fact: StoredFact): fact is StoredFact & FactOf<"call.ended"> => fact.type === "call.ended";

/** How the tests ended that it ran last: what a model says of them is nobody's reward. */
function testedBy(facts: readonly StoredFact[]): RouterOutcome | undefined {
  const tests = new Set(facts.filter(isDecided).flatMap((fact) => (runsTests(fact) ? [fact.call] : [])));
  const last = facts.filter(isEnded).findLast(({ call }) => tests.has(call));
  const passed = last && testsPassed(last.result);
  // Whether they were red before, the verifier has not seen: whoever did the work may have.
  return passed === undefined ? undefined : passed ? "green" : "failing";
}

/** The work that was done last before a verifier looked at it gets what its tests came to. */
export function rewardVerified(memory: RouterMemory, parent: Session, facts: readonly StoredFact[]): void {
  const outcome = testedBy(facts);
  const worker = parent.state.agents.findLast(({ definition, state }) => definition === "coder" && state === "done");
  if (!outcome || !worker) return;
  for (const decision of memory.decisionsOf(worker.child)) memory.judge(decision, outcome);
}
