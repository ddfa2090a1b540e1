// Puts one thing that a run wrote into the workspace: below folders that are really folders of the workspace, each
// opened without following links, and nothing half written.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { isA, withFallback } from "../../base/fallback.ts";
import { removeFile as removeOne, writeAtomic } from "../files/bytes.ts";
import { type OpenFolder, openParent } from "../files/folder.ts";
import { fileProblem, FileProblem, shown } from "../files/problem.ts";
import { sealOf } from "./below.ts";
import { leadsInside, statsAt } from "./look.ts";
import type { Change } from "./spec.ts";

/**
 * Does in the workspace `root` what the run did in its layer. Answers what was to be deleted and was not, because somebody
 * put it there meanwhile. Rejects with a FileProblem.
 */
export async function applyChange(change: Change, root: string, options: ApplyOptions): Promise<string[]> {
  const { upper, whole, rights = false, flush = true } = options;
  const { path: at } = change;
  if (change.kind === "removed") {
    if (whole !== undefined) return removeWhole(root, at, whole);
    for (const file of change.files) await removeFile(root, file);
    if (change.before?.kind === "folder") removeEmptyFolder(root, at);
    return [];
  }
  refuseChanged(change, path.join(root, at));
  if (change.kind === "folder") await makeFolder(root, at);
  else if (change.kind === "link") await placeLink(root, at, change.target);
  else if (change.kind === "file")
    await placeFile(root, at, { from: path.join(upper, at), stats: change.stats, rights, flush });
  return [];
}

export interface ApplyOptions {
  /** Where the run wrote to. */
  upper: string;
  /**
   * What it deleted goes with all that lies in it, as it was judged and allowed: what lay there at this time (wall clock,
   * milliseconds). Undefined: only the files that the change names go.
   */
  whole?: number | undefined;
  /** All rights of a file are taken over, as they were what was asked for. */
  rights?: boolean;
  /** False: the caller flushes it, together with others (flush.ts). */
  flush?: boolean;
}

/** What stands there was looked at a moment ago; another run, or the person, may have been faster. */
function refuseChanged({ before, kind }: Change, target: string): void {
  const now = statsAt(target);
  const same = before && !before.kept ? now && sealOf(now) === before.seal : !now;
  if (!same && !(kind === "folder" && now?.isDirectory())) throw new Error("somebody else changed it meanwhile");
}

function removeWhole(root: string, at: string, since: number): string[] {
  const later: string[] = [];
  inParent(root, at, { make: false }, (folder, name) => removeUnlessLater(folder.entry(name), { at, since, later }));
  return later;
}

interface Removing {
  /** Relative to the workspace. */
  at: string;
  since: number;
  later: string[];
}

/** The clock of `since` has whole milliseconds, the file system's has parts of them. */
function removeUnlessLater(place: string, { at, since, later }: Removing): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isDirectory()) {
    if (Math.floor(stats.ctimeMs) > since) later.push(at);
    else rmSync(place, { force: true });
    return;
  }
  for (const name of readdirSync(place))
    removeUnlessLater(path.join(place, name), { at: `${at}/${name}`, since, later });
  removeIfEmpty(place);
}

/** With the folders in it, as long as they hold nothing. */
function removeEmptyFolder(root: string, at: string): void {
  inParent(root, at, { make: false }, (folder, name) => removeEmpty(folder.entry(name)));
}

function removeEmpty(folder: string): void {
  try {
    if (!lstatSync(folder).isDirectory()) return;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) removeEmpty(path.join(folder, entry.name));
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
  removeIfEmpty(folder);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    // It holds something that was not deleted.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

interface Written {
  from: string;
  stats: Stats;
  rights: boolean;
  flush: boolean;
}

async function placeFile(root: string, at: string, { from, stats, rights, flush }: Written): Promise<void> {
  const target = path.join(root, at);
  const descriptor = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error("it is no file any more");
    const mode = rights ? stats.mode & 0o777 : modeFor(stats, statsAt(target));
    await writeAtomic(target, readFileSync(descriptor), { root, mode, flush });
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Of a command that nobody knows to change rights only whether a file can be executed is taken over: a file that it put in
 * the place of another has the rights that new files have. A new file is nobody else's to write.
 */
function modeFor({ mode }: Stats, before: Stats | undefined): number {
  if (!before) return mode & 0o755;
  const readers = (before.mode & 0o444) >> 2;
  return (before.mode & 0o666) | (mode & 0o100 ? readers : 0);
}

const removeFile = (root: string, at: string): Promise<void> => removeOne(path.join(root, at), { root });

async function makeFolder(root: string, at: string): Promise<void> {
  inParent(root, at, { make: true }, (folder, name) => {
    const entry = folder.entry(name);
    if (!lstatSync(entry, { throwIfNoEntry: false })) mkdirSync(entry);
  });
}

/** Replaces a link; anything else in its place stays, and is told. */
async function placeLink(root: string, at: string, target: string): Promise<void> {
  if (!leadsInside(root, at, target)) throw new Error("it is a link that leads out of the workspace");
  inParent(root, at, { make: true }, (folder, name) => {
    const entry = folder.entry(name);
    const there = lstatSync(entry, { throwIfNoEntry: false });
    if (there && !there.isSymbolicLink()) throw new Error("something that is no link stands in its place");
    const draft = folder.entry(`.fettle-${randomBytes(6).toString("hex")}`);
    symlinkSync(target, draft);
    try {
      renameSync(draft, entry);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  });
}

/** A file that a program may be given to write to, made where it is missing. False when a link or a folder is in the way. */
export const ensureFile = (root: string, file: string): boolean =>
  withFallback(false, isA(FileProblem), () => {
    inParent(root, path.relative(root, file), { make: true }, (folder, name) => {
      const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
      const descriptor = openSync(folder.entry(name), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666);
      const whole = fstatSync(descriptor).isFile();
      closeSync(descriptor);
      if (!whole) throw new FileProblem("not-a-file", `${shown(file)} is not a regular file.`);
    });
    return true;
  });

function inParent(
  root: string,
  at: string,
  { make }: { make: boolean },
  work: (folder: OpenFolder, name: string) => void,
): void {
  const target = path.join(root, at);
  try {
    const { folder, name } = openParent(target, root, make);
    try {
      work(folder, name);
    } finally {
      folder.close();
    }
  } catch (error) {
    throw fileProblem(error, target);
  }
}
