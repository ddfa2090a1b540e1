// The files of a checkpoint in another folder, to work in beside the workspace; and what was made of them there.
import { realpathSync } from "node:fs";
import path from "node:path";
import type { FolderSize } from "../worktrees.ts";
import { readIndex } from "./index-file.ts";
import type { RawChange } from "./patch.ts";
import { rawBytes, shown } from "./raw-path.ts";
import { blobs, changesTo } from "./restore.ts";
import { ownIndex, Shadow } from "./shadow.ts";
import { openSnapshots, type SnapshotOptions, type Snapshots } from "./snapshots.ts";

export interface Copy {
  /** Of the folder; its trees are those of the workspace's own checkpoints. */
  snapshots: Snapshots;
}

/** Lays the tree out in an empty folder. `options` are those of the workspace. Rejects with a Fault. */
export async function layCopy(options: SnapshotOptions, tree: string, folder: string): Promise<Copy> {
  const copyOf = { workspace: options.workspace, index: ownIndex() };
  const shadow = new Shadow(options.gitDir, realpathSync(folder), copyOf);
  await shadow.withIndex(async (indexFile) => {
    await shadow.git(["read-tree", tree], { indexFile });
    await shadow.git(["checkout-index", "--all", "--quiet", "-u"], { indexFile });
  }, true);
  return { snapshots: openSnapshots({ ...options, workspace: folder, copyOf }) };
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

/** What one tree has otherwise than another. `text` of a plain file; anything else is known by its path. */
export type TreeChange =
  | { path: string; kind: "write"; text: string }
  | { path: string; kind: "delete" }
  | { path: string; kind: "other" };

const plainMode = "100644";
const nothing = "000000";
const longestText = 1_000_000;

/** Links, programs, changed modes and what is no text are `other`: no text says what they are. */
export async function treeChanges(options: SnapshotOptions, from: string, to: string): Promise<TreeChange[]> {
  const shadow = new Shadow(options.gitDir, realpathSync(options.workspace));
  const changes = await changesTo(shadow, from, to);
  const found: TreeChange[] = [];
  const written = changes.filter(isPlainWrite);
  const contents = written.length > 0 ? await blobs(shadow, written) : [];
  for (const change of changes) {
    const name = shown(change.path);
    const content = contents[written.indexOf(change)];
    const text = content && textOf(content);
    // A name that is no text could be another file's.
    if (!rawBytes(change.path).equals(Buffer.from(name))) found.push({ path: name, kind: "other" });
    else if (change.status === "D") found.push({ path: name, kind: "delete" });
    else found.push(text === undefined ? { path: name, kind: "other" } : { path: name, kind: "write", text });
  }
  return found;
}

function isPlainWrite({ before, mode, status }: RawChange): boolean {
  if (status === "D") return false;
  return before === nothing ? mode === plainMode : mode === before && mode.startsWith("100");
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(content: Buffer): string | undefined {
  if (content.length > longestText || content.includes(0)) return undefined;
  try {
    return strict.decode(content);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
