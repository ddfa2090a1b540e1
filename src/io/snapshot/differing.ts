// Which paths of the workspace differ from the index, or are new: all that a checkpoint has to look at.
import { lstatSync, statfsSync, statSync } from "node:fs";
import { hasCode, withFallback } from "../../base/fallback.ts";
import type { GitExit } from "../git/git.ts";
import { hasHead } from "./head.ts";
import { listed, type RawPath, rawBytes, shown } from "./raw-path.ts";
import type { Shadow } from "./shadow.ts";

export interface Differing {
  exit: GitExit;
  /** Undefined when git did not accept the index. */
  paths: Set<RawPath> | undefined;
  /** The next look is quicker when the tree of this one is made the head. */
  farFromHead: boolean;
  /** Whole folders are new: the next look is quicker when the index knows them. */
  newFolders: boolean;
}

const bytesOfEntry = 100;

/** From so many files on, git is asked in ways that are quicker for many. */
export const isLarge = (indexFile: string, from = 10_000): boolean =>
  (statSync(indexFile, { throwIfNoEntry: false })?.size ?? 0) >= from * bytesOfEntry;

export async function differingPaths(shadow: Shadow, indexFile: string, largeFrom?: number): Promise<Differing> {
  const large = isLarge(indexFile, largeFrom) && keepsFolderTimes(shadow.workspace);
  const quick = large && hasHead(shadow.gitDir) ? await byStatus(shadow, indexFile) : undefined;
  if (quick) return quick;
  const exit = await shadow.tryGit(["ls-files", "--others", "--modified", ...listing], { indexFile });
  return {
    exit,
    paths: exit.code === 0 ? new Set(listed(exit.out)) : undefined,
    farFromHead: large,
    newFolders: false,
  };
}

const listing = ["--exclude-standard", "-z"];

/** Whether a folder's time changes with its entries, so that folders need not be read again. */
function keepsFolderTimes(folder: string): boolean {
  return localFileSystems.has(statfsSync(folder).type);
}

// ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs, bcachefs
const localFileSystems = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

/** More new folders than that are listed in one go. */
const mostFolders = 50;

/** git looks at the files in several threads here, and remembers the folders in which nothing was new. */
async function byStatus(shadow: Shadow, indexFile: string): Promise<Differing | undefined> {
  const args = [
    ...["-c", "core.untrackedCache=true", "-c", "status.showUntrackedFiles=normal", "status"],
    ...["--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=all"],
  ];
  const exit = await shadow.tryGit(args, { indexFile, env: { GIT_OPTIONAL_LOCKS: "1" } });
  if (exit.code !== 0) return undefined;
  const paths = new Set<RawPath>();
  const folders: RawPath[] = [];
  let staged = 0;
  for (const line of listed(exit.out)) {
    const name = line.slice(3);
    if (line.startsWith("??") && name.endsWith("/")) folders.push(name);
    else if (line.charAt(1) !== " ") paths.add(name);
    else staged += 1;
    // What became a folder is told as deleted, and what is in it not at all.
    if (line.charAt(1) === "D" && isFolder(shadow.workspace, name)) folders.push(`${name}/`);
  }
  const farFromHead = staged > mostStaged;
  if (folders.length === 0) return { exit, paths, farFromHead, newFolders: false };
  const named =
    folders.length <= mostFolders && folders.every((each) => rawBytes(each).equals(Buffer.from(shown(each))));
  const where = named ? folders.map((each) => `:(literal,top)${shown(each)}`) : [];
  const others = await shadow.tryGit(["ls-files", "--others", ...listing, "--", ...where], { indexFile });
  if (others.code !== 0) return undefined;
  for (const each of listed(others.out)) paths.add(each);
  return { exit: others, paths, farFromHead, newFolders: true };
}

const isFolder = (workspace: string, name: RawPath): boolean =>
  withFallback(false, hasCode("ENOENT", "ENOTDIR", "EACCES"), () =>
    lstatSync(Buffer.concat([Buffer.from(`${workspace}/`), rawBytes(name)])).isDirectory(),
  );

/** Files of the index that are otherwise in the head: git lists them each time. */
const mostStaged = 500;
