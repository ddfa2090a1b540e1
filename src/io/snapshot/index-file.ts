// What a git index (version 2) tells without a process: how much it holds, and its tree when that is up to date.
import { readFileSync } from "node:fs";

interface IndexFacts {
  files: number;
  bytes: number;
  /** Recorded size of every path asked for that is in the index. */
  sizes: Map<string, number>;
  /** The tree that `git write-tree` would answer; undefined when it has to be computed. */
  tree: string | undefined;
}

const noFacts = (): IndexFacts => ({ files: 0, bytes: 0, sizes: new Map(), tree: undefined });
const sizeAt = 36;
const nameAt = 62;
const objectBytes = 20;

/** Paths are latin1 strings: one character per byte. No facts for a missing or strange file: git judges it. */
export function readIndex(file: string, asked: ReadonlySet<string>): IndexFacts {
  const bytes = contentOf(file);
  if (!bytes || bytes.length < 32 || bytes.toString("latin1", 0, 4) !== "DIRC" || bytes.readUInt32BE(4) !== 2) {
    return noFacts();
  }
  const facts = { ...noFacts(), files: bytes.readUInt32BE(8) };
  let at = 12;
  for (let count = 0; count < facts.files; count += 1) {
    if (at + nameAt > bytes.length) return noFacts();
    const end = bytes.indexOf(0, at + nameAt);
    const size = bytes.readUInt32BE(at + sizeAt);
    facts.bytes += size;
    if (asked.size > 0) {
      const name = bytes.toString("latin1", at + nameAt, end);
      if (asked.has(name)) facts.sizes.set(name, size);
    }
    at += (end - at + 8) & ~7;
  }
  facts.tree = cachedTree(bytes, at);
  return facts;
}

/** The TREE extension begins with the root: an empty name, its entry count (-1: outdated), its subtrees, its object. */
function cachedTree(bytes: Buffer, from: number): string | undefined {
  for (let at = from; at + 8 < bytes.length - objectBytes; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString("latin1", at, at + 4) !== "TREE") continue;
    const end = bytes.indexOf(10, at + 8);
    const root = /^\0(\d+) \d+$/.exec(bytes.toString("latin1", at + 8, end));
    return root ? bytes.toString("hex", end + 1, end + 1 + objectBytes) : undefined;
  }
  return undefined;
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
