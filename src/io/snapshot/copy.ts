// The files of a checkpoint in another folder, to work in beside the workspace; and what was made of them there.
import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import { isA, withFallback } from "../../base/fallback.ts";
import type { Diff } from "../../protocol/result.ts";
import type { FolderSize } from "../folders/worktrees.ts";
import { readIndex } from "./index-file.ts";
import { leftOutOf } from "./left-out.ts";
import type { RawChange } from "./patch.ts";
import { isBelow, rawBytes, shown } from "./raw-path.ts";
import { blobs, changesTo } from "./restore.ts";
import { ownIndex, Shadow } from "./shadow.ts";
import { openSnapshots, type SnapshotOptions, type Snapshots } from "./snapshots.ts";

export interface Copy {
  /** Of the folder; its trees are those of the workspace's own checkpoints. */
  snapshots: Snapshots;
  /** To be called when the folder is gone: nothing is kept for it any more. */
  forget(): void;
}

/** Lays the tree out in an empty folder. `options` are those of the workspace. Rejects with a Fault. */
export async function layCopy(options: SnapshotOptions, tree: string, folder: string): Promise<Copy> {
  const copyOf = { workspace: options.workspace, index: ownIndex() };
  const shadow = new Shadow(options.gitDir, realpathSync(folder), copyOf);
  await shadow.withIndex(async (indexFile) => {
    await shadow.git(["read-tree", tree], { indexFile });
    await shadow.git(["checkout-index", "--all", "--quiet", "-u"], { indexFile });
  }, true);
  return {
    snapshots: openSnapshots({ ...options, workspace: folder, copyOf }),
    forget: () => shadow.dropIndex(),
  };
}

/** How much the latest checkpoint of the workspace holds. */
export function takenSize({ gitDir }: Pick<SnapshotOptions, "gitDir">): FolderSize {
  const { files, bytes } = readIndex(path.join(gitDir, "index"), new Set());
  return { files, bytes };
}

/** Names of folders that the ignore rules cover, topmost first. */
export async function ignoredFolders({ gitDir, workspace }: SnapshotOptions): Promise<string[]> {
  const shadow = new Shadow(gitDir, realpathSync(workspace));
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  const out = await shadow.withIndex((indexFile) => shadow.git(args, { indexFile }));
  return out
    .toString("utf8")
    .split("\0")
    .filter((name) => name.endsWith("/"))
    .map((name) => name.slice(0, -1));
}

/**
 * What one tree has otherwise than another. `text` of a file with or without the right to be run, which `mode` says has
 * changed; anything else is known by its path. `added`: the other tree has nothing there.
 */
export type TreeChange = { path: string; added: boolean } & (
  | { kind: "write"; text: string; mode: boolean }
  /** `unheld`: only because a checkpoint could not hold what is there. */
  | { kind: "delete"; unheld: boolean }
  | { kind: "other" }
);

const plainMode = "100644";
const nothing = "000000";
const longestText = 1_000_000;

/** Links and what is no text are `other`: no text says what they are. */
export async function treeChanges(options: SnapshotOptions, from: string, to: string): Promise<TreeChange[]> {
  const shadow = new Shadow(options.gitDir, realpathSync(options.workspace));
  const unheld = leftOutOf(options.gitDir, to);
  const changes = await changesTo(shadow, from, to);
  const found: TreeChange[] = [];
  const written = changes.filter(isFileWrite);
  const contents = written.length > 0 ? await blobs(shadow, written) : [];
  for (const change of changes) {
    const { before, mode, status } = change;
    const name = shown(change.path);
    const content = contents[written.indexOf(change)];
    const text = content && textOf(content);
    const at = { path: name, added: before === nothing };
    // A name that is no text could be another file's.
    if (!rawBytes(change.path).equals(Buffer.from(name))) found.push({ ...at, kind: "other" });
    else if (status === "D") found.push({ ...at, kind: "delete", unheld: isBelow(change.path, unheld) });
    else if (text === undefined) found.push({ ...at, kind: "other" });
    else found.push({ ...at, kind: "write", text, mode: mode !== (at.added ? plainMode : before) });
  }
  return found;
}

function isFileWrite({ before, mode, status }: RawChange): boolean {
  const isFile = (each: string) => each.startsWith("100");
  return status !== "D" && isFile(mode) && (before === nothing || isFile(before));
}

/** Without what only seems to be deleted, as `to` could not hold it. */
export function heldDiff({ gitDir }: Pick<SnapshotOptions, "gitDir">, to: string, { files }: Diff): Diff {
  const unheld = new Set([...leftOutOf(gitDir, to)].map(shown));
  return { files: files.filter(({ change, path: name }) => change !== "deleted" || !isBelow(name, unheld)) };
}

/** Those of the paths at which something stands that is no folder. */
export function occupied(workspace: string, names: readonly string[]): string[] {
  return names.filter((name) => {
    const stats = statsOf(path.join(workspace, name));
    return stats !== undefined && !stats.isDirectory();
  });
}

function statsOf(file: string): ReturnType<typeof lstatSync> {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // A file stands where its folder would be.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(content: Buffer): string | undefined {
  if (content.length > longestText || content.includes(0)) return undefined;
  return withFallback(undefined, isA(TypeError), () => strict.decode(content));
}
