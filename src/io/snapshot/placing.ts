// Puts one path of the workspace in its place or takes it away, below folders that are really folders of the workspace.
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { noteDraft } from "../files/drafts.ts";
import { type RawPath, rawBytes, shown } from "./raw-path.ts";

/** Why a path could not be put back, as a clause for a person. */
export class Obstacle extends Error {}

const slash = Buffer.from("/");
const join = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, slash, name]);

/** git modes: 100644, 100755, 120000 (a link, whose target is the content). */
export function place(workspace: string, raw: RawPath, mode: string, content: Buffer): void {
  inParent(workspace, raw, true, (parent, name) => {
    const target = join(parent, name);
    const draftName = `.fettle-restore-${randomBytes(6).toString("hex")}`;
    const draft = join(parent, Buffer.from(draftName));
    const gone = noteDraft(path.join(workspace, path.dirname(shown(raw)), draftName));
    const existing = lstatSync(target, { throwIfNoEntry: false });
    if (existing?.isDirectory()) removeEmpty(target);
    try {
      if (mode === "120000") symlinkSync(content, draft);
      else writeFile(draft, content, permissions(mode, existing?.isFile() ? existing.mode : 0o644));
      renameSync(draft, target);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    } finally {
      gone();
    }
  });
}

/** Folders that become empty go too. What is no file or link any more stays. */
export function remove(workspace: string, raw: RawPath): void {
  const done = inParent(workspace, raw, false, (parent, name) => {
    const target = join(parent, name);
    const existing = lstatSync(target, { throwIfNoEntry: false });
    if (existing && !existing.isDirectory()) unlinkSync(target);
  });
  if (done) removeEmptyParents(workspace, raw);
}

function writeFile(file: Buffer, content: Buffer, mode: number): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const descriptor = openSync(file, flags, 0o600);
  try {
    writeFileSync(descriptor, content);
    fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Who may read it may also run it. */
function permissions(mode: string, base: number): number {
  const readers = base & 0o777 & ~0o111;
  return mode === "100755" ? readers | ((readers & 0o444) >> 2) : readers;
}

/** Answers false when a parent folder is missing and none shall be made. */
function inParent(
  workspace: string,
  raw: RawPath,
  make: boolean,
  body: (parent: Buffer, name: Buffer) => void,
): boolean {
  const parts = raw.split("/");
  const name = rawBytes(parts.pop() ?? "");
  let folder: Buffer = Buffer.from(workspace);
  for (const part of parts) {
    folder = join(folder, rawBytes(part));
    const facts = lstatSync(folder, { throwIfNoEntry: false });
    if (!facts && !make) return false;
    if (!facts) mkdirSync(folder);
    else if (!facts.isDirectory()) throw new Obstacle("something that is no folder stands where its folder should be");
  }
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    body(pinned(descriptor, folder), name);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/** A way to the folder that nobody can bend by exchanging one of its parents for a link. */
function pinned(descriptor: number, folder: Buffer): Buffer {
  const link = `/proc/self/fd/${descriptor}`;
  if (!existsSync("/proc/self/fd")) return folder;
  if (!readlinkSync(link, { encoding: "buffer" }).equals(folder))
    throw new Obstacle("its folder was exchanged meanwhile");
  return Buffer.from(link);
}

function removeEmpty(folder: Buffer): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
    throw new Obstacle("a folder with other files stands in its place");
  }
}

function removeEmptyParents(workspace: string, raw: RawPath): void {
  for (let end = raw.lastIndexOf("/"); end > 0; end = raw.lastIndexOf("/", end - 1)) {
    try {
      rmdirSync(join(Buffer.from(workspace), rawBytes(raw.slice(0, end))));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (["ENOTEMPTY", "ENOENT", "EEXIST", "EBUSY", "ENOTDIR"].includes(code)) return;
      throw error;
    }
  }
}
