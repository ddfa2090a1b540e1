// fettle's own git for one act that the gate let through: in the act's folder, and only what such an act amounts to.
import type { ActionOf } from "../../protocol/action.ts";
import { type GitExit, type GitOptions, runGit } from "./git.ts";

export type GitTask = ActionOf<"git">;

export interface GitHand {
  /** However it ends. Rejects for a command that is not part of the act. */
  exit(args: string[], options?: Omit<GitOptions, "cwd" | "next">): Promise<GitExit>;
}

/** git's commands that each act is made of: what git does in one step is done in several that no kill leaves half done. */
const commands: Record<GitTask["op"], readonly string[]> = {
  worktree: ["worktree"],
  branch: ["update-ref"],
  reset: ["reset", "clean", "checkout"],
  add: ["add"],
  commit: ["commit", "commit-tree", "mktree"],
  revert: [
    "merge-tree",
    "mktree",
    "commit-tree",
    "update-ref",
    "update-index",
    "read-tree",
    "diff-files",
    "diff-index",
  ],
  switch: ["switch"],
  tag: ["tag"],
  merge: [
    ...["update-index", "read-tree", "update-ref", "commit-tree", "merge-tree", "hash-object", "write-tree"],
    // Between these it looks at what it has made so far.
    ...["rev-parse", "merge-base", "diff-tree", "diff-files", "diff-index", "ls-tree", "cat-file"],
  ],
};

export const gitHand = ({ op, folder }: GitTask): GitHand => ({
  async exit(args, options = {}) {
    const command = commandIn(args);
    if (!commands[op].includes(command)) throw new Error(`git ${command} is no part of this act (git ${op})`);
    return runGit(args, { ...options, cwd: folder });
  },
});

/** Behind what it is told of how to merge. */
function commandIn([first = "", value = "", ...rest]: readonly string[]): string {
  return first === "-c" && value.startsWith("merge.") ? commandIn(rest) : first;
}
