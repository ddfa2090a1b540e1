// What a turn has shown of itself: the tests that ran last in it, and how they ended.
import type { Action } from "../../protocol/action.ts";
import type { FactOf, StoredFact } from "../../protocol/event.ts";
import type { Result } from "../../protocol/result.ts";
import { namesTests } from "./test-commands.ts";

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

/**
 * Undefined: it is not known, as for a command that still runs in the background, was stopped, or could not be started
 * (126 and 127, of a shell). A command that ran is done, however it ended.
 */
export function testsPassed({ status, code, params }: Pick<Result, "status" | "code" | "params">): boolean | undefined {
  // Of a command that ended well nothing is said.
  const { exit = 0, job } = params ?? {};
  if (exit === 126 || exit === 127) return undefined;
  if (status === "done") return job === undefined ? exit === 0 : undefined;
  return status === "failed" && !notRun.test(code ?? "") ? false : undefined;
}

const notRun = /^(process\.)?(stopped|unstartable)$/;

/** What is quoted or escaped, and what only leads output elsewhere, says nothing of whose exit a command line ends with. */
const besides = /'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^\n]|\d*>&\d|&>>?/g;
const runsMore = /`|\$\(/;

/**
 * A call that runs tests and ends as they end: of a pipe, a list or what stands in the background the exit is another's, and
 * a model must not be rewarded for `npm test | tail`.
 */
export function runsTests({ action }: Pick<FactOf<"call.decided">, "action">): boolean {
  if (action?.kind !== "shell") return namesTests(commandOf(action));
  // A trap may end with anything, and in $'…' quotes are escaped otherwise.
  if (/\$'|\btrap\b/.test(action.command)) return false;
  const bare = action.command
    .trim()
    .replace(besides, (text) => (text.startsWith('"') && runsMore.test(text) ? "`" : ""));
  const parts = bare.split("&&");
  return !parts.some((part) => runsMore.test(part) || /[|;&\n!'"]/.test(part)) && parts.some(namesTests);
}

const isDecided = (fact: StoredFact): fact is StoredFact & FactOf<"call.decided"> => fact.type === "call.decided";

/** As it was given; empty for what is no command. */
export function commandOf(action: Action | undefined): string {
  if (action?.kind === "shell") return action.command;
  return action?.kind === "program" ? action.argv.join(" ") : "";
}

/** Undefined where no tests ran, or something was written after them. */
export function evidenceIn(facts: readonly StoredFact[], turn: number): Evidence | undefined {
  const begun = facts.findLastIndex((fact) => fact.type === "turn.started" && fact.turn === turn);
  const own = begun < 0 ? [] : facts.slice(begun);
  const decided = new Map(own.filter(isDecided).map((fact) => [fact.call, fact]));
  let found: Evidence | undefined;
  for (const fact of own) {
    if (fact.type !== "call.ended") continue;
    const judged = decided.get(fact.call);
    if (judged && runsTests(judged)) found = ofResult(fact, judged);
    else if (
      fact.result.status === "done" &&
      judged?.assessment?.effects.some(({ kind }) => kind === "write" || kind === "delete")
    )
      found = undefined;
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
export const outputOf = ({ parts }: Pick<Result, "parts">): string =>
  parts
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("\n")
    .slice(-longestOutput);
