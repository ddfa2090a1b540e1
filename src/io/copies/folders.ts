// Folders of candidates, each with a copy of the workspace.
import { mkdirSync, realpathSync, rmdirSync } from "node:fs";
import path from "node:path";
import { leftBehind, ownedName } from "../folders/owned-folders.ts";
import { makePrivateFolder } from "../places/places.ts";
import { dropFolder, foldersIn } from "../folders/worktrees.ts";

interface CopyFolder {
  /** Real path of an empty folder. */
  workspace: string;
  /** False when something of it could not be removed: whoever comes next tries again. */
  remove(): boolean;
}

/** Below `root`, which is made where it is missing. */
export function makeCopyFolder(root: string): CopyFolder {
  makePrivateFolder(root);
  const own = path.join(root, ownedName());
  const workspace = path.join(own, "files");
  // The root, too: another process may just have removed it as empty.
  mkdirSync(workspace, { recursive: true, mode: 0o700 });
  return { workspace: realpathSync(workspace), remove: () => dropped(own) };
}

/** Removes those of processes that have ended; what has another name is nobody's to remove. Costs nothing where there are none. */
export function dropLeftCopies(root: string): void {
  for (const name of foldersIn(root)) {
    if (leftBehind(name)) dropped(path.join(root, name));
  }
}

/** What somebody has made unwritable there stays. */
function dropped(folder: string): boolean {
  try {
    dropFolder(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
  try {
    rmdirSync(path.dirname(folder));
  } catch (error) {
    // Others are at work there, or have just removed it.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  return true;
}
