// The map of the workspace, and the documents that are written from it.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../../base/fault.ts";
import { listFolder, readBytes, writeAtomic } from "../../../io/files/bytes.ts";
import { FileProblem } from "../../../io/files/problem.ts";
import type { CodeIndex } from "../../../memory/index/code-index.ts";
import type { CodebaseSource } from "../../../memory/map/codebase.ts";
import { documentMark, documentsOf } from "../../../memory/map/documents/all.ts";
import { foldersOf, summaryOf } from "../../../memory/map/folders.ts";
import { pageOf, script } from "../../../memory/map/page.ts";
import { pictureOf } from "../../../memory/map/picture.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { MapDocument, MapQuestions, ProjectMap } from "../../../protocol/project-map.ts";
import { withLedger } from "../../record/audit.ts";
import { callerOf } from "../../program/caller.ts";
import { codeIndex } from "../../program/code-index.ts";
import type { Program } from "../../program/program.ts";

const mostFolders = 60;
const mostDocument = 4 * 1024 * 1024;

async function fresh(program: Program): Promise<CodeIndex> {
  const index = await codeIndex(program);
  await index.update();
  return index;
}

export async function projectMap(program: Program): Promise<ProjectMap> {
  const files = (await fresh(program)).map();
  const folders = foldersOf(files, mostFolders).map((folder) => ({
    ...{ name: folder.name, files: folder.files.length, lines: folder.lines },
    summary: summaryOf(folder)?.summary ?? "",
    imports: [...folder.imports].toSorted((a, b) => b[1] - a[1]).map(([to]) => to),
  }));
  return { root: program.workspace, folders, files };
}

export async function mapPicture(program: Program, { form }: MapQuestions["map.picture"]["ask"]) {
  const files = (await fresh(program)).map();
  const title = path.basename(program.workspace);
  if (form === "svg") return { text: pictureOf(files, title) };
  return { text: pageOf(files, title, createHash("sha256").update(script).digest("base64")) };
}

async function written(program: Program): Promise<MapDocument[]> {
  const index = await fresh(program);
  const source: CodebaseSource = {
    map: () => index.map(),
    textOf: (file) => index.textOf(file),
    pathsWith: (words) => index.pathsWith(words),
    hiddenSettings: () => hiddenSettings(program.workspace),
  };
  return documentsOf(source);
}

/** The index leaves out what begins with a dot; which of these are settings is for the documents to say. */
async function hiddenSettings(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ["", ".github/workflows", ".circleci"])
    try {
      for (const { name, kind } of await listFolder(path.join(root, folder)))
        if (kind === "file" && (folder !== "" || name.startsWith("."))) found.push(path.posix.join(folder, name));
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
    }
  return found.toSorted();
}

export async function documents(
  program: Program,
  { folder }: MapQuestions["map.documents"]["ask"],
): Promise<MapQuestions["map.documents"]["answer"]> {
  const made = await written(program);
  const kept: string[] = [];
  if (folder !== undefined)
    for (const { name } of made) if (await isOwn(path.resolve(program.cwd, folder, name))) kept.push(name);
  return { documents: made, kept };
}

/** Whether somebody else has written it. */
async function isOwn(file: string): Promise<boolean> {
  try {
    return !new TextDecoder().decode((await readBytes(file, { limit: mostDocument })).bytes).includes(documentMark);
  } catch (error) {
    if (error instanceof FileProblem) return error.code !== "missing";
    throw error;
  }
}

/** The folder, or what of its path there is already. */
const standing = (folder: string): string => (existsSync(folder) ? folder : standing(path.dirname(folder)));

/** Rejects with a Fault. */
export async function writeDocuments(program: Program, given: string): Promise<void> {
  const folder = path.resolve(program.cwd, given);
  const made = await written(program);
  const files: string[] = [];
  try {
    for (const { name, text } of made) {
      const file = path.join(folder, name);
      if (await isOwn(file)) continue;
      await writeAtomic(file, text, { root: standing(folder) });
      files.push(file);
    }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new Fault("map.unwritable", Exit.failed, error.message, "Name a folder that can be written.");
  } finally {
    if (files.length > 0)
      withLedger(program, (ledger) => ledger.note("map.written", { by: callerOf(program).name, files }));
  }
}
