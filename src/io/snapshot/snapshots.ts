// Checkpoints of the workspace's files, in a repository of their own: the person's index, branches and stash are theirs.
import { existsSync, realpathSync } from "node:fs";
import type { LeftOut } from "../../protocol/event.ts";
import type { Diff } from "../../protocol/result.ts";
import { type GitExit, gitProgram } from "../git/git.ts";
import { differingPaths, isLarge } from "./differing.ts";
import { setHead } from "./head.ts";
import { keepLeftOut, told } from "./left-out.ts";
import { parseDiff } from "./patch.ts";
import { quickTree } from "./quick-tree.ts";
import { type RawPath, rawBytes, shown } from "./raw-path.ts";
import { changesTo, type EarlierFile, earlierFiles, restorePaths, unknownTo } from "./restore.ts";
import { seededBefore, seedIndex } from "./seed.ts";
import { type CopyOf, Shadow, snapshotFailed } from "./shadow.ts";
import { type Limits, type Survey, survey } from "./survey.ts";

/** Every method rejects with a Fault: `git.missing`, `snapshot.failed`, `snapshot.unwritable`, `restore.partial`. */
export interface Snapshots {
  /** An earlier checkpoint makes the next one cheap: only what changed is read. */
  cheap(): boolean;
  /** All files that no ignore rule covers, as they are now; what could not be taken, and why. */
  take(): Promise<{ tree: string; leftOut: LeftOut[] }>;
  /** Moved files are recognised. */
  diff(from: string, to: string): Promise<Diff>;
  /** From the tree to the files as they are now: exactly what `restore` would undo. A moved file is two changes. */
  compare(tree: string): Promise<Diff>;
  /** Writes and deletes what differs at or below `paths`; never .git or .fettle, nor what the tree knows nothing about. */
  restore(tree: string, paths: string[] | "all"): Promise<{ restored: string[] }>;
  /** What `from` has at each path where `to` differs; a moved file is two of them. */
  earlier(from: string, to: string): Promise<EarlierFile[]>;
  /** Content of a file (of a link: its target); undefined when the tree does not have it. */
  read(tree: string, path: string): Promise<Buffer | undefined>;
}

export interface SnapshotOptions extends Limits {
  /** The shadow repository; made when it is first needed. */
  gitDir: string;
  workspace: string;
  copyOf?: CopyOf;
  /** The person's own index is made use of from so many files on. */
  seedFrom?: number;
  /** Ways that are quicker for many files are taken from so many on. */
  largeFrom?: number;
}

/** About 10,000 files. */
const cheapIndexBytes = 1024 * 1024;

/** Without git there are no checkpoints. */
export const snapshotsPossible = (): boolean => gitProgram() !== undefined;

export function openSnapshots(options: SnapshotOptions): Snapshots {
  const shadow = new Shadow(options.gitDir, realpathSync(options.workspace), options.copyOf);
  const take = () => takeSnapshot(shadow, options);
  return {
    cheap: () => shadow.indexBytes() > 0 && shadow.indexBytes() < cheapIndexBytes,
    async take() {
      const { tree, leftOut } = await take();
      return { tree, leftOut: told(leftOut) };
    },
    diff: (from, to) => differences(shadow, from, to, "--find-renames"),
    async compare(tree) {
      treeName(tree);
      const now = await take();
      if (now.tree === tree) return { files: [] };
      const diff = await differences(shadow, tree, now.tree, "--no-renames");
      const unknown = await unknownTo(shadow, tree, await changesTo(shadow, now.tree, tree));
      const hidden = new Set([...unknown].map(shown));
      const present = new Set([...now.leftOut.keys()].map(shown));
      const files = diff.files.filter((each) => !hidden.has(each.path));
      // Missing from the tree of now only because it could not be taken.
      return { files: files.map((each) => (present.has(each.path) ? { ...each, change: "modified" as const } : each)) };
    },
    async restore(tree, paths) {
      treeName(tree);
      const now = await take();
      return { restored: now.tree === tree ? [] : await restorePaths(shadow, now.tree, tree, paths) };
    },
    earlier: (from, to) => earlierFiles(shadow, treeName(from), treeName(to)),
    async read(tree, path) {
      const { code, out } = await shadow.tryGit([
        "cat-file",
        "blob",
        `${treeName(tree)}:${path.replace(/^(\.\/)+/, "")}`,
      ]);
      return code === 0 ? out : undefined;
    },
  };
}

interface TakenSnapshot {
  tree: string;
  leftOut: Survey["leftOut"];
}

/** A broken index is only a lost cache: once, everything is read anew. */
async function takeSnapshot(shadow: Shadow, options: SnapshotOptions): Promise<TakenSnapshot> {
  shadow.refreshIgnores();
  const first = await shadow.withIndex((indexFile) => staged(shadow, indexFile, options));
  const taken = first ?? (await shadow.withIndex((indexFile) => staged(shadow, indexFile, options, true), true));
  if (!taken)
    throw snapshotFailed({ code: 1, out: Buffer.alloc(0), err: "the files change faster than they can be read" });
  keepLeftOut(shadow.gitDir, taken.tree, taken.leftOut.keys());
  return taken;
}

