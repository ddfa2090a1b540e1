// The newest commits of a repository, with their messages and files, within bounds of number and time.
import { runGit } from "../git/git.ts";
import { gitFolders, tipOf } from "../git/git-tips.ts";

export interface Commit {
  message: string;
  files: string[];
}

const mostCommits = 4_000;
const longestMessage = 400;
const patienceMs = 8_000;

/** Undefined: it has none, or git cannot tell. */
export const headOf = (root: string): string | undefined => (gitFolders(root) ? tipOf(root, "HEAD") : undefined);

/** Newest first; paths relative to `root`. Nothing where git fails or takes too long. */
export async function commitsOf(root: string): Promise<Commit[]> {
  const words = ["log", "--no-merges", "--no-renames", "--relative", "--name-only", "-z", `-n${mostCommits}`];
  const run = await runGit([...words, "--format=%x01%s %b%x02", "--", "."], { cwd: root, timeoutMs: patienceMs }).catch(
    () => undefined,
  );
  if (run?.code !== 0) return [];
  const text = run.out.toString("utf8");
  return text
    .split("\u0001")
    .slice(1)
    .map((each) => {
      const [message = "", files = ""] = each.split("\u0002");
      const names = files.split(/[\0\n]+/).filter((name) => name !== "");
      return { message: message.slice(0, longestMessage), files: names };
    });
}
