import { mergeWork } from "../merge.ts";
import type { TaskState } from "../work.ts";

/** Merges what was approved, if the base is still where it was; or leaves it, if that was wanted. */
export const complete: TaskState = {
  name: "COMPLETE",
  async work(work) {
    const { request, worktree } = work.task;
    if (!worktree) return { to: "FAILED", detail: "There is no work." };
    if (request.outcome !== "merge") {
      const text = `The work is on ${worktree.branch}.`;
      await work.closePlace();
      await work.leaveWorktree();
      return {
        to: "COMPLETE",
        patch: { outcome: { kind: "left", text, branch: worktree.branch, commit: worktree.head } },
        detail: text,
      };
    }
    const came = await mergeWork(work, worktree);
    if ("to" in came && came.to === "COMPLETE") {
      await work.closePlace();
      await work.leaveWorktree();
    }
    return came;
  },
};