/** Undefined when git did not accept the index, unless this is the `last` try. */
async function staged(
  shadow: Shadow,
  indexFile: string,
  options: SnapshotOptions,
  last = false,
): Promise<TakenSnapshot | undefined> {
  const place = { workspace: shadow.workspace, indexFile };
  let avoided: ReadonlySet<RawPath> | undefined;
  let exit: GitExit | undefined;
  for (let round = 0; round < 2; round += 1) {
    const differing = last
      ? await differingPaths(shadow, indexFile, options.largeFrom)
      : await seededAndDiffering(shadow, indexFile, options);
    if (!differing.paths) {
      if (last) throw snapshotFailed(differing.exit, shadow.gitDir);
      return undefined;
    }
    // In the second round, what git could not add in the first stays out.
    const unreadable = avoided ? differing.paths.difference(avoided) : new Set<RawPath>();
    const found = survey(place, differing.paths, unreadable, roomOf(shadow, options));
    if (found.outdated.length > 0) {
      const input = Buffer.concat(found.outdated.map((each) => rawBytes(`${each}\0`)));
      await shadow.git(["update-index", "--force-remove", "-z", "--stdin"], { indexFile, input });
    }
    if (!found.changed && found.tree !== undefined) return { tree: found.tree, leftOut: found.leftOut };
    const quick = !differing.newFolders && found.avoid.length === 0 && quickTree(shadow, found.base, differing.paths);
    if (quick) return { tree: quick, leftOut: found.leftOut };
    exit = found.changed
      ? await addAndWrite(shadow, indexFile, {
          found,
          paths: differing.paths,
          large: isLarge(indexFile, options.largeFrom),
        })
      : await shadow.tryGit(writeTree, { indexFile });
    if (exit.code === 0) {
      const tree = exit.out.toString("latin1").trim();
      if (differing.farFromHead) setHead(shadow.gitDir, tree);
      return { tree, leftOut: found.leftOut };
    }
    avoided = new Set(found.avoid);
  }
  if (last && exit) throw snapshotFailed(exit, shadow.gitDir);
  return undefined;
}

/** Where so many differ, the person's repository may know them: after a checkout, or at the first checkpoint. */
const manyDiffering = 1000;

async function seededAndDiffering(shadow: Shadow, indexFile: string, { seedFrom, largeFrom }: SnapshotOptions) {
  const isNew = !existsSync(indexFile);
  if (isNew) await seedIndex(shadow, indexFile, { newer: false, atLeast: seedFrom });
  const differing = await differingPaths(shadow, indexFile, largeFrom);
  if (isNew || (differing.paths && differing.paths.size < (seedFrom ?? manyDiffering))) return differing;
  const again = await seedIndex(shadow, indexFile, { newer: true, atLeast: seedFrom });
  return again ? differingPaths(shadow, indexFile, largeFrom) : differing;
}

/** What was taken over from the person's repository is not counted. */
function roomOf(shadow: Shadow, { maxBytes, maxFiles }: Limits): Limits {
  const { bytes, files } = seededBefore(shadow);
  return { maxBytes: maxBytes + bytes, maxFiles: maxFiles + files };
}

const writeTree = ["write-tree"];

/** Answers the tree after all that differs was added. Fails when something of it could not be read. */
async function addAndWrite(
  shadow: Shadow,
  indexFile: string,
  { found, paths, large }: { found: Survey; paths: ReadonlySet<RawPath>; large: boolean },
): Promise<GitExit> {
  const always = ["add", "--all", "--ignore-errors"];
  const more = { indexFile, next: writeTree };
  if (large) {
    // git would look at all files again. What it does not like here (a link in place of a folder) it takes below.
    const wanted = paths.difference(new Set(found.avoid));
    const input = Buffer.concat([...wanted].map((each) => rawBytes(`${each}\0`)));
    const exit = await shadow.tryGit(["update-index", "--add", "--remove", "--replace", "-z", "--stdin"], {
      ...more,
      input,
    });
    if (exit.code === 0) return exit;
  }
  if (found.avoid.length === 0) return shadow.tryGit([...always, "--", "."], more);
  const excluded = found.avoid.map((each) => rawBytes(`:(exclude,literal,top)${each.replace(/\/$/, "")}\0`));
  const input = Buffer.concat([Buffer.from(".\0"), ...excluded]);
  return shadow.tryGit([...always, "--pathspec-from-file=-", "--pathspec-file-nul"], { ...more, input });
}

async function differences(shadow: Shadow, from: string, to: string, renames: string): Promise<Diff> {
  if (treeName(from) === treeName(to)) return { files: [] };
  return { files: parseDiff(await shadow.git(["diff-tree", "-r", "--raw", "--numstat", "-p", renames, from, to])) };
}

/** A tree is named by its digest only: anything else could be read as an option or as a path. */
function treeName(tree: string): string {
  if (/^[0-9a-f]{40,64}$/.test(tree)) return tree;
  throw snapshotFailed({ code: 1, out: Buffer.alloc(0), err: `${JSON.stringify(tree)} is no checkpoint` });
}
