// The files that a scan looks through: named ones, and all below a folder.
import path from "node:path";
import { readBytes } from "../../../io/files/bytes.ts";
import { FileProblem } from "../../../io/files/problem.ts";
import { findEverything } from "../../../io/files/search.ts";
import type { ScannedFile } from "../../../protocol/query.ts";
import { factsOf } from "../../program/machine.ts";
import type { Program } from "../../program/program.ts";

/** A larger file is data of a program, not text that somebody wrote. */
const longest = 20_000_000;
const mostFiles = 50_000;

/** What was not looked at, and why. */
export type LeftOut = Pick<ScannedFile, "path" | "problem" | "skipped">;

export interface Scanning<T> {
  /** `file` is absolute; undefined for standard input. */
  look(shown: string, text: string, file?: string): T;
  leave(left: LeftOut): T;
}

/** Hidden files are looked at, too. What is ignored, binary, a link or git's own is told as skipped, unless it is named. */
export async function scanFiles<T>(
  program: Program,
  { paths, input }: { paths: string[]; input?: string },
  { look, leave }: Scanning<T>,
): Promise<T[]> {
  const facts = factsOf(program);
  const read = async (file: string): Promise<T> => {
    const shown = shownPath(file, program.cwd);
    const { bytes, size } = await readBytes(facts.path(file).real, { limit: longest });
    if (bytes.subarray(0, 8000).includes(0)) return leave({ path: shown, skipped: "binary" });
    if (size > longest) return leave({ path: shown, problem: "it is larger than 20 MB" });
    return look(shown, new TextDecoder().decode(bytes), file);
  };
  const found: T[] = [];
  for (const given of paths) {
    if (given === "-" && input !== undefined) {
      found.push(look("-", input));
      continue;
    }
    const below = await orProblem(given, async () => everythingBelow(program, given));
    if ("problem" in below) {
      found.push(leave(below));
      continue;
    }
    found.push(...below.leftOut.map(leave));
    for (const file of below.files) {
      const shown = shownPath(file, program.cwd);
      const scanned = await orProblem(shown, async () => ({ one: await read(file) }));
      found.push("problem" in scanned ? leave(scanned) : scanned.one);
    }
  }
  return found;
}

/** What cannot be read is told in its place, and the rest goes on. */
async function orProblem<T>(shown: string, work: () => Promise<T>): Promise<T | { path: string; problem: string }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { path: shown, problem: error.message };
  }
}

function everythingBelow({ workspace, cwd }: Program, given: string): { files: string[]; leftOut: LeftOut[] } {
  const { paths, out, more } = findEverything(workspace, path.resolve(cwd, given), mostFiles);
  const leftOut = out.map(({ path: relative, why }): LeftOut => {
    const shown = shownPath(path.resolve(workspace, relative), cwd) + (relative.endsWith("/") ? "/" : "");
    return why === "unreadable" ? { path: shown, problem: "the folder cannot be read" } : { path: shown, skipped: why };
  });
  if (more) leftOut.push({ path: given, problem: `only the first ${mostFiles} files are scanned` });
  return { files: paths.map((relative) => path.resolve(workspace, relative)), leftOut };
}

function shownPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith("..") ? file : relative;
}
