// The project's record of files that tainted sessions wrote. Cheap while there are none: one query for a call that reads.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { TaintedFiles } from "../guard/ports.ts";
import { anyTainted, forgetTainted, isTainted, markTainted, taintedPaths } from "../io/store/tainted.ts";
import type { Program } from "./program.ts";

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const longestDigested = 8 * 1024 * 1024;
const mostCompared = 500;
const shortestLine = 8;

/** Undefined for what is no file of a size that is worth reading again. */
function digestOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= longestDigested ? sha256(readFileSync(file)) : undefined;
}

/** Whether `text` shows any of the file's lines: a listing that only names it does not. */
function sharesLine(file: string, text: string): boolean {
  const lines = readFileSync(file, "utf8").slice(0, 100_000).split("\n", mostCompared);
  return lines.some((line) => line.trim().length >= shortestLine && text.includes(line.trim()));
}

export function taintedFiles(program: Program): TaintedFiles {
  const { database } = program.kept();
  const shown = (file: string) => path.relative(program.workspace, file) || file;
  const taints = (file: string) => isTainted(database, sha256(file), digestOf(file) ?? "-");
  const quoted = (folder: string, text: string): string | undefined =>
    taintedPaths(database)
      .slice(0, mostCompared)
      .find((file) => file.startsWith(`${folder}${path.sep}`) && taints(file) && sharesLine(file, text));
  return {
    among(paths, text) {
      if (!anyTainted(database)) return undefined;
      for (const each of paths) {
        const isFolder = statSync(each, { throwIfNoEntry: false })?.isDirectory() === true;
        const found = isFolder ? quoted(each, text) : taints(each) ? each : undefined;
        if (found !== undefined) return shown(found);
      }
      return undefined;
    },
    add(paths) {
      for (const file of paths) {
        const digest = digestOf(file);
        if (digest !== undefined)
          markTainted(database, { key: sha256(file), path: program.incognito ? null : file, digest }, Date.now());
      }
    },
    forget(paths) {
      if (anyTainted(database)) for (const file of paths) forgetTainted(database, sha256(file));
    },
  };
}
