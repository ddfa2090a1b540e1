// What a turn has shown of itself: the tests that ran last in it, and how they ended.
import type { FactOf, StoredFact } from "../../../../protocol/event.ts";
import type { Result } from "../../../../protocol/result.ts";
import { ChangedFiles } from "./changed-files.ts";
import { commandOf, runsTests, testsPassed } from "./test-commands.ts";
import { textIn } from "../../../../base/text-in.ts";

export interface Evidence {
  passed: boolean;
  /** What was run. */
  command: string;
  /** One clause for people and models. */
  text: string;
  /** What it printed, its end. */
  output: string;
}

const longestOutput = 4_000;

/** Undefined where no tests ran, or something was written after them. */
export function evidenceIn(facts: readonly StoredFact[], turn: number): Evidence | undefined {
  const begun = facts.findLastIndex((fact) => fact.type === "turn.started" && fact.turn === turn);
  const own = begun < 0 ? [] : facts.slice(begun);
  const runs = new Map<string, FactOf<"call.decided">>();
  const files = new ChangedFiles();
  let found: Evidence | undefined;
  for (const fact of own) {
    if (files.hear(fact)) found = undefined;
    if (fact.type === "call.decided" && runsTests(fact)) runs.set(fact.call, fact);
    const run = fact.type === "call.ended" && runs.get(fact.call);
    if (run) found = ofResult(fact, run);
  }
  return found;
}

function ofResult({ result }: FactOf<"call.ended">, { action }: FactOf<"call.decided">): Evidence | undefined {
  const passed = testsPassed(result);
  if (passed === undefined) return undefined;
  return {
    passed,
    command: commandOf(action),
    text: passed ? "the tests that it ran last passed" : "the tests that it ran last failed",
    output: outputOf(result),
  };
}

/** Its end. */
export const outputOf = ({ parts }: Pick<Result, "parts">): string => textIn(parts, "\n").slice(-longestOutput);
