// The names that git prints, asked while a command is judged: at once, or not at all.
import { existsSync } from "node:fs";
import path from "node:path";
import { gitNow, gitToplevel } from "./git.ts";

const most = { names: 200, milliseconds: 1_000 };
/** No shell takes these apart, and git prints them without quotes. */
const plain = /^[\w@%+=:,./-]+$/;

/** Of the workspace's own repository. What submodules count for is for whoever asks git to say, so there is no answer then. */
export function gitNames(words: readonly string[], folder: string, workspace: string): readonly string[] | undefined {
  if (gitToplevel(folder) !== workspace || existsSync(path.join(workspace, ".gitmodules"))) return undefined;
  const [verb = "", ...rest] = words;
  const text = gitNow([verb, "-z", ...rest], folder, most.milliseconds);
  const names = text?.split("\0").filter((name) => name !== "");
  return names && names.length <= most.names && names.every((name) => plain.test(name)) ? names : undefined;
}

const largestCommit = 20_000;

/** All files of a commit; undefined where git would run something to write them, or there are too many. */
export function commitNames(commit: string, workspace: string): readonly string[] | undefined {
  if (gitToplevel(workspace) !== workspace || existsSync(path.join(workspace, ".gitmodules"))) return undefined;
  if (replacesObjects(workspace)) return undefined;
  const text = gitNow(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], workspace, most.milliseconds);
  const names = text?.split("\0").filter((name) => name !== "");
  return names && names.length <= largestCommit ? names : undefined;
}

/** Whether git in the sandbox may take other objects than are named (`git replace`): fettle's own does not. */
export const replacesObjects = (workspace: string): boolean =>
  gitNow(["for-each-ref", "--count=1", "refs/replace"], workspace, most.milliseconds) !== "";
