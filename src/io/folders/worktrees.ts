// Folders of worktrees: made, looked at and removed by fettle itself, outside of any workspace.
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { cp, lstat, mkdir, opendir, rename } from "node:fs/promises";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";

export const isThere = (place: string): boolean => existsSync(place);

/** An empty folder for a borrowed one to be seen at. */
export function mountPoint(place: string): void {
  mkdirSync(place, { recursive: true });
}

/** A link that is made anew, with the folders that lead to it. */
export function linkAt(place: string, target: string): void {
  mkdirSync(path.dirname(place), { recursive: true });
  rmSync(place, { force: true });
  symlinkSync(target, place);
}

export function dropFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

export const foldersIn = (place: string): string[] =>
  isThere(place)
    ? readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    : [];

export interface FolderSize {
  files: number;
  bytes: number;
}

/** Undefined for what is no folder, or holds more than that. */
export async function sizeWithin(folder: string, most: FolderSize): Promise<FolderSize | undefined> {
  if (!(await lstat(folder)).isDirectory()) return undefined;
  const size = { files: 0, bytes: 0 };
  for await (const entry of await opendir(folder, { recursive: true })) {
    size.files += 1;
    if (entry.isFile()) size.bytes += (await lstat(path.join(entry.parentPath, entry.name))).size;
    if (size.files > most.files || size.bytes > most.bytes) return undefined;
  }
  return size;
}

/** By way of `part`, so that a copy that was cut off is none. Links stay what they are; sockets and pipes are left out. */
export async function copyFolder(from: string, to: string, part: string): Promise<void> {
  dropFolder(part);
  await cp(from, part, {
    ...{ recursive: true, preserveTimestamps: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE },
    filter: async (source) => {
      const entry = await lstat(source);
      return entry.isDirectory() || entry.isFile() || entry.isSymbolicLink();
    },
  });
  await mkdir(path.dirname(to), { recursive: true });
  await rename(part, to);
}

/** Through links; undefined when there is none. */
export const realFile = (file: string): string | undefined =>
  withFallback(undefined, systemError, () => realpathSync(file));

export const isProgram = (file: string): boolean =>
  withFallback(false, systemError, () => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  });
