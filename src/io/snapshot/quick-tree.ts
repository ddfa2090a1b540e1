// The tree of a checkpoint in which little changed: only what changed is read, and only the trees above it are written. The
// index is left as it is, so the same paths are read again for the next one.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import type { CachedTree } from "./index-entries.ts";
import { foldersOf, type Held } from "./index-file.ts";
import { writeObject } from "./objects.ts";
import { type RawPath, rawBytes } from "./raw-path.ts";

export const mostPaths = 100;
const mostBytes = 8 * 1024 * 1024;

export interface Base {
  cached: CachedTree | undefined;
  /** Of each folder of a changed path. */
  folders: ReadonlyMap<RawPath, ReadonlyMap<RawPath, Held>>;
}

/** Undefined when git has to do it: for much, and for what is not plainly a file, a link, or gone. */
export function quickTree(
  place: { gitDir: string; workspace: string },
  base: Base,
  changed: ReadonlySet<RawPath>,
): string | undefined {
  if (!base.cached || base.cached.count < 0 || changed.size > mostPaths) return undefined;
  const room = { bytes: mostBytes };
  const now = new Map<RawPath, Held | undefined>();
  for (const name of changed) {
    const held = heldAt(place, name, room);
    if (held === "strange") return undefined;
    now.set(name, held);
  }
  const { gitDir } = place;
  const above = new Set(foldersOf(changed).keys());
  const top = treeOf({ gitDir, base, now, above }, "", base.cached);
  return top === undefined ? undefined : (top ?? writeObject(gitDir, "tree", Buffer.alloc(0)));
}

interface Making {
  gitDir: string;
  base: Base;
  now: ReadonlyMap<RawPath, Held | undefined>;
  above: ReadonlySet<RawPath>;
}

const folderMode = 0o40000;

/** Null for an empty folder, undefined when the index does not tell enough. */
function treeOf(making: Making, folder: RawPath, cached: CachedTree | undefined): string | null | undefined {
  const files = new Map(making.base.folders.get(folder) ?? []);
  for (const [name, held] of making.now) {
    if (!name.startsWith(folder) || name.includes("/", folder.length)) continue;
    if (held) files.set(name.slice(folder.length), held);
    else files.delete(name.slice(folder.length));
  }
  const folders = new Map(cached?.below.map((each) => [each.name, each]));
  const names = new Set(folders.keys());
  for (const each of making.above) {
    const end = each.indexOf("/", folder.length);
    if (end >= 0 && each.startsWith(folder)) names.add(each.slice(folder.length, end));
  }
  for (const name of names) {
    const known = folders.get(name);
    const below = `${folder}${name}/`;
    const object = making.above.has(below) ? treeOf(making, below, known) : known && knownObject(known);
    if (object === undefined) return undefined;
    if (object === null) continue;
    if (files.has(name)) return undefined;
    files.set(name, { mode: folderMode, object });
  }
  return files.size === 0 ? null : writeObject(making.gitDir, "tree", treeContent(files));
}

const knownObject = ({ count, object }: CachedTree): string | null | undefined =>
  count < 0 ? undefined : count === 0 ? null : object;

function treeContent(files: ReadonlyMap<RawPath, Held>): Buffer {
  const sortKey = ([name, { mode }]: [RawPath, Held]) => (mode === folderMode ? `${name}/` : name);
  const sorted = [...files].sort((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(([name, { mode, object }]) => [
      rawBytes(`${mode.toString(8)} ${name}\0`),
      Buffer.from(object, "hex"),
    ]),
  );
}

/** Undefined for what is not there any more, or has become a folder. */
function heldAt(
  place: { gitDir: string; workspace: string },
  name: RawPath,
  room: { bytes: number },
): Held | "strange" | undefined {
  const file = Buffer.concat([Buffer.from(`${place.workspace}/`), rawBytes(name)]);
  try {
    if (!inFolders(place.workspace, name)) return undefined;
    const stats = lstatSync(file);
    if (stats.isDirectory()) return undefined;
    room.bytes -= stats.size;
    if (room.bytes < 0) return "strange";
    if (stats.isSymbolicLink()) {
      const target = readlinkSync(file, { encoding: "buffer" });
      return { mode: 0o120000, object: writeObject(place.gitDir, "blob", target) };
    }
    return stats.isFile() ? fileAt(place.gitDir, file) : "strange";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code !== undefined) return "strange";
    throw error;
  }
}

/** What lies behind a link is not the workspace's. */
function inFolders(workspace: string, name: RawPath): boolean {
  for (let end = name.indexOf("/"); end >= 0; end = name.indexOf("/", end + 1)) {
    const folder = Buffer.concat([Buffer.from(`${workspace}/`), rawBytes(name.slice(0, end))]);
    if (!lstatSync(folder).isDirectory()) return false;
  }
  return true;
}

function fileAt(gitDir: string, file: Buffer): Held | "strange" {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats: Stats = fstatSync(descriptor);
    if (!stats.isFile()) return "strange";
    const mode = (stats.mode & 0o100) === 0 ? 0o100644 : 0o100755;
    return { mode, object: writeObject(gitDir, "blob", readFileSync(descriptor)) };
  } finally {
    closeSync(descriptor);
  }
}
