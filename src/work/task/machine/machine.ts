// The states of a task as a table, and the one way from a state to the next.
import type { TaskPatch, TaskRecord, TaskStateName } from "../../../protocol/task.ts";
import type { InvariantName } from "./invariants.ts";

export interface Row {
  /** Hold when the state is entered. */
  entry: readonly InvariantName[];
  /** Hold when it is left for another one than a failure. */
  exit: readonly InvariantName[];
  /** What its work may not do, in words; each is kept where the work is done. */
  constraints: readonly string[];
  to: readonly TaskStateName[];
}

/** Any state that works may also end in one of these. */
export const failures = [
  "FAILED",
  "FAILED_BY_STALE",
  "FAILED_BY_INTERRUPT",
  "FAILED_BY_TIMEOUT",
  "FAILED_BY_SCOPE",
] as const satisfies readonly TaskStateName[];

const terminal: Row = { entry: [], exit: [], constraints: ["terminal"], to: [] };

export const table: Record<TaskStateName, Row> = {
  INTENT_ANALYSIS: {
    entry: ["request given"],
    exit: ["intent classified"],
    constraints: ["read-only", "documents only: no scripts, no change of a mode"],
    to: ["REPO_DISCOVERY"],
  },
  REPO_DISCOVERY: {
    entry: ["intent classified"],
    exit: ["repository mapped"],
    constraints: ["read-only"],
    to: ["REHEARSAL", "ANSWERED"],
  },
  REHEARSAL: {
    entry: ["repository mapped"],
    exit: ["checks rehearsed"],
    constraints: ["a detached worktree of the base, no branch", "contained, and never asked for", "no model"],
    to: ["PLANNING"],
  },
  PLANNING: {
    entry: ["repository mapped", "checks rehearsed"],
    exit: ["plan signed and frozen", "inputs unchanged"],
    constraints: ["read-only", "inputs hashed", "frozen before there is a branch", "at most task.max_files files"],
    // Where the plan holds more than documents, and nothing was rehearsed for those.
    to: ["PROVING_GROUND", "IMPLEMENTING", "REHEARSAL"],
  },
  PROVING_GROUND: {
    entry: ["plan signed and frozen", "intent needs a test"],
    exit: ["test failed by its subject", "test unmodified"],
    constraints: ["writes the test and stubs only", "the test is run, not guessed at"],
    to: ["IMPLEMENTING", "PLANNING"],
  },
  IMPLEMENTING: {
    entry: ["plan signed and frozen", "test there if needed"],
    exit: ["linter passed", "test unmodified", "planned files only"],
    constraints: ["the envelope's paths, commands and hosts only", "3 repairs per command", "no going in circles"],
    to: ["VERIFYING", "PLANNING"],
  },
  VERIFYING: {
    entry: ["linter passed", "plan signed and frozen"],
    exit: ["evidence complete", "test unmodified", "dependencies unchanged", "planned files only", "base unmoved"],
    constraints: ["nothing is written", "evidence is of exactly this tree"],
    to: ["FEEDBACK_WAIT", "IMPLEMENTING", "PLANNING"],
  },
  FEEDBACK_WAIT: {
    entry: ["evidence complete", "base unmoved"],
    exit: ["merge signed", "evidence complete"],
    constraints: ["24 hours"],
    to: ["COMPLETE", "IMPLEMENTING", "PLANNING"],
  },
  COMPLETE: {
    entry: ["merge signed", "evidence complete", "CI of this head", "base unmoved"],
    exit: ["outcome recorded"],
    constraints: ["the base moves only from where it was"],
    to: ["COMPLETE", "FEEDBACK_WAIT"],
  },
  ANSWERED: { entry: ["intent only asks"], exit: [], constraints: ["terminal", "nothing was changed"], to: [] },
  FAILED: terminal,
  FAILED_BY_STALE: terminal,
  FAILED_BY_INTERRUPT: terminal,
  FAILED_BY_TIMEOUT: terminal,
  FAILED_BY_SCOPE: terminal,
};

const isFailure = (state: TaskStateName): boolean => (failures as readonly TaskStateName[]).includes(state);

/** Which a violated invariant ends in; every other one is FAILED. */
export const violated: Partial<Record<InvariantName, TaskStateName>> = {
  "base unmoved": "FAILED_BY_STALE",
  "inputs unchanged": "FAILED_BY_STALE",
};

export interface Step {
  to: TaskStateName;
  patch?: TaskPatch;
  /** What happened, in a sentence. */
  detail: string;
}

export type Check = (name: InvariantName, task: TaskRecord) => Promise<string | undefined>;

/**
 * What the step comes to: itself when the exit invariants of the state and the entry invariants of the next hold now,
 * else a failure that says which does not. Throws for an edge that is not in the table.
 */
export async function judgeStep(task: TaskRecord, step: Step, check: Check): Promise<Step> {
  if (isFailure(step.to)) return step;
  const row = table[task.state];
  if (!row.to.includes(step.to)) throw new Error(`a task never goes from ${task.state} to ${step.to}`);
  const next: TaskRecord = { ...task, ...step.patch, state: step.to };
  const asksAgain = step.to === "FEEDBACK_WAIT" && task.state === "COMPLETE";
  const mends = step.to === "IMPLEMENTING" && (task.state === "VERIFYING" || task.state === "FEEDBACK_WAIT");
  const settles = step.to === task.state;
  const plansAnew = step.to === "PLANNING" && !["REHEARSAL", "PLANNING"].includes(task.state);
  const rehearses = step.to === "REHEARSAL" && task.state === "PLANNING";
  const sendsBack = mends || asksAgain || plansAnew || rehearses;
  const wanted = [...(sendsBack ? [] : row.exit), ...(settles ? [] : table[step.to].entry)];
  for (const name of new Set(wanted)) {
    const why = await check(name, next);
    if (why !== undefined)
      return { to: violated[name] ?? "FAILED", detail: `${why} (${name}).`.replace(/\.? \(/, " (") };
  }
  return step;
}
