import type { Worktree } from "../../../protocol/task.ts";
import { proposeWork } from "../merge/propose.ts";
import { deleteBranch } from "../work/isolation.ts";
import { mergeWork } from "../merge/merge.ts";
import type { StateOutcome, TaskState, Work } from "../work/work.ts";

/** Merges or proposes what was approved, if the base is still where it was; or leaves it, if that was wanted. */
export const complete: TaskState = {
  name: "COMPLETE",
  async work(work) {
    const { worktree } = work.task;
    if (!worktree) return { to: "FAILED", detail: "There is no work." };
    const came = await carriedOut(work, worktree);
    if ("to" in came && came.to === "COMPLETE") {
      await work.closePlace();
      await work.leaveWorktree();
      if (came.patch?.outcome?.kind === "merged" && !work.world.settings.keepBranch)
        await deleteBranch(work, worktree.branch, worktree.head);
    }
    return came;
  },
};

async function carriedOut(work: Work, worktree: Worktree): Promise<StateOutcome> {
  switch (work.task.request.outcome) {
    case "merge":
      return mergeWork(work, worktree);
    case "propose":
      return proposeWork(work, worktree);
    case "leave": {
      const text = `The work is on ${worktree.branch}.`;
      const outcome = { kind: "left" as const, text, branch: worktree.branch, commit: worktree.head };
      return { to: "COMPLETE", patch: { outcome }, detail: text };
    }
  }
}
