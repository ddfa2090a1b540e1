import { ownGit } from "../assess/git-acts.ts";
import type { Permit } from "./permit.ts";

/** Who has begun a task has asked for its worktree, branch and commits, and signs the merge; limits hold all the same. */
export const taskGit: Permit = {
  name: "task.git",
  covers: ({ tags }) =>
    tags.includes(ownGit) && !tags.includes("process")
      ? { rule: "task.git", text: "A task that a person has begun needs it.", tell: false }
      : undefined,
};
