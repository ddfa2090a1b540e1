// A skill's folder: SKILL.md, and the files that it may send a model to.
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";
import { readBytes } from "../../io/files/bytes.ts";
import { FileProblem } from "../../io/files/problem.ts";

export const skillMost = { skillBytes: 128 * 1024, files: 1_000, bytes: 32 * 1024 * 1024, fileBytes: 256 * 1024 };

/** Files below the folder, sorted, relative to it. */
export interface SkillFolder {
  files: string[];
  scripts: string[];
}

const scriptNames = /\.(sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|php|lua|go|r|ps1)$/i;

/** Follows no link but to say where it leads. `problem`: one clause. */
export function lookInto(folder: string): SkillFolder | { problem: string } {
  const files: string[] = [];
  const scripts: string[] = [];
  let bytes = 0;
  const waiting = [""];
  for (const inner of waiting) {
    const names = withFallback([], systemError, () => readdirSync(path.join(folder, inner))).toSorted();
    for (const name of names) {
      const file = path.join(inner, name);
      const full = path.join(folder, file);
      const stats = lstatSync(full, { throwIfNoEntry: false });
      if (!stats || name === ".git" || name === "node_modules") continue;
      if (stats.isSymbolicLink()) {
        const real = withFallback("nowhere", systemError, () => realpathSync(full));
        if (!real.startsWith(`${folder}${path.sep}`)) return { problem: `has a link that leads out of it (${file})` };
      } else if (stats.isDirectory()) waiting.push(file);
      else if (!stats.isFile()) return { problem: `holds ${file}, which is no regular file` };
      else {
        bytes += stats.size;
        if (!/^skill\.md$/i.test(file)) files.push(file);
        if (scriptNames.test(name) || (stats.mode & 0o111) !== 0) scripts.push(file);
      }
    }
    if (files.length > skillMost.files) return { problem: `holds more than ${skillMost.files} files` };
    if (bytes > skillMost.bytes) return { problem: "holds more than 32 MB" };
  }
  return { files: files.toSorted(), scripts: scripts.toSorted() };
}

/** `folder` is a real path: a link on the way to the file is refused. */
export async function textIn(folder: string, file: string, most: number): Promise<string | { problem: string }> {
  try {
    const { bytes, size } = await readBytes(path.join(folder, file), { limit: most + 1 });
    if (size > most) return { problem: `has a ${file} of ${size} bytes; ${most} are allowed` };
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return { problem: `has a ${file} that is no UTF-8 text` };
    if (!(error instanceof FileProblem)) throw error;
    return {
      problem: error.code === "missing" ? `has no ${file}` : `has a ${file} that cannot be read (${error.code})`,
    };
  }
}
