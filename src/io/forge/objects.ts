// What a push carries: the objects of a commit that the other side does not have, packed by fettle's own git.
import { runGit } from "../git/git.ts";
import { ForgeFailure } from "./spec.ts";

/** `there`: commits that the other side has, known here or not. */
export async function packOf(folder: string, commit: string, there: readonly string[]): Promise<Buffer> {
  const input = [commit, ...(await knownHere(folder, there)).map((each) => `^${each}`), ""].join("\n");
  const { code, out, err } = await runGit(["pack-objects", "--revs", "--stdout", "--quiet"], { cwd: folder, input });
  if (code !== 0) throw new ForgeFailure(`The commit cannot be packed: ${err.trim()}.`);
  return out;
}

async function knownHere(folder: string, commits: readonly string[]): Promise<string[]> {
  if (commits.length === 0) return [];
  const { out } = await runGit(["cat-file", "--batch-check"], { cwd: folder, input: `${commits.join("\n")}\n` });
  const lines = out.toString("utf8").split("\n");
  return [...new Set(lines.filter((line) => line.includes(" commit ")).map((line) => line.split(" ")[0] ?? ""))];
}

/** Whether everything of `older` is in `newer`; false as well for a commit that is not known here. */
export async function includes(folder: string, newer: string, older: string): Promise<boolean> {
  const { code } = await runGit(["merge-base", "--is-ancestor", older, newer], { cwd: folder });
  return code === 0;
}
