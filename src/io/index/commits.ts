// The newest commits of a repository, with their messages and files, within bounds of number and time.
import { runGit } from "../git/git.ts";
import { gitFolders, isObjectId, tipOf } from "../git/git-tips.ts";

export interface Commit {
  message: string;
  /** Empty where it changed so many that each says little. */
  files: string[];
}

/** What older ones say is rarely true of today's files. */
export const mostCommits = 10_000;
/** Where the disk is slow or the repository large, fewer are better than none. */
const fewCommits = 500;
const mostFiles = 30;
const longestMessage = 400;
const patienceMs = 6_000;

/** Undefined: it has none, or git cannot tell. */
export const headOf = (root: string): string | undefined => (gitFolders(root) ? tipOf(root, "HEAD") : undefined);

/** Newest first; paths relative to `root`. Nothing where git fails, or takes too long even for few. */
export async function commitsOf(root: string): Promise<Commit[]> {
  return (await log(root, ["HEAD"], mostCommits)) ?? (await log(root, ["HEAD"], fewCommits)) ?? [];
}

/** Those since `before`; undefined: that is no ancestor of today's head (history was rewritten), or git cannot tell. */
export async function commitsSince(root: string, before: string): Promise<Commit[] | undefined> {
  if (!isObjectId(before)) return undefined;
  const options = { cwd: root, timeoutMs: patienceMs };
  const asked = await runGit(["merge-base", "--is-ancestor", before, "HEAD"], options).catch(() => undefined);
  return asked?.code === 0 ? log(root, [`${before}..HEAD`], mostCommits) : undefined;
}

async function log(root: string, range: readonly string[], most: number): Promise<Commit[] | undefined> {
  const words = ["log", "--no-merges", "--no-renames", "--relative", "--name-only", "-z", `-n${most}`];
  const run = await runGit([...words, "--format=%x01%s %b%x02", ...range, "--", "."], {
    ...{ cwd: root, timeoutMs: patienceMs },
  }).catch(() => undefined);
  if (run?.code !== 0) return undefined;
  return run.out
    .toString("utf8")
    .split("\u0001")
    .slice(1)
    .map((each) => {
      const [message = "", files = ""] = each.split("\u0002");
      const names = files.split(/[\0\n]+/, mostFiles + 2).filter((name) => name !== "");
      return { message: message.slice(0, longestMessage), files: names.length > mostFiles ? [] : names };
    });
}
