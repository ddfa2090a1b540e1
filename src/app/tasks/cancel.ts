import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { finished } from "../../protocol/task.ts";
import { Repository } from "../../work/task/world/git.ts";
import { leaveWorktree } from "../../work/task/work/isolation.ts";
import { endRun } from "../program/runs.ts";
import type { Program } from "../program/program.ts";
import { dropAbandoned } from "./abandoned.ts";
import { namedTask, overFault } from "./look.ts";
import { reopenTask } from "./start.ts";
import { taskWorld } from "./world.ts";

const text = "Cancelled by the person.";

/** One that is worked on elsewhere is asked to end first, with all that it left. */
export async function cancelTask(program: Program, id: string): Promise<void> {
  const task = namedTask(program, id);
  await dropAbandoned(program);
  if (finished(task)) throw overFault(task);
  const project = program.project.root.split("/").at(-1) ?? "";
  if (program.store().leaseHolder(task.session) !== undefined) {
    endRun(program, { project, session: task.session, force: false });
    await ended(program, task.session);
  }
  const { assembly } = await reopenTask(program, { type: "task.resume", task: task.id });
  try {
    const now = namedTask(program, task.id);
    if (finished(now)) return;
    const outcome = { kind: "failed" as const, text };
    if (now.worktree) await leaveWorktree(new Repository(program.workspace), program.project.worktrees, now);
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

const patienceMs = 20_000;

async function ended(program: Program, session: string): Promise<void> {
  const until = Date.now() + patienceMs;
  while (program.store().leaseHolder(session) !== undefined) {
    if (Date.now() > until)
      throw new Fault(
        "task.busy",
        Exit.failed,
        "The process that works on the task does not end.",
        "fettle stop --force",
      );
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
