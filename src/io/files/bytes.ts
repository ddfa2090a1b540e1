// Reading and changing files so that a link swapped in at any moment cannot lead out of the allowed root.
import { randomBytes } from "node:crypto";
import fs, { constants, type Dirent, lstatSync, renameSync, type Stats, unlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { noteDraft } from "./drafts.ts";
import { checkPlace, OpenFolder, openParent } from "./folder.ts";
import { fileProblem, FileProblem, shown } from "./problem.ts";
import type { Entry, FileBytes } from "./spec.ts";

/** More than this is not read in one piece; a range reads any file. */
const wholeFileLimit = 512 * 1024 * 1024;

/** A piece of this size is read or written faster than a thread can be asked to. */
const atOnceLimit = 1024 * 1024;

const readLater = promisify(fs.read);
const writeLater = promisify(fs.write);
const flushLater = promisify(fs.fsync);
const turnLater = promisify(setImmediate);

/** Reads a regular file at a real path. Rejects with FileProblem. */
export async function readBytes(file: string, range: { offset?: number; limit?: number } = {}): Promise<FileBytes> {
  try {
    // O_NONBLOCK: a named pipe must not hang the open.
    const descriptor = fs.openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await readOpened(descriptor, file, range);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    throw fileProblem(error, file);
  }
}

async function readOpened(
  descriptor: number,
  file: string,
  range: { offset?: number; limit?: number },
): Promise<FileBytes> {
  const stats = fs.fstatSync(descriptor);
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? "a folder" : "not a regular file";
    throw new FileProblem("not-a-file", `${shown(file)} is ${what}.`);
  }
  checkPlace(descriptor, file);
  const offset = Math.max(0, range.offset ?? 0);
  const wanted = Math.min(range.limit ?? Number.POSITIVE_INFINITY, Math.max(0, stats.size - offset));
  if (wanted > wholeFileLimit) {
    throw new FileProblem("too-large", `${shown(file)} has ${stats.size} bytes; read a part of it.`);
  }
  const bytes = new Uint8Array(wanted);
  let filled = 0;
  while (filled < wanted) {
    const count = await readPiece(descriptor, bytes, filled, offset);
    if (count === 0) break;
    filled += count;
  }
  return { bytes: bytes.subarray(0, filled), size: stats.size, mtimeMs: stats.mtimeMs };
}

async function readPiece(descriptor: number, bytes: Uint8Array, filled: number, offset: number): Promise<number> {
  const length = bytes.length - filled;
  if (length <= atOnceLimit) return fs.readSync(descriptor, bytes, filled, length, offset + filled);
  return (await readLater(descriptor, bytes, filled, length, offset + filled)).bytesRead;
}

function existing(folder: OpenFolder, name: string): Stats | undefined {
  return lstatSync(folder.entry(name), { throwIfNoEntry: false });
}

function refuseAllButFiles(stats: Stats, file: string): void {
  if (stats.isSymbolicLink()) {
    throw new FileProblem("outside", `${shown(file)} is a link; name the place it leads to.`);
  }
  if (!stats.isFile()) {
    throw new FileProblem(
      "not-a-file",
      `${shown(file)} is ${stats.isDirectory() ? "a folder" : "not a regular file"}.`,
    );
  }
}

/**
 * Replaces or creates a file in one step; makes missing folders; keeps mode and owner, or gives it `mode`. With
 * `flush: false` the caller brings it to the disk: until then a loss of power may leave a new file empty. Rejects with
 * FileProblem.
 */
