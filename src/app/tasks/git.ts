import { gatedGit, type GitActs } from "../../work/task/world/git-acts.ts";
import type { Assembly } from "../agents/assembly.ts";

/** For what is written to a task's repository while no run of it is at work. */
export const gitOf = (assembly: Assembly, task: string): GitActs =>
  gatedGit({
    ...{ gate: () => assembly.gate(), task, signal: () => new AbortController().signal },
    check: () => undefined,
  });
