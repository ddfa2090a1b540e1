// A second worktree beside the task's own, of a commit and no branch: what is tried there leaves no trace.
import path from "node:path";
import type { OwnLink } from "../../../protocol/rehearsal.ts";
import { makePrivateFolder } from "../../../io/places/places.ts";
import { dropFolder } from "../../../io/folders/worktrees.ts";
import { furnish, ignoredIn, lendable, lentTo, removeWorktrees, scratchName, secondScratchName } from "./isolation.ts";
import { Repository } from "../world/git.ts";
import { termsOf } from "../machine/envelope.ts";
import type { Work } from "./work.ts";
import type { WorkFolder } from "../world/world.ts";

interface Scratch {
  commit: string;
  lent: readonly string[];
  copied: readonly string[];
  /** No plan is in force there, not even one that was signed before. */
  unsigned?: boolean;
  /** Beside another one that is in use. */
  second?: boolean;
  /** Where the rehearsal is not over, and does not know yet which there are. */
  links?: readonly OwnLink[];
}

/** Made for `act` and gone after it; one that a killed run has left is made anew. */
export async function inScratch<T>(
  work: Work,
  { commit, lent, copied, unsigned = false, second = false, links = work.task.rehearsal?.links ?? [] }: Scratch,
  act: (place: WorkFolder) => Promise<T>,
): Promise<T> {
  const { repository, world, task } = work;
  const folder = path.join(world.worktrees, second ? secondScratchName(task.id) : scratchName(task.id));
  makePrivateFolder(world.worktrees);
  dropFolder(folder);
  const added = { op: "worktree" as const, words: ["add", "--detach", folder, commit], folder: repository.folder };
  await work.git.act(added, async (git) => {
    await git.run(["worktree", "prune"]);
    await git.run(["worktree", "add", "--quiet", "--force", "--force", "--detach", folder, commit]);
  });
  try {
    const installed = unsigned ? [] : await installedBy(work, lent);
    await furnish(repository, folder, { lent: [...lent, ...installed], copied, links });
    const place = world.openWorktree(folder, () => (unsigned ? undefined : termsOf(work.task)), [
      ...lentTo(world.repository, folder, lent),
      ...lentTo(work.task.worktree?.folder ?? "", folder, installed),
    ]);
    try {
      return await act(place);
    } finally {
      await place.close();
    }
  } finally {
    await removeWorktrees(work, [folder]);
  }
}

/** Folders that the planned install has filled in the task's worktree: without them nothing that rests on them runs. */
async function installedBy(work: Work, lent: readonly string[]): Promise<string[]> {
  const { envelope, worktree } = work.task;
  if (envelope?.plan.commands.install === undefined || !worktree) return [];
  const ignored = await ignoredIn(new Repository(worktree.folder));
  const names = lendable(ignored).filter((name) => !lent.includes(name));
  if (names.length > 0)
    work.tell(`nothing is installed anew there; what the plan installed is lent: ${names.join(", ")}`);
  return names;
}
