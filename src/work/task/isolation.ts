// A branch and a worktree of its own for a task, at the base that the plan was frozen over.
import path from "node:path";
import { dropFolder, isThere, mountPoint } from "../../io/worktrees.ts";
import { makePrivateFolder } from "../../io/places.ts";
import type { TaskRecord, Worktree } from "../../protocol/task.ts";
import { type Frozen, opened } from "./envelope.ts";
import { Repository } from "./git.ts";
import { dependencyFolders } from "./stacks/list.ts";
import type { Lent } from "./world.ts";

const longestSlug = 40;

export function branchName({ id, request }: Pick<TaskRecord, "id" | "request">): string {
  const words = request.text.toLowerCase().match(/[a-z0-9]+/g) ?? ["task"];
  const slug = words.join("-").slice(0, longestSlug).replace(/-+$/, "");
  return `fettle/${id}-${slug}`;
}

/** Makes what is missing of branch and worktree, so that it may be asked for again after a crash. */
export async function isolate(
  repository: Repository,
  worktrees: string,
  task: TaskRecord,
  plan: Frozen,
): Promise<Worktree> {
  const envelope = opened(plan);
  const branch = branchName(task);
  const folder = path.join(worktrees, task.id);
  if ((await repository.commit(`refs/heads/${branch}`)) === undefined)
    await repository.run(["update-ref", `refs/heads/${branch}`, envelope.base.commit, ""]);
  if (!isThere(path.join(folder, ".git"))) {
    makePrivateFolder(worktrees);
    await repository.run(["worktree", "prune"]);
    await repository.run(["worktree", "add", "--quiet", "--force", folder, branch]);
  }
  for (const name of envelope.lent) mountPoint(path.join(folder, name));
  return { folder, branch, head: envelope.base.commit };
}

/** Back to the last commit of the task; what nothing ignores and no commit holds is gone, mount points stay. */
export async function rollBack({ folder, head }: Worktree): Promise<void> {
  const work = new Repository(folder);
  await work.run(["reset", "--hard", "--quiet", head]);
  await work.run(["clean", "-fdq"]);
}

/** The branch stays, whatever became of the task, unless nothing was ever committed on it. */
export async function leaveWorktree(repository: Repository, { folder, branch }: Worktree, base: string): Promise<void> {
  dropFolder(folder);
  await repository.run(["worktree", "prune"]);
  const reference = `refs/heads/${branch}`;
  if ((await repository.commit(reference)) === base) await repository.run(["update-ref", "-d", reference, base]);
}

/** Dependency folders of the person's checkout that git ignores there. */
export async function lendable(repository: Repository): Promise<string[]> {
  const there = dependencyFolders.filter((name) => isThere(path.join(repository.folder, name)));
  const ignored = await Promise.all(there.map((name) => repository.line("check-ignore", "--quiet", name)));
  return there.filter((_, index) => ignored[index] !== undefined);
}

export const lentTo = (repository: string, worktree: string, names: readonly string[]): Lent[] =>
  names.map((name) => ({ from: path.join(repository, name), to: path.join(worktree, name) }));
