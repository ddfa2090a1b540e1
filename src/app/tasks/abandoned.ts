// Worktrees that no task has any more: it was killed while it ended, or its record is gone.
import path from "node:path";
import { foldersIn } from "../../io/folders/worktrees.ts";
import { finished } from "../../protocol/task.ts";
import { Repository } from "../../work/task/world/git.ts";
import { leaveWorktree, removeWorktrees } from "../../work/task/work/isolation.ts";
import type { Assembly } from "../agents/assembly.ts";
import { gitOf } from "./git.ts";
import type { Program } from "../program/program.ts";

/** Of a task, or a copy that was being made for one. */
const folderName = /^([0-9a-f]{8})(?:\.part|\.scratch|\.base)?$/;

/** What may still be gone on with stays, and so does what another process works on. */
export async function dropAbandoned(program: Program, assembly: Assembly): Promise<void> {
  const store = program.store();
  const { worktrees } = program.project;
  const repository = new Repository(program.workspace);
  const gone = foldersIn(worktrees).flatMap((name) => {
    const id = folderName.exec(name)?.[1];
    const task = id === undefined ? undefined : store.task(id);
    const kept = task && (!finished(task) || store.leaseHolder(task.session) !== undefined);
    return id === undefined || kept ? [] : [{ name, task }];
  });
  if (gone.length === 0) return;
  for (const { name, task } of gone) {
    const git = gitOf(assembly, name);
    if (task) await leaveWorktree({ repository, git }, worktrees, task);
    else await removeWorktrees({ repository, git }, [path.join(worktrees, name)]);
  }
}
