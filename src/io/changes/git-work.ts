// Whether a git command takes away or brings back nothing but what the session itself changed: then the person's own
// uncommitted work is as it was, and the record can bring everything back.
import { existsSync } from "node:fs";
import path from "node:path";
import type { GitWork } from "../facts/spec.ts";
import { gitNow, gitToplevel } from "../git/git.ts";
import type { OwnChanges } from "./own-changes.ts";

const most = { files: 200, milliseconds: 1_000 };

/** `undefined`: no record was made yet, so the session has changed nothing. */
export function concernsOwnWork(work: GitWork, workspace: string, record: OwnChanges | undefined): boolean {
  if (gitToplevel(workspace) !== workspace || existsSync(path.join(workspace, ".gitmodules"))) return false;
  const ask = (...words: string[]): string | undefined => gitNow(words, workspace, most.milliseconds);
  const paths = work.files.length === 0 ? [] : ["--", ...work.files.map((file) => `:(top,literal)${file}`)];
  const names = (...words: string[]): string[] | undefined => {
    const found = ask(...words)
      ?.split("\0")
      .filter((name) => name !== "");
    return found && found.length <= most.files ? found : undefined;
  };
  const made = (file: string, revision: string): boolean =>
    record?.isOwn(file, ask("cat-file", "blob", `${revision}:${file}`)) === true;
  if (work.act === "restore") {
    if (work.from === "HEAD" && names("diff", "--cached", "--name-only", "-z", "--no-renames", ...paths)?.length !== 0)
      return false;
    return work.files.length > 0 && work.files.every((file) => made(file, work.from ?? ""));
  }
  if (work.act === "stash") {
    const changed = names("diff", "HEAD", "--name-only", "-z", "--no-renames", ...paths);
    const staged = names("diff", "--cached", "--name-only", "-z", "--no-renames", ...paths);
    const fresh = work.untracked ? names("ls-files", "-z", "--others", "--exclude-standard", ...paths) : [];
    if (!changed || !staged || !fresh) return false;
    const all = [...new Set([...changed, ...staged, ...fresh])];
    return all.length > 0 && all.every((file) => made(file, "HEAD"));
  }
  // An entry with untracked files has a third parent, which holds them.
  const entry = "refs/stash";
  const tracked = names("diff-tree", "-r", "-z", "--name-only", "--no-renames", `${entry}^1`, entry);
  const third = ask("rev-parse", "--verify", "--quiet", `${entry}^3`) !== undefined;
  const untracked = third ? names("ls-tree", "-r", "-z", "--name-only", `${entry}^3`) : [];
  if (!tracked || !untracked || tracked.length + untracked.length === 0) return false;
  const seen = (file: string, revision: string): boolean =>
    record?.hasSeen(file, ask("cat-file", "blob", `${revision}:${file}`)) === true;
  return tracked.every((file) => seen(file, entry)) && untracked.every((file) => seen(file, `${entry}^3`));
}
