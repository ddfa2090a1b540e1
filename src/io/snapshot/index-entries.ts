// Entries of a git index (versions 2 to 4, SHA-1), read and written without a process.
import { createHash } from "node:crypto";
import type { RawPath } from "./raw-path.ts";

/** What stands before the name: times, device, inode, mode, owner, size, object and flags, as git lays them out. */
export interface IndexEntry {
  name: RawPath;
  head: Buffer;
  /** The second flags of version 3; 0 without them. */
  more: number;
}

/** A folder of the index whose tree object is known; a negative count says that it has to be computed. */
export interface CachedTree {
  name: RawPath;
  count: number;
  object: string;
  below: CachedTree[];
}

export interface IndexContent {
  entries: IndexEntry[];
  tree: CachedTree | undefined;
  /** Name of the file that holds the rest of a split index. */
  shared: string | undefined;
}

const headBytes = 62;
const objectBytes = 20;
const flagsAt = 60;
const extended = 0x4000;

/** The second in which the file or what is known of it changed last. */
export const changedAt = ({ head }: IndexEntry): number => Math.max(head.readUInt32BE(0), head.readUInt32BE(8));
export const modeOf = ({ head }: IndexEntry): number => head.readUInt32BE(24);
export const sizeOf = ({ head }: IndexEntry): number => head.readUInt32BE(36);
export const objectOf = ({ head }: IndexEntry): string => head.toString("hex", 40, flagsAt);
export const flagsOf = ({ head }: IndexEntry): number => head.readUInt16BE(flagsAt);

/** Undefined for anything that is not understood to its last byte. */
export function parseIndex(bytes: Buffer): IndexContent | undefined {
  if (bytes.length < 32 || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const end = bytes.length - objectBytes;
  const entries: IndexEntry[] = [];
  let at = 12;
  let before = "";
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const found = entryAt(bytes, at, version, before);
    if (!found || found.next > end) return undefined;
    entries.push(found.entry);
    before = found.entry.name;
    at = found.next;
  }
  const extensions = extensionsAt(bytes, at, end);
  if (!extensions) return undefined;
  const link = extensions.get("link");
  const cached = extensions.get("TREE");
  return {
    entries,
    tree: cached && treeAt(cached, 0)?.tree,
    shared: link && `sharedindex.${link.toString("hex", 0, objectBytes)}`,
  };
}

function entryAt(bytes: Buffer, at: number, version: number, before: string) {
  if (at + headBytes >= bytes.length) return undefined;
  const head = bytes.subarray(at, at + headBytes);
  const wide = (head.readUInt16BE(flagsAt) & extended) !== 0;
  let from = at + headBytes + (wide ? 2 : 0);
  const more = wide ? bytes.readUInt16BE(at + headBytes) : 0;
  let kept = "";
  if (version === 4) {
    const cut = varint(bytes, from);
    if (cut.value > before.length) return undefined;
    kept = before.slice(0, before.length - cut.value);
    from = cut.next;
  }
  const until = bytes.indexOf(0, from);
  if (until < 0) return undefined;
  const name = kept + bytes.toString("latin1", from, until);
  const next = version === 4 ? until + 1 : at + ((until - at + 8) & ~7);
  return { entry: { name, head, more }, next };
}

/** As git writes offsets in packs: seven bits at a time, each further byte one more than it says. */
function varint(bytes: Buffer, at: number): { value: number; next: number } {
  let next = at;
  let byte = bytes[next] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    next += 1;
    byte = bytes[next] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next: next + 1 };
}

/** Undefined when there is one that git must understand and this does not. */
function extensionsAt(bytes: Buffer, from: number, end: number): Map<string, Buffer> | undefined {
  const found = new Map<string, Buffer>();
  for (let at = from; at + 8 <= end; ) {
    const name = bytes.toString("latin1", at, at + 4);
    const size = bytes.readUInt32BE(at + 4);
    if (at + 8 + size > end) return undefined;
    if (/^[a-z]/.test(name) && name !== "link" && name !== "sdir") return undefined;
    found.set(name, bytes.subarray(at + 8, at + 8 + size));
    at += 8 + size;
  }
  return found;
}

/** The TREE extension: a name, its entry count (-1: outdated) and subtrees, its object; then each of these the same. */
export function treeAt(bytes: Buffer, from: number): { tree: CachedTree; next: number } | undefined {
  const nameEnd = bytes.indexOf(0, from);
  const lineEnd = bytes.indexOf(10, nameEnd);
  if (nameEnd < 0 || lineEnd < 0) return undefined;
  const numbers = /^(-?\d+) (\d+)$/.exec(bytes.toString("latin1", nameEnd + 1, lineEnd));
  if (!numbers) return undefined;
  const count = Number(numbers[1]);
  let next = lineEnd + 1;
  const object = count < 0 ? "" : bytes.toString("hex", next, next + objectBytes);
  if (count >= 0) next += objectBytes;
  const below: CachedTree[] = [];
  for (let left = Number(numbers[2]); left > 0; left -= 1) {
    const found = treeAt(bytes, next);
    if (!found) return undefined;
    below.push(found.tree);
    next = found.next;
  }
  return { tree: { name: bytes.toString("latin1", from, nameEnd), count, object, below }, next };
}

/** A version 2 index without flags; the entries are in git's order. */
export function indexBytes(entries: readonly IndexEntry[], tree: CachedTree | undefined): Buffer {
  const start = Buffer.alloc(12);
  start.write("DIRC", "latin1");
  start.writeUInt32BE(2, 4);
  start.writeUInt32BE(entries.length, 8);
  const total = entries.reduce((sum, { name }) => sum + lengthOf(name), 0);
  const body = Buffer.alloc(total);
  let at = 0;
  for (const { name, head } of entries) {
    head.copy(body, at);
    body.writeUInt16BE(Math.min(name.length, 0xfff), at + flagsAt);
    body.write(name, at + headBytes, "latin1");
    at += lengthOf(name);
  }
  const cached = tree ? treeBytes(tree) : Buffer.alloc(0);
  const label = Buffer.alloc(8);
  label.write("TREE", "latin1");
  label.writeUInt32BE(cached.length, 4);
  const whole = Buffer.concat([start, body, ...(tree ? [label, cached] : [])]);
  return Buffer.concat([whole, createHash("sha1").update(whole).digest()]);
}

const lengthOf = (name: RawPath): number => (headBytes + name.length + 8) & ~7;

function treeBytes({ name, count, object, below }: CachedTree): Buffer {
  const line = Buffer.from(`${name}\0${count} ${below.length}\n`, "latin1");
  return Buffer.concat([line, Buffer.from(count < 0 ? "" : object, "hex"), ...below.map(treeBytes)]);
}
