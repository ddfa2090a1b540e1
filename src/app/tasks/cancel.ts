import { finished } from "../../protocol/task.ts";
import { Repository } from "../../work/task/world/git.ts";
import { leaveWorktree } from "../../work/task/work/isolation.ts";
import type { Assembly } from "../agents/assembly.ts";
import type { Program } from "../program/program.ts";
import { dropAbandoned } from "./abandoned.ts";
import { gitOf } from "./git.ts";
import { namedTask, overFault } from "./look.ts";
import { endOther } from "./running.ts";
import { reopenTask } from "./start.ts";
import { taskWorld } from "./world.ts";

const placeOf = (program: Program, assembly: Assembly, task: string) => ({
  repository: new Repository(program.workspace),
  git: gitOf(assembly, task),
});

const text = "Abandoned by the person.";

/** One that is worked on elsewhere is asked to end first, with all that it left. */
export async function cancelTask(program: Program, id: string): Promise<void> {
  const task = namedTask(program, id);
  if (finished(task)) throw overFault(task);
  await endOther(program, task);
  const { assembly } = await reopenTask(program, { type: "task.resume", task: task.id });
  try {
    await dropAbandoned(program, assembly);
    const now = namedTask(program, task.id);
    if (finished(now)) return;
    const outcome = { kind: "failed" as const, text };
    if (now.worktree) await leaveWorktree(placeOf(program, assembly, now.id), program.project.worktrees, now);
    taskWorld(program, assembly).move(now, {
      from: now.state,
      to: "FAILED_BY_INTERRUPT",
      patch: { outcome },
      detail: text,
    });
  } finally {
    await assembly.close();
    program.store().releaseLease(task.session);
  }
}
