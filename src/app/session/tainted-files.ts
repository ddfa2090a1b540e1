// The project's record of files that tainted sessions wrote. Cheap while there are none: one query for a call that reads.
import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import path from "node:path";
import type { TaintedFiles } from "../../guard/contract/ports.ts";
import { statsOf } from "../../io/files/regular.ts";
import { anyTainted, forgetTainted, isTainted, markTainted, taintedPaths } from "../../io/store/tainted.ts";
import type { Program } from "../program/program.ts";

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const longestDigested = 8 * 1024 * 1024;
const longestCompared = 100_000;
const mostCompared = 500;
const shortestLine = 8;
/** Stands for the digest of a file that is too long for one: it is known by its path only. */
const undigested = "-";

/** The beginning of a regular file. A pipe that was put in its place would never end, and is not opened to wait. */
function beginningOf(file: string, most: number): Buffer | undefined {
  if (statsOf(file)?.isFile() !== true) return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    // Gone meanwhile, or not ours to read.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stats.size, most));
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined for what is no file of a size that is worth reading again. */
function digestOf(file: string): string | undefined {
  const bytes = beginningOf(file, longestDigested + 1);
  return bytes && bytes.length <= longestDigested ? sha256(bytes) : undefined;
}

/** Whether `text` shows any of the file's lines: a listing that only names it does not. */
function sharesLine(file: string, text: string): boolean {
  const lines = (beginningOf(file, longestCompared)?.toString("utf8") ?? "").split("\n", mostCompared);
  return lines.some((line) => line.trim().length >= shortestLine && text.includes(line.trim()));
}

export function taintedFiles(program: Program): TaintedFiles {
  const { database } = program.kept();
  const shown = (file: string) => path.relative(program.workspace, file) || file;
  const taints = (file: string) => isTainted(database, sha256(file), digestOf(file) ?? "");
  const quoted = (folder: string, text: string): string | undefined =>
    taintedPaths(database)
      .slice(0, mostCompared)
      .find((file) => file.startsWith(`${folder}${path.sep}`) && taints(file) && sharesLine(file, text));
  return {
    among(paths, text) {
      if (!anyTainted(database)) return undefined;
      for (const each of paths) {
        const isFolder = statsOf(each)?.isDirectory() === true;
        const found = isFolder ? quoted(each, text) : taints(each) ? each : undefined;
        if (found !== undefined) return shown(found);
      }
      return undefined;
    },
    add(paths) {
      for (const file of paths) {
        if (statsOf(file)?.isFile() !== true) continue;
        const digest = digestOf(file) ?? undigested;
        markTainted(database, { key: sha256(file), path: program.incognito ? null : file, digest }, Date.now());
      }
    },
    forget(paths) {
      if (anyTainted(database)) for (const file of paths) forgetTainted(database, sha256(file));
    },
  };
}
