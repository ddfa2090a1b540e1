// The optimistic merge: one transaction of references that happens only if nothing has moved; killed anywhere, it is found again.
import { runGit } from "../../io/git.ts";
import type { Worktree } from "../../protocol/task.ts";
import { trailers } from "./commit.ts";
import { authorship } from "./git.ts";
import type { Came, Work } from "./work.ts";

export async function mergeWork(work: Work, worktree: Worktree): Promise<Came> {
  const { repository, task } = work;
  const { envelope } = task;
  if (!envelope) throw new Error("nothing is merged without a plan");
  const merge = task.merge ?? { commit: await mergeCommit(work, worktree), base: envelope.base.commit };
  // Named before it happens, so that after a crash the moved base is known to be our own doing.
  if (!task.merge) work.note({ merge }, `merge prepared as ${merge.commit.slice(0, 9)}`);
  const reference = `refs/heads/${envelope.base.branch}`;
  const merged = (await repository.commit(reference)) === merge.commit;
  const checkout = (await repository.branch()) === envelope.base.branch;
  if (checkout && !merged) {
    const dirty = (await repository.changed(false))[0];
    if (dirty) return leave(worktree, `${envelope.base.branch} is checked out and ${dirty.path} is changed there`);
    const blocked = await wouldOverwrite(work, merge);
    if (blocked !== undefined) return leave(worktree, blocked);
  }
  if (!merged) {
    const stale = await moveBase(work, reference, { worktree, merge });
    if (stale !== undefined) return { to: "FAILED_BY_STALE", detail: stale };
  }
  if (checkout) await repository.run(["read-tree", "-m", "-u", merge.base, merge.commit]);
  const text = `Merged into ${envelope.base.branch} as ${merge.commit.slice(0, 9)}.`;
  return {
    to: "COMPLETE",
    patch: { outcome: { kind: "merged", text, commit: merge.commit, branch: worktree.branch } },
    detail: text,
  };
}

function leave({ branch, head }: Worktree, why: string): Came {
  const text = `Not merged: ${why}. The work is on ${branch}; merge it with: git merge ${branch}`;
  return { to: "COMPLETE", patch: { outcome: { kind: "left", text, branch, commit: head } }, detail: text };
}

/** The base has not moved, so its tree with the work is the work's own tree. */
async function mergeCommit(work: Work, { head, branch }: Worktree): Promise<string> {
  const { repository, task, world } = work;
  const base = task.envelope?.base;
  const env = authorship(await repository.author(world.userHome));
  const message = `Merge ${branch}\n\n${task.envelope?.plan.summary ?? ""}\n\n${trailers(work)}\n`;
  const args = ["commit-tree", `${head}^{tree}`, "-p", base?.commit ?? "", "-p", head, "-F", "-"];
  return (await repository.run(args, { input: message, env })).trim();
}

/** Why the person's checkout cannot take the new files: a file that git does not know stands in the way. */
async function wouldOverwrite(
  { repository }: Work,
  { base, commit }: { base: string; commit: string },
): Promise<string | undefined> {
  const { code, err } = await runGit(["read-tree", "-n", "-m", "-u", base, commit], { cwd: repository.folder });
  return code === 0 ? undefined : `the checkout is in the way (${err.trim().split("\n")[0] ?? "unknown reason"})`;
}

/** All or nothing: the base from where the plan was made, and the branch where it was approved. */
async function moveBase(
  { repository, task }: Work,
  reference: string,
  { worktree, merge }: { worktree: Worktree; merge: { commit: string; base: string } },
): Promise<string | undefined> {
  const input = [
    "start",
    `verify refs/heads/${worktree.branch} ${worktree.head}`,
    `update ${reference} ${merge.commit} ${merge.base}`,
    "prepare",
    "commit",
    "",
  ].join("\n");
  const { code, err } = await runGit(["update-ref", "-m", `fettle task ${task.id}`, "--stdin"], {
    cwd: repository.folder,
    input,
  });
  return code === 0
    ? undefined
    : `The base or the branch moved before the merge: ${err.trim().split("\n").at(-1) ?? ""}`;
}