export async function writeAtomic(
  file: string,
  content: Uint8Array | string,
  options: { root: string; mode?: number; flush?: boolean },
): Promise<void> {
  let opened: { folder: OpenFolder; name: string } | undefined;
  let temporary: string | undefined;
  let gone: (() => void) | undefined;
  try {
    opened = openParent(file, options.root, true);
    const { folder, name } = opened;
    const before = existing(folder, name);
    if (before) refuseAllButFiles(before, file);
    const draft = `.fettle-${randomBytes(6).toString("hex")}`;
    gone = noteDraft(path.join(folder.path, draft));
    temporary = folder.entry(draft);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const descriptor = fs.openSync(temporary, flags, before ? before.mode & 0o777 : 0o666);
    try {
      await writeAll(descriptor, typeof content === "string" ? Buffer.from(content) : content);
      if (before) keepIdentity(descriptor, before);
      if (options.mode !== undefined) fs.fchmodSync(descriptor, options.mode);
      if (options.flush !== false) await flushLater(descriptor);
      // Whoever wants to stop a run of many files is heard between them.
      else await turnLater();
    } finally {
      fs.closeSync(descriptor);
    }
    renameSync(temporary, folder.entry(name));
    temporary = undefined;
  } catch (error) {
    if (temporary) discard(temporary);
    throw fileProblem(error, file);
  } finally {
    gone?.();
    opened?.folder.close();
  }
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const length = bytes.length - written;
    written +=
      length <= atOnceLimit
        ? fs.writeSync(descriptor, bytes, written, length)
        : (await writeLater(descriptor, bytes, written, length)).bytesWritten;
  }
}

function keepIdentity(descriptor: number, before: Stats): void {
  const stats = fs.fstatSync(descriptor);
  if (process.getuid?.() === 0 && (stats.uid !== before.uid || stats.gid !== before.gid)) {
    fs.fchownSync(descriptor, before.uid, before.gid);
  }
  if ((stats.mode & 0o777) !== (before.mode & 0o777)) fs.fchmodSync(descriptor, before.mode & 0o777);
}

function discard(temporary: string): void {
  if (lstatSync(temporary, { throwIfNoEntry: false })) unlinkSync(temporary);
}

/** Removes a file or a link (never what the link leads to). Rejects with FileProblem. */
export async function removeFile(file: string, options: { root: string }): Promise<void> {
  let opened: { folder: OpenFolder; name: string } | undefined;
  try {
    opened = openParent(file, options.root, false);
    const stats = lstatSync(opened.folder.entry(opened.name));
    if (stats.isDirectory()) throw new FileProblem("not-a-file", `${shown(file)} is a folder.`);
    unlinkSync(opened.folder.entry(opened.name));
  } catch (error) {
    throw fileProblem(error, file);
  } finally {
    opened?.folder.close();
  }
}

/** Moves a file to a name that is free; makes missing folders. Rejects with FileProblem. */
export async function moveFile(from: string, to: string, options: { root: string }): Promise<void> {
  const held: OpenFolder[] = [];
  const hold = (file: string, make: boolean) => {
    const opened = openParent(file, options.root, make);
    held.push(opened.folder);
    return opened;
  };
  let about = from;
  try {
    const source = hold(from, false);
    lstatSync(source.folder.entry(source.name));
    about = to;
    const target = hold(to, true);
    if (existing(target.folder, target.name)) throw new FileProblem("exists", `${shown(to)} exists already.`);
    about = from;
    renameSync(source.folder.entry(source.name), target.folder.entry(target.name));
  } catch (error) {
    throw fileProblem(error, about);
  } finally {
    for (const folder of held) folder.close();
  }
}

const kindOf = (entry: Dirent | Stats): Entry["kind"] =>
  entry.isFile() ? "file" : entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "other";

/** Entries of a folder at a real path, sorted by name. Rejects with FileProblem. */
export async function listFolder(real: string): Promise<Entry[]> {
  let folder: OpenFolder | undefined;
  try {
    folder = OpenFolder.open(real);
    const opened = folder;
    const entries = (await readdir(opened.entry("."), { withFileTypes: true })).map((entry): Entry => {
      const kind = kindOf(entry);
      const stats = kind === "file" ? existing(opened, entry.name) : undefined;
      return { name: entry.name, kind: stats ? kindOf(stats) : kind, size: stats?.size ?? 0 };
    });
    return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch (error) {
    throw folderProblem(real) ?? fileProblem(error, real);
  } finally {
    folder?.close();
  }
}

/** The system answers the same for a file and for a link in the place of a folder. */
function folderProblem(real: string): FileProblem | undefined {
  const stats = lstatSync(path.resolve(real), { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) {
    return new FileProblem("outside", `${shown(real)} is a link; name the place it leads to.`);
  }
  return stats?.isFile() ? new FileProblem("not-a-folder", `${shown(real)} is a file, not a folder.`) : undefined;
}
