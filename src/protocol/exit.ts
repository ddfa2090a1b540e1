import type { StopKind } from "./event.ts";
import type { TaskRecord, TaskStateName } from "./task.ts";

/** Exit codes of the program (spec §12). */
export const Exit = {
  done: 0,
  failed: 1,
  usage: 2,
  unanswered: 3,
  budget: 4,
  stopped: 5,
  timeout: 6,
  integrity: 7,
  noRuntime: 69,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof Exit)[keyof typeof Exit];

export const exitOfStop: Record<StopKind, ExitCode> = {
  done: Exit.done,
  interrupted: Exit.interrupted,
  rounds: Exit.stopped,
  "no-progress": Exit.stopped,
  "repeated-call": Exit.stopped,
  "patch-spiral": Exit.stopped,
  "repeated-text": Exit.stopped,
  "failing-rounds": Exit.stopped,
  denials: Exit.stopped,
  budget: Exit.budget,
  time: Exit.timeout,
  provider: Exit.failed,
  context: Exit.failed,
  crashed: Exit.failed,
  integrity: Exit.integrity,
};

const taskExits: Partial<Record<TaskStateName, ExitCode>> = {
  COMPLETE: Exit.done,
  ANSWERED: Exit.done,
  FAILED_BY_INTERRUPT: Exit.interrupted,
  FAILED_BY_TIMEOUT: Exit.timeout,
  FAILED_BY_STALE: Exit.stopped,
  FAILED_BY_SCOPE: Exit.stopped,
};

/** Of a task that has ended. */
export const exitOfTask = ({ state, outcome }: Pick<TaskRecord, "state" | "outcome">): ExitCode =>
  outcome?.undone ? Exit.failed : (taskExits[state] ?? Exit.failed);
