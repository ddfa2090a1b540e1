// A branch and a worktree of its own for a task, at the base that the plan was frozen over.
import path from "node:path";
import { Fault } from "../../../base/fault.ts";
import { gitFolders } from "../../../io/git/git-tips.ts";
import {
  copyFolder,
  dropFolder,
  type FolderSize,
  isThere,
  linkAt,
  mountPoint,
  sizeWithin,
} from "../../../io/folders/worktrees.ts";
import { makePrivateFolder } from "../../../io/places/places.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { OwnLink } from "../../../protocol/rehearsal.ts";
import type { TaskRecord, Worktree } from "../../../protocol/task.ts";
import { type Frozen, opened } from "../machine/envelope.ts";
import { Repository } from "../world/git.ts";
import type { GitActs, GitWriter } from "../world/git-acts.ts";
import { buildFolders, dependencyFolders } from "../stacks/list.ts";
import type { SharedFolder } from "../world/world.ts";

const longestSlug = 40;

/** A second worktree of a task, for what is only tried. */
export const scratchName = (id: string): string => `${id}.scratch`;

/** A second one, while the first is in use. */
export const secondScratchName = (id: string): string => `${id}.base`;

export function branchName({ id, request }: Pick<TaskRecord, "id" | "request">): string {
  const words = request.text.toLowerCase().match(/[a-z0-9]+/g) ?? ["task"];
  const slug = words.join("-").slice(0, longestSlug).replace(/-+$/, "");
  return `fettle/${id}-${slug}`;
}

/** Makes what is missing of branch and worktree, so that it may be asked for again after a crash. */
export async function isolate(
  { repository, git }: { repository: Repository; git: GitActs },
  worktrees: string,
  task: TaskRecord,
  plan: Frozen,
): Promise<Worktree> {
  const envelope = opened(plan);
  const branch = branchName(task);
  const folder = path.join(worktrees, task.id);
  if ((await repository.commit(`refs/heads/${branch}`)) === undefined)
    await git.act(
      { op: "branch", words: [branch, envelope.base.commit], folder: repository.folder },
      async (writer) => void (await writer.run(["update-ref", `refs/heads/${branch}`, envelope.base.commit, ""])),
    );
  if (isThere(path.join(folder, ".git"))) unlock(folder);
  else {
    makePrivateFolder(worktrees);
    await git.act({ op: "worktree", words: ["add", folder, branch], folder: repository.folder }, (writer) =>
      addWorktree(writer, folder, branch),
    );
  }
  await furnish(repository, folder, { ...envelope, ...(task.rehearsal?.links && { links: task.rehearsal.links }) });
  return task.worktree ?? { folder, branch, head: envelope.base.commit };
}

/** Gives a worktree what git does not: mount points for what it borrows, and copies of what builds have left. */
export async function furnish(
  repository: Repository,
  folder: string,
  { lent, copied, links = [] }: { lent: readonly string[]; copied: readonly string[]; links?: readonly OwnLink[] },
): Promise<void> {
  dropFolder(linksOf(folder));
  for (const { at, to } of links) linkAt(path.join(linksOf(folder), at), to);
  const placed = (names: readonly string[]) => names.filter((name) => isThere(path.dirname(path.join(folder, name))));
  for (const name of placed(lent)) mountPoint(path.join(folder, name));
  for (const name of placed(copied)) {
    const [from, to] = [path.join(repository.folder, name), path.join(folder, name)];
    if (isThere(from) && !isThere(to)) await copyFolder(from, to, `${folder}.part`);
  }
}

const attempts = 4;

/** Again when another task's git has cleared a folder away that was being made just now. */
async function addWorktree(git: GitWriter, folder: string, branch: string): Promise<void> {
  // Twice: one that was cut off while it was made, or removed since, is locked or still known.
  const args = ["worktree", "add", "--quiet", "--force", "--force", folder, branch];
  for (let attempt = 1; ; attempt += 1) {
    try {
      await git.run(args);
      return;
    } catch (error) {
      if (!(error instanceof Fault) || attempt === attempts || isThere(path.join(folder, ".git"))) throw error;
    }
  }
}

/** Only this task works there, so a lock of git's is of a run that was cut off. */
function unlock(folder: string): void {
  const folders = gitFolders(folder);
  if (folders) dropFolder(path.join(folders.own, "index.lock"));
}

/** Throws a Fault for any other than the task's own: whatever its record says, nothing is done anywhere else. */
export function ownWorktree(worktrees: string, task: TaskRecord): Worktree {
  const { id, worktree } = task;
  if (worktree && worktree.folder === path.join(worktrees, id) && worktree.branch === branchName(task)) return worktree;
  throw new Fault(
    "task.foreign-worktree",
    Exit.integrity,
    `Task ${id} is recorded with a folder or a branch that is not its own; nothing was changed there.`,
    `Look at it: fettle task show ${id}`,
  );
}

