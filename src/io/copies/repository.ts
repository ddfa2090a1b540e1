// The repository of a candidate's folder: its own, with the history of the person's to look at and nothing to write to.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode, withFallback } from "../../base/fallback.ts";
import { readRegular } from "../files/regular.ts";
import { ownFolders } from "../git/repositories.ts";
import { gitToplevel, runGit } from "../git/git.ts";

/** The folder with the objects of the person's history, which only has to be seen. */
export interface History {
  objects: string | undefined;
}

const line = async (cwd: string, ...args: string[]): Promise<string | undefined> => {
  const { code, out } = await runGit(args, { cwd });
  return code === 0 ? out.toString("utf8").trim() || undefined : undefined;
};

/**
 * A repository in `folder` that has no remote, no hook and no setting of the person's. It stands at their commit, with
 * the files of the folder as what is not committed yet. Without history where theirs is shared with another repository, and
 * also where they have none: git would look for one further up.
 */
export async function makeRepository(workspace: string, folder: string): Promise<History> {
  const theirs = gitToplevel(workspace) === workspace;
  const format = theirs ? await line(workspace, "rev-parse", "--show-object-format") : undefined;
  const branch = theirs ? await line(workspace, "symbolic-ref", "--quiet", "--short", "HEAD") : undefined;
  const gitDir = path.join(folder, ".git");
  const init = ["init", "--quiet", "--template=", `--object-format=${format ?? "sha1"}`];
  await runGit([...init, `--initial-branch=${branch ?? "main"}`], { cwd: folder, gitDir, workTree: folder });
  const head = theirs ? await line(workspace, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") : undefined;
  if (head === undefined) return { objects: undefined };
  const objects = await line(workspace, "rev-parse", "--path-format=absolute", "--git-path", "objects");
  // What lies elsewhere again is not lent, and a history with holes is worse than none.
  const own = [workspace, ...ownFolders(workspace)];
  if (objects === undefined || !own.some((root) => objects.startsWith(`${root}/`))) return { objects: undefined };
  if (textOf(path.join(objects, "info", "alternates")).trim() !== "") return { objects: undefined };
  writeFileSync(path.join(gitDir, "objects", "info", "alternates"), `${objects}\n`);
  const shallow = textOf(await line(workspace, "rev-parse", "--path-format=absolute", "--git-path", "shallow"));
  if (shallow !== "") writeFileSync(path.join(gitDir, "shallow"), shallow);
  await runGit(["update-ref", ...(branch === undefined ? ["--no-deref"] : []), "HEAD", head], { cwd: folder });
  await runGit(["read-tree", "HEAD"], { cwd: folder });
  return { objects };
}

function textOf(file: string | undefined): string {
  if (file === undefined) return "";
  return withFallback("", hasCode("ENOENT"), () => readRegular(file));
}
