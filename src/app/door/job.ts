// What a client works on that is no conversation: a task, or a step of a project.
import type { TaskRun } from "../../work/task/run.ts";
import type { Assembly } from "../agents/assembly.ts";

export interface Job {
  assembly: Assembly;
  run: {
    run(): Promise<void>;
    /** `interrupt`: the person wants it to end. `close`: only this process ends. */
    stop(reason: "interrupt" | "close"): void;
  };
  /** Where it is a task by itself. */
  task?: TaskRun;
}
