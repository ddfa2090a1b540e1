// The person's files after a wave has moved their branch: brought up to it only if they are exactly what it began with.
import type { GitWriter } from "../../task/world/git-acts.ts";

interface Moved {
  base: string;
  commit: string;
}

/** Why they were left as they are; undefined: they are as the branch is. May be given again after a kill. */
export async function refreshCheckout(git: GitWriter, { base, commit }: Moved): Promise<string | undefined> {
  await git.exit(["update-index", "-q", "--refresh"]);
  const [open, atBase, atCommit] = [
    await git.exit(["diff-files", "--quiet"]),
    await git.exit(["diff-index", "--cached", "--quiet", base]),
    await git.exit(["diff-index", "--cached", "--quiet", commit]),
  ];
  if (atCommit.code === 0) return open.code === 0 ? undefined : "files were changed meanwhile";
  if (atBase.code !== 0) return "something is staged, or the index is of another commit";
  if (open.code !== 0) return "files were changed meanwhile";
  const { code, err } = await git.exit(["read-tree", "-m", "-u", base, commit]);
  return code === 0 ? undefined : (err.trim().split("\n")[0] ?? "git refused");
}