/**
 * The worktree at a commit of the task again; what nothing ignores and no commit holds is gone, mount points stay.
 * Paths that were not as they are there.
 */
export async function rollBack(
  git: GitActs,
  { folder, head }: Worktree,
  release: () => Promise<void>,
): Promise<string[]> {
  // Without it git would look for a repository further up.
  if (!isThere(path.join(folder, ".git")))
    throw new Fault(
      "task.no-worktree",
      Exit.failed,
      `The worktree ${folder} is gone.`,
      "Start the task anew; what it committed is still on its branch.",
    );
  const work = new Repository(folder);
  const [open, committed] = await Promise.all([work.changed(true), work.differing(head)]);
  const paths = [...new Set([...open, ...committed].map((each) => each.path))];
  if (paths.length === 0 && (await work.commit("HEAD")) === head) return [];
  await release();
  await git.act({ op: "reset", words: ["--hard", head], folder }, async (writer) => {
    await writer.run(["reset", "--hard", "--quiet", head]);
    await writer.run(["clean", "-fdq"]);
  });
  return paths;
}

/** The task's own, whatever its record says. The branch stays unless nothing was ever committed on it. */
export async function leaveWorktree(
  { repository, git }: { repository: Repository; git: GitActs },
  worktrees: string,
  task: TaskRecord,
): Promise<void> {
  const folder = path.join(worktrees, task.id);
  const base = task.envelope?.base.commit;
  dropFolder(`${folder}.part`);
  await removeWorktrees({ repository, git }, [
    folder,
    path.join(worktrees, scratchName(task.id)),
    path.join(worktrees, secondScratchName(task.id)),
  ]);
  const branch = branchName(task);
  if (base !== undefined && (await repository.commit(`refs/heads/${branch}`)) === base)
    await deleteBranch({ repository, git }, branch, base);
}

/** The folders go, and git forgets them. */
export async function removeWorktrees(
  { repository, git }: { repository: Repository; git: GitActs },
  folders: readonly string[],
): Promise<void> {
  for (const folder of folders) {
    dropFolder(linksOf(folder));
    if (!isThere(folder)) continue;
    dropFolder(folder);
    await git.tidy({ op: "worktree", words: ["remove", folder], folder: repository.folder }, async (writer) => {
      await writer.run(["worktree", "prune"]);
    });
  }
}

/** Only from where it is known to be. */
export const deleteBranch = (
  { repository, git }: { repository: Repository; git: GitActs },
  branch: string,
  at: string,
): Promise<void> =>
  git.tidy({ op: "branch", words: ["-D", branch], folder: repository.folder }, async (writer) => {
    await writer.exit(["update-ref", "-d", `refs/heads/${branch}`, at]);
  });

const mostFolders = 32;

/** What git ignores in the person's checkout, by the folders that all of it lies in. */
export async function ignoredIn(repository: Repository): Promise<string[]> {
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"] as const;
  return (await repository.run(args)).split("\0").map((name) => name.replace(/\/$/, ""));
}

/** Those that have one of these names, those nearest to the top first. */
function called(names: readonly string[], ignored: readonly string[]): string[] {
  const depth = (name: string) => name.split("/").length;
  return ignored
    .filter((name) => names.includes(path.posix.basename(name)))
    .toSorted((left, right) => depth(left) - depth(right))
    .slice(0, mostFolders);
}

export const lendable = (ignored: readonly string[]): string[] => called(dependencyFolders, ignored);

/** In all: a copy takes about 2 seconds for every 5,000 files. */
const mostCopied: FolderSize = { files: 20_000, bytes: 256 * 1024 * 1024 };

/** What builds left in the person's checkout, where a copy costs little; the worktree begins without the rest. */
export async function copyable(
  repository: Repository,
  ignored: readonly string[],
): Promise<{ copied: string[]; tooLarge: string[] }> {
  const rest = { ...mostCopied };
  const copied: string[] = [];
  const tooLarge: string[] = [];
  for (const name of called(buildFolders, ignored)) {
    const size = await sizeWithin(path.join(repository.folder, name), rest);
    (size ? copied : tooLarge).push(name);
    rest.files -= size?.files ?? 0;
    rest.bytes -= size?.bytes ?? 0;
  }
  return { copied, tooLarge };
}

/** Beside a worktree: links that stand in the place of what is borrowed, each at the path that it has in the worktree. */
const linksOf = (folder: string): string => `${folder}.links`;

export const lentTo = (repository: string, worktree: string, names: readonly string[]): SharedFolder[] =>
  names.map((name) => {
    const over = path.join(linksOf(worktree), name);
    return { from: path.join(repository, name), to: path.join(worktree, name), ...(isThere(over) && { over }) };
  });
