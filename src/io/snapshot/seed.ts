// The first checkpoint of a large repository: what the person's own index vouches for is taken over with its objects, and
// only the rest is read from the disk. Their repository is only read, and nothing of it is needed afterwards.
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gitToplevel, repositoryFolders, textOf } from "../git/git.ts";
import { convertedIn, type Repository } from "./converted.ts";
import { withoutFiltered } from "./filtered.ts";
import { setHead } from "./head.ts";
import {
  changedAt,
  type CachedTree,
  flagsOf,
  type IndexContent,
  type IndexEntry,
  indexBytes,
  modeOf,
  objectOf,
  parseIndex,
  sizeOf,
} from "./index-entries.ts";
import { isControl, listed, type RawPath } from "./raw-path.ts";
import type { Shadow } from "./shadow.ts";

/** What was taken over last; it does not count against the limits of a checkpoint, as nothing of it has to be read. */
export interface Seeded {
  files: number;
  bytes: number;
  /** Which state of the person's index it was. */
  of: number;
}

/** Copying more than that takes longer than a person waits. */
const mostBytes = 4 * 1024 ** 3;

/** Fewer files are read as fast. */
const fewest = 1000;

/**
 * Writes `indexFile` anew and answers true, unless there is nothing to take over: no repository, a small one, one that is
 * not understood, or the same state as the last time when only what is `newer` is wanted.
 */
