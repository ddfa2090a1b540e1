// Removes drafts that a killed process has left beside the files it was writing.
import { lstatSync, readdirSync, readlinkSync, renameSync, unlinkSync } from "node:fs";
import path from "node:path";
import { keepDraftNotes } from "../files/drafts.ts";
import { OpenFolder } from "../files/folder.ts";
import { isLink, statsOf } from "../files/regular.ts";
import { FileProblem } from "../files/problem.ts";
import { leftBehind, ownedName } from "./owned-folders.ts";
import { makePrivateFolder } from "../places/places.ts";

const draftName = /^\.fettle-(?:restore-)?[0-9a-f]{12}$/;

/** Sweeps what the notes of ended processes name, and keeps notes there from now on. */
export function openDrafts(folder: string): void {
  // These notes are fettle's own and can be missed: what stands in their folder's place keeps no program from starting.
  if (isLink(folder) || (statsOf(folder) && !statsOf(folder)?.isDirectory()))
    renameSync(folder, `${folder}.broken-${Date.now()}`);
  makePrivateFolder(folder);
  for (const name of readdirSync(folder)) if (leftBehind(name)) sweep(path.join(folder, name));
  keepDraftNotes(folder, ownedName);
}

function sweep(note: string): void {
  try {
    const draft = readlinkSync(note);
    if (path.isAbsolute(draft) && draftName.test(path.basename(draft))) removeDraft(draft);
    unlinkSync(note);
  } catch (error) {
    // Another process sweeps, too, or the folder may not be written to: then it is tried again next time.
    if (!(error instanceof FileProblem) && !(error instanceof Error && "code" in error)) throw error;
  }
}

/** Whatever stands in the folder's place by now, no link is followed. */
function removeDraft(draft: string): void {
  let folder: OpenFolder;
  try {
    folder = OpenFolder.open(path.dirname(draft));
  } catch (error) {
    const gone = error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
    if (gone || error instanceof FileProblem) return;
    throw error;
  }
  try {
    const entry = folder.entry(path.basename(draft));
    const found = lstatSync(entry, { throwIfNoEntry: false });
    if (found?.isFile() || found?.isSymbolicLink()) unlinkSync(entry);
  } finally {
    folder.close();
  }
}
