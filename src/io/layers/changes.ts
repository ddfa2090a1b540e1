// Reads what a run has written out of its layer. Nothing in there is followed: links are looked at, never through.
import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import path from "node:path";
import { type LowerView, isWhiteout } from "./below.ts";
import { type Locate, statsAt } from "./look.ts";
import { opaqueFolders } from "./opaque.ts";
import { type Below, type Change, mostRemoved } from "./spec.ts";

/** A run that writes more is looked at no further; what is left stays in its layer, and the caller is told. */
const mostChanges = 20_000;

export interface Written {
  /** Parents come before what lies in them. */
  changes: Change[];
  /** Folders of the layer that hide what lies below them. */
  opaque: ReadonlySet<string>;
  /** Names that cannot be looked up: they are no text. They are shown as well as can be. */
  nameless: string[];
  /** More was written, or deeper, than is looked at. */
  more: boolean;
}

/** `workspace` is where unchanged copies are compared with. */
export function readChanges(upper: string, below: LowerView, workspace: Locate): Written {
  const { entries, nameless, more } = walk(upper);
  const merged = entries.filter(({ stats, path: at }) => stats.isDirectory() && below.at(at)?.kind === "folder");
  const opaque = opaqueFolders(
    upper,
    merged.map(({ path: at }) => at),
  );
  const changes = entries.flatMap(({ path: at, stats }): Change[] => {
    const found = below.at(at);
    const before = found ? { before: found } : {};
    if (isWhiteout(stats))
      return found ? [{ path: at, kind: "removed", files: below.filesOf(at, mostRemoved), ...before }] : [];
    if (stats.isDirectory()) return folderChanges(at, { before, hides: opaque.has(at), below, upper });
    if (stats.isSymbolicLink()) {
      return [{ path: at, kind: "link", target: readlinkSync(path.join(upper, at)), ...before }];
    }
    if (!stats.isFile()) return [{ path: at, kind: "special", ...before }];
    if (found?.kind === "file" && !found.kept && isSame(path.join(upper, at), workspace(at), stats)) return [];
    return [{ path: at, kind: "file", stats, ...before }];
  });
  return { changes, opaque, nameless, more };
}

interface FolderSeen {
  before: { before?: Below };
  hides: boolean;
  below: LowerView;
  upper: string;
}

/** A folder that was made anew hides what lies below it: all of that which the run did not write again is gone. */
function folderChanges(at: string, { before, hides, below, upper }: FolderSeen): Change[] {
  if (before.before?.kind !== "folder") return [{ path: at, kind: "folder", ...before }];
  if (!hides) return [];
  return below.namesIn(at).flatMap((name): Change[] => {
    const inside = `${at}/${name}`;
    if (lstatSync(path.join(upper, inside), { throwIfNoEntry: false })) return [];
    const found = below.at(inside);
    return found ? [{ path: inside, kind: "removed", files: below.filesOf(inside, mostRemoved), before: found }] : [];
  });
}

/** Touched, or given the rights that it had: nothing that anybody would see. */
function isSame(mine: string, theirs: string, stats: { size: number; mode: number }): boolean {
  const other = lstatSync(theirs, { throwIfNoEntry: false });
  if (!other?.isFile() || other.size !== stats.size || (other.mode & 0o777) !== (stats.mode & 0o777)) return false;
  return stats.size <= 64 * 1024 * 1024 && readFileSync(mine).equals(readFileSync(theirs));
}

interface Entry {
  path: string;
  stats: Stats;
}

/** Longer paths cannot be opened. */
const longestPath = 3500;

function walk(upper: string): { entries: Entry[]; nameless: string[]; more: boolean } {
  const entries: Entry[] = [];
  const nameless: string[] = [];
  let more = false;
  const open = [""];
  for (const folder of open) {
    for (const name of readdirSync(path.join(upper, folder)).sort()) {
      if (entries.length + nameless.length >= mostChanges) return { entries, nameless, more: true };
      const at = folder === "" ? name : `${folder}/${name}`;
      const full = path.join(upper, at);
      const tooLong = Buffer.byteLength(full) > longestPath;
      const stats = tooLong ? undefined : statsAt(full);
      if (tooLong) more = true;
      else if (!stats) nameless.push(at);
      if (!stats) continue;
      makeReadable(full, stats);
      entries.push({ path: at, stats });
      if (stats.isDirectory()) open.push(at);
    }
  }
  return { entries, nameless, more };
}

/** A command may take away its own rights; what it wrote is looked at all the same. */
function makeReadable(file: string, stats: Stats): void {
  const needed = stats.isDirectory() ? 0o700 : 0o400;
  if ((stats.isDirectory() || stats.isFile()) && (stats.mode & needed) !== needed)
    chmodSync(file, (stats.mode & 0o777) | needed);
}
