// What a git index (version 2) tells without a process: how much it holds, and its tree when that is up to date.
import { readFileSync } from "node:fs";
import { hasCode, withFallback } from "../../base/fallback.ts";
import { type CachedTree, treeAt } from "./index-entries.ts";
import type { RawPath } from "./raw-path.ts";

/** A file of a folder, as its tree names it. */
export interface Held {
  mode: number;
  object: string;
}

interface IndexFacts {
  files: number;
  bytes: number;
  /** Recorded size of every path asked for that is in the index. */
  sizes: Map<RawPath, number>;
  /** The files directly in each folder (with a final slash; empty: the topmost) of a path asked for. */
  folders: Map<RawPath, Map<RawPath, Held>>;
  /** The trees that `git write-tree` would answer, as far as they are known. */
  cached: CachedTree | undefined;
}

const noFacts = (): IndexFacts => ({
  files: 0,
  bytes: 0,
  sizes: new Map(),
  folders: new Map(),
  cached: undefined,
});
const modeAt = 24;
const sizeAt = 36;
const objectAt = 40;
const nameAt = 62;
const objectBytes = 20;

/** Paths are latin1 strings: one character per byte. No facts for a missing or strange file: git judges it. */
export function readIndex(file: string, asked: ReadonlySet<RawPath>): IndexFacts {
  const bytes = contentOf(file);
  if (!bytes || bytes.length < 32 || bytes.toString("latin1", 0, 4) !== "DIRC" || bytes.readUInt32BE(4) !== 2) {
    return noFacts();
  }
  const facts = { ...noFacts(), files: bytes.readUInt32BE(8), folders: foldersOf(asked) };
  let at = 12;
  for (let count = 0; count < facts.files; count += 1) {
    if (at + nameAt > bytes.length) return noFacts();
    const end = bytes.indexOf(0, at + nameAt);
    const size = bytes.readUInt32BE(at + sizeAt);
    facts.bytes += size;
    if (asked.size > 0) {
      const name = bytes.toString("latin1", at + nameAt, end);
      if (asked.has(name)) facts.sizes.set(name, size);
      const cut = name.lastIndexOf("/") + 1;
      facts.folders.get(name.slice(0, cut))?.set(name.slice(cut), {
        mode: bytes.readUInt32BE(at + modeAt),
        object: bytes.toString("hex", at + objectAt, at + objectAt + objectBytes),
      });
    }
    at += (end - at + 8) & ~7;
  }
  facts.cached = cachedTree(bytes, at);
  return facts;
}

/** The tree of the whole index; undefined when it has to be computed. */
export const wholeTree = ({ cached }: Pick<IndexFacts, "cached">): string | undefined =>
  cached && cached.count >= 0 ? cached.object : undefined;

/** Those that the paths lie in, up to the topmost. */
export function foldersOf(paths: Iterable<RawPath>): Map<RawPath, Map<RawPath, Held>> {
  const folders = new Map<RawPath, Map<RawPath, Held>>();
  for (const each of paths) {
    for (let end = each.lastIndexOf("/"); ; end = each.lastIndexOf("/", end - 1)) {
      const folder = each.slice(0, end + 1);
      if (folders.has(folder)) break;
      folders.set(folder, new Map());
      if (end <= 0) break;
    }
  }
  return folders;
}

function cachedTree(bytes: Buffer, from: number): CachedTree | undefined {
  for (let at = from; at + 8 < bytes.length - objectBytes; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString("latin1", at, at + 4) === "TREE") return treeAt(bytes, at + 8)?.tree;
  }
  return undefined;
}

const contentOf = (file: string): Buffer | undefined =>
  withFallback(undefined, hasCode("ENOENT"), () => readFileSync(file));
