// Folders of candidates, each with a copy of the workspace. Their names say which process works there, so that whoever
// comes after a crash can tell what nobody needs any more.
import { randomBytes } from "node:crypto";
import { mkdirSync, realpathSync, rmdirSync } from "node:fs";
import path from "node:path";
import { makePrivateFolder } from "../places.ts";
import { bootId, lives, processStart } from "../store/lease.ts";
import { dropFolder, foldersIn } from "../worktrees.ts";

export interface CopyFolder {
  /** Real path of an empty folder. */
  workspace: string;
  /** False when something of it could not be removed: whoever comes next tries again. */
  remove(): boolean;
}

const boot = (): string => bootId().slice(0, 8);

/** Below `root`, which is made where it is missing. */
export function makeCopyFolder(root: string): CopyFolder {
  makePrivateFolder(root);
  const owner = [process.pid, processStart(process.pid), boot()];
  const own = path.join(root, [...owner, randomBytes(4).toString("hex")].join("."));
  const workspace = path.join(own, "files");
  // The root, too: another process may just have removed it as empty.
  mkdirSync(workspace, { recursive: true, mode: 0o700 });
  return { workspace: realpathSync(workspace), remove: () => dropped(own) };
}

const ownedName = /^(\d+)\.(\d*)\.([0-9a-f-]*)\.[0-9a-f]{8}$/;

/** Removes those of processes that have ended; what has another name is nobody's to remove. Costs nothing where there are none. */
export function dropLeftCopies(root: string): void {
  for (const name of foldersIn(root)) {
    const [, pid, start = "", of] = ownedName.exec(name) ?? [];
    if (pid === undefined || lives(Number(pid), start, of === boot())) continue;
    dropped(path.join(root, name));
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
