// A remote that is a repository on this machine: looked at and written by fettle's own git, so that none of its programs run.
import path from "node:path";
import { runGit } from "../git/git.ts";
import { isProgram, isThere } from "../folders/worktrees.ts";
import { includes, packOf } from "./objects.ts";
import { ForgeFailure, type PushEnd } from "./spec.ts";

function repositoryAt(folder: string): string {
  const found = [folder, path.join(folder, ".git")].find((each) => isThere(path.join(each, "HEAD")));
  if (found === undefined) throw new ForgeFailure(`There is no git repository at ${folder}.`);
  return found;
}

async function tipOf(gitDir: string, branch: string): Promise<string | undefined> {
  const name = `refs/heads/${branch}`;
  const { code, out } = await runGit(["rev-parse", "--verify", "--quiet", name], { cwd: gitDir, gitDir });
  return code === 0 ? out.toString("utf8").trim() : undefined;
}

export const folderBranch = async (folder: string, branch: string): Promise<string | undefined> =>
  tipOf(repositoryAt(folder), branch);

/** Git would run these as the person; fettle runs none and does not pass by them. */
const obeyed = ["pre-receive", "update", "post-receive", "post-update", "proc-receive", "reference-transaction"];

async function hookOf(gitDir: string): Promise<string | undefined> {
  const { out } = await runGit(["config", "--file", path.join(gitDir, "config"), "--get", "core.hooksPath"], {
    cwd: gitDir,
    gitDir,
  });
  const folder = path.resolve(gitDir, out.toString("utf8").trim() || "hooks");
  return obeyed.find((name) => isProgram(path.join(folder, name)));
}

export async function folderPush(
  folder: string,
  objects: string,
  { branch, commit }: { branch: string; commit: string },
): Promise<PushEnd> {
  const gitDir = repositoryAt(folder);
  const before = await tipOf(gitDir, branch);
  if (before === commit) return { kind: "unchanged", said: "" };
  if (before !== undefined && !(await includes(objects, commit, before)))
    return { kind: "refused", why: `${branch} is at ${before.slice(0, 9)} there, which is not in this work` };
  const hook = await hookOf(gitDir);
  if (hook !== undefined) return { kind: "refused", why: `${folder} runs programs on this machine (${hook})` };
  const tips = await runGit(["for-each-ref", "--format=%(objectname)"], { cwd: gitDir, gitDir });
  const pack = await packOf(objects, commit, tips.out.toString("utf8").split("\n").filter(Boolean));
  const taken = await runGit(["index-pack", "--stdin", "--fix-thin"], { cwd: gitDir, gitDir, input: pack });
  if (taken.code !== 0) return { kind: "refused", why: taken.err.trim() };
  const moved = await runGit(
    ["update-ref", "-m", "push by fettle", `refs/heads/${branch}`, commit, before ?? "0".repeat(commit.length)],
    { cwd: gitDir, gitDir },
  );
  return moved.code === 0 ? { kind: "pushed", said: "" } : { kind: "refused", why: moved.err.trim() };
}