export async function seedIndex(
  shadow: Shadow,
  indexFile: string,
  { newer, atLeast = fewest }: { newer: boolean; atLeast?: number | undefined },
): Promise<boolean> {
  const repository = repositoryOf(shadow.workspace);
  const of = repository && indexTime(repository);
  if (!repository || of === undefined || (newer && seededBefore(shadow).of === of)) return false;
  const draft = `${indexFile}.seed`;
  try {
    const seeded = await seed(shadow, { repository, draft, atLeast });
    if (!seeded) return false;
    writeFileSync(recordOf(shadow), JSON.stringify({ ...seeded, of }));
    renameSync(draft, indexFile);
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Zeros when nothing was. */
export function seededBefore(shadow: Shadow): Seeded {
  const text = textOf(recordOf(shadow));
  return text === "" ? { files: 0, bytes: 0, of: 0 } : (JSON.parse(text) as Seeded);
}

const recordOf = (shadow: Shadow): string => path.join(shadow.gitDir, "seeded");
const indexTime = ({ own }: Repository) => statSync(path.join(own, "index"), { throwIfNoEntry: false })?.mtimeMs;

async function seed(
  shadow: Shadow,
  { repository, draft, atLeast }: { repository: Repository; draft: string; atLeast: number },
): Promise<Pick<Seeded, "files" | "bytes"> | undefined> {
  const read = await personsIndex(shadow, repository, draft);
  if (!read || read.content.entries.length < atLeast) return undefined;
  const trusted = await trustedEntries(repository, read);
  const objects = path.join(repository.common, "objects");
  const held = await taken(shadow, objects, trusted, read.content.tree);
  if (!held) return undefined;
  const sound = trusted.filter((entry) => held.blobs.get(objectOf(entry)) === sizeOf(entry));
  const bytes = sound.reduce((sum, entry) => sum + sizeOf(entry), 0);
  const entries = withoutPrefix(sound, repository.prefix);
  const tree = below(read.content.tree, repository.prefix);
  if (tree && held.trees.has(tree.object)) setHead(shadow.gitDir, tree.object);
  const write = (some: readonly IndexEntry[]) =>
    writeFileSync(draft, indexBytes(some, tree && confirmed(tree, countIn(some), held.trees)));
  write(entries);
  // What the person has added although a rule ignores it is no part of checkpoints.
  const args = ["ls-files", "--cached", "--ignored", "--exclude-standard", "-z"];
  const ignored = new Set(listed(await shadow.git(args, { indexFile: draft })));
  if (ignored.size > 0) write(entries.filter(({ name }) => !ignored.has(name)));
  return { files: entries.length - ignored.size, bytes };
}

/** Undefined also for a repository whose objects are named otherwise than the checkpoints'. */
function repositoryOf(workspace: string): Repository | undefined {
  const top = gitToplevel(workspace);
  if (top === undefined) return undefined;
  const [own, common = own] = repositoryFolders(path.join(top, ".git")) ?? [];
  if (own === undefined || common === undefined) return undefined;
  if (/objectformat/i.test(textOf(path.join(common, "config")))) return undefined;
  const inside = path.relative(top, workspace);
  return { top, prefix: inside === "" ? "" : Buffer.from(`${inside}/`).toString("latin1"), own, common };
}

interface ReadIndex {
  content: IndexContent;
  /** Second in which it was written: what changed since may have kept its times. */
  second: number;
}

async function personsIndex(shadow: Shadow, { own }: Repository, draft: string): Promise<ReadIndex | undefined> {
  const file = path.join(own, "index");
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) return undefined;
  const bytes = readFileSync(file);
  let second = Math.floor(stats.mtimeMs / 1000);
  let content = parseIndex(bytes);
  if (content?.shared !== undefined) {
    const shared = path.join(own, content.shared);
    const base = statSync(shared, { throwIfNoEntry: false });
    if (!base?.isFile()) return undefined;
    second = Math.min(second, Math.floor(base.mtimeMs / 1000));
    content = await joined(shadow, { bytes, shared, draft });
  }
  return content && { content, second };
}

/** git puts the halves of a split index together, from copies: it would touch the times of the original. */
async function joined(
  shadow: Shadow,
  { bytes, shared, draft }: { bytes: Buffer; shared: string; draft: string },
): Promise<IndexContent | undefined> {
  const copy = path.join(shadow.gitDir, path.basename(shared));
  try {
    writeFileSync(draft, bytes);
    copyFileSync(shared, copy);
    const { code } = await shadow.tryGit(["update-index", "--no-split-index"], { indexFile: draft });
    return code === 0 ? parseIndex(readFileSync(draft)) : undefined;
  } finally {
    rmSync(copy, { force: true });
    rmSync(draft, { force: true });
  }
}

const stage = 0x3000;
const assumeUnchanged = 0x8000;
const kinds = 0o170000;
const regular = 0o100000;
const link = 0o120000;

/** Whose content lies on the disk as git keeps it, if the file is as the index describes it. */
async function trustedEntries(repository: Repository, { content, second }: ReadIndex): Promise<IndexEntry[]> {
  const { prefix } = repository;
  const plain = content.entries.filter((entry) => {
    const kind = modeOf(entry) & kinds;
    return (
      entry.name.startsWith(prefix) &&
      (kind === regular || kind === link) &&
      // Whether it is of a merge, needs not be there, or is not looked at: all but the length of its name.
      (flagsOf(entry) & (stage | assumeUnchanged)) === 0 &&
      entry.more === 0 &&
      changedAt(entry) < second &&
      !isControl(entry.name.slice(prefix.length))
    );
  });
  const names = plain.map(({ name }) => name);
  const converted = await convertedIn(repository, names);
  return withoutFiltered(
    repository,
    plain.filter(({ name }) => !converted(name)),
  );
}

interface Held {
  /** Sizes. */
  blobs: Map<string, number>;
  trees: Set<string>;
}

/** Copies what exists of the objects into the shadow's own repository; undefined when that fails. */
async function taken(
  shadow: Shadow,
  objects: string,
  trusted: readonly IndexEntry[],
  tree: CachedTree | undefined,
): Promise<Held | undefined> {
  const blobs = new Set(trusted.map(objectOf));
  const trees = new Set(tree ? treesOf(tree) : []);
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects) };
  const own = packedIn(path.join(shadow.gitDir, "objects", "pack"));
  const copied = copy(
    shadow,
    env,
    [...blobs, ...trees].filter((each) => !own.has(each)),
  );
  const [held, first] = await Promise.all([present(shadow, env, [...blobs, ...trees]), copied]);
  if (!held) return undefined;
  const total = [...held.blobs.values()].reduce((sum, size) => sum + size, 0);
  if (total > mostBytes) return undefined;
  if (first) return held;
  // Something is missing there, as in a partial clone.
  const there = [...held.blobs.keys(), ...held.trees].filter((each) => !own.has(each));
  return (await copy(shadow, env, there)) ? held : undefined;
}

