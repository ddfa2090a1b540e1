// What a turn has shown of itself: the tests that ran last in it, and how they ended.
import type { FactOf, StoredFact } from "../../protocol/event.ts";
import type { Result } from "../../protocol/result.ts";

export interface Evidence {
  passed: boolean;
  /** One clause for people and models. */
  text: string;
  /** What it printed, its end. */
  output: string;
}

const longestOutput = 4_000;

/** Undefined: it is not known, as for a command that still runs in the background. A command that ran is done, however it ended. */
export function testsPassed({ status, params }: Pick<Result, "status" | "params">): boolean | undefined {
  const exit = params?.["exit"];
  if (status === "done") return exit === undefined ? undefined : exit === 0;
  return status === "failed" ? false : undefined;
}

const isDecided = (fact: StoredFact): fact is StoredFact & FactOf<"call.decided"> => fact.type === "call.decided";

/** Undefined where no tests ran, or something was written after them. */
export function evidenceIn(facts: readonly StoredFact[], turn: number): Evidence | undefined {
  const begun = facts.findLastIndex((fact) => fact.type === "turn.started" && fact.turn === turn);
  const own = begun < 0 ? [] : facts.slice(begun);
  const decided = new Map(own.filter(isDecided).map((fact) => [fact.call, fact.assessment]));
  let found: Evidence | undefined;
  for (const fact of own) {
    if (fact.type !== "call.ended") continue;
    const assessment = decided.get(fact.call);
    if (assessment?.commandClass === "test") found = ofResult(fact);
    else if (
      fact.result.status === "done" &&
      assessment?.effects.some(({ kind }) => kind === "write" || kind === "delete")
    )
      found = undefined;
  }
  return found;
}

function ofResult({ result }: FactOf<"call.ended">): Evidence | undefined {
  const passed = testsPassed(result);
  if (passed === undefined) return undefined;
  const output = result.parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return {
    passed,
    text: passed ? "the tests that it ran last passed" : "the tests that it ran last failed",
    output: output.slice(-longestOutput),
  };
}