/** Answers whether all of them are here now. */
async function copy(shadow: Shadow, env: Record<string, string>, objects: readonly string[]): Promise<boolean> {
  if (objects.length === 0) return true;
  const input = objects.map((each) => `${each}\n`).join("");
  const pack = path.join(shadow.gitDir, "objects", "pack", "pack");
  const { code } = await shadow.tryGit(["pack-objects", "--quiet", "--window=0", "--delta-base-offset", pack], {
    env,
    input,
  });
  return code === 0;
}

/** Names of all objects in a folder of packs, as their indexes (version 2) list them. git would search for each alone. */
function packedIn(folder: string): Set<string> {
  const found = new Set<string>();
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".idx"))) {
    const bytes = readFileSync(path.join(folder, name));
    const namesAt = 8 + 256 * 4;
    if (bytes.length < namesAt || bytes.readUInt32BE(0) !== 0xff744f63 || bytes.readUInt32BE(4) !== 2) continue;
    const count = bytes.readUInt32BE(namesAt - 4);
    for (let at = namesAt; at < namesAt + count * 20; at += 20) found.add(bytes.toString("hex", at, at + 20));
  }
  return found;
}

/** What there is of them, with the sizes of files. */
async function present(
  shadow: Shadow,
  env: Record<string, string>,
  objects: readonly string[],
): Promise<Held | undefined> {
  const input = objects.map((each) => `${each}\n`).join("");
  const { code, out } = await shadow.tryGit(["cat-file", "--buffer", "--batch-check=%(objecttype) %(objectsize)"], {
    env,
    input,
  });
  if (code !== 0) return undefined;
  const held: Held = { blobs: new Map(), trees: new Set() };
  for (const [index, line] of out.toString("latin1").split("\n").entries()) {
    const object = objects[index];
    if (object === undefined) break;
    if (line.startsWith("blob ")) held.blobs.set(object, Number(line.slice(5)) % 2 ** 32);
    else if (line.startsWith("tree ")) held.trees.add(object);
  }
  return held;
}

function withoutPrefix(entries: readonly IndexEntry[], prefix: RawPath): IndexEntry[] {
  if (prefix === "") return [...entries];
  return entries.map((entry) => ({ ...entry, name: entry.name.slice(prefix.length) }));
}

function* treesOf(tree: CachedTree): Generator<string> {
  if (tree.count >= 0) yield tree.object;
  for (const each of tree.below) yield* treesOf(each);
}

function below(tree: CachedTree | undefined, prefix: RawPath): CachedTree | undefined {
  let found = tree;
  for (const name of prefix.split("/").slice(0, -1)) found = found?.below.find((each) => each.name === name);
  return found && { ...found, name: "" };
}

/** How many entries lie below each folder. */
function countIn(entries: readonly IndexEntry[]): Map<RawPath, number> {
  const counts = new Map<RawPath, number>([["", entries.length]]);
  for (const { name } of entries) {
    for (let end = name.indexOf("/"); end >= 0; end = name.indexOf("/", end + 1)) {
      const folder = name.slice(0, end + 1);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return counts;
}

/** A tree stands only for a folder all of whose entries were taken over; its object must be here. */
function confirmed(
  tree: CachedTree,
  counts: ReadonlyMap<RawPath, number>,
  trees: ReadonlySet<string>,
  folder: RawPath = "",
): CachedTree {
  const whole = tree.count > 0 && counts.get(folder) === tree.count && trees.has(tree.object);
  const kept = tree.below.filter(({ name }) => counts.has(`${folder}${name}/`));
  return {
    name: tree.name,
    count: whole ? tree.count : -1,
    object: whole ? tree.object : "",
    below: kept.map((each) => confirmed(each, counts, trees, `${folder}${each.name}/`)),
  };
}
