// The files that a check names: whoever may change those can make it pass.
import path from "node:path";
import { references } from "../../../../base/references.ts";
import { justfiles, justLines, makefiles, makeLines } from "../../../../guard/programs/packages/makefile.ts";
import { argumentsOf } from "../../../../guard/matching/words.ts";
import { withScripts } from "../../../../work/task/checks/sources/package-scripts.ts";

/** Of a file in the workspace, by its path from there; undefined where there is no such file. */
type TextOf = (name: string) => Promise<string | undefined>;

interface Line {
  /** From the top of the workspace; empty for that. */
  folder: string;
  command: string;
}

const mostLines = 60;
const mostFolders = 100;

/**
 * By their paths from the top: those in the command itself, and in what the scripts of package.json and the recipes of make
 * and just stand for, there and in folders that it names (`cd web && npm test`). Files that those in turn read are the work.
 */
export async function filesNamedBy(command: string, textOf: TextOf): Promise<Set<string>> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const open: Line[] = [{ folder: "", command }];
  for (let line = open.shift(); line && seen.size < mostLines; line = open.shift()) {
    const key = JSON.stringify(line);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const name of references(line.command)) found.add(path.posix.join(line.folder, name));
    open.push(...(await standsFor(line, textOf)));
  }
  return found;
}

async function standsFor({ folder, command }: Line, textOf: TextOf): Promise<Line[]> {
  const words = (argumentsOf(command) ?? []).filter((word) => word !== undefined);
  const folders = words.filter((word) => /^\w[\w./-]*$/.test(word)).map((word) => path.posix.join(folder, word));
  const within = folders.filter((place) => place !== ".." && !place.startsWith("../"));
  const lines: Line[] = [];
  for (const place of [...new Set([folder, ...within])].slice(0, mostFolders)) {
    const asked: Within = { place, command, words, first: (names) => firstText(place, names, textOf) };
    const stood = [...(await scripts(asked)), ...(await recipes(asked))];
    lines.push(...stood.map((each) => ({ folder: place, command: each })));
  }
  return lines;
}

interface Within {
  place: string;
  command: string;
  words: readonly string[];
  first(names: readonly string[]): Promise<string | undefined>;
}

async function firstText(place: string, names: readonly string[], textOf: TextOf): Promise<string | undefined> {
  for (const name of names) {
    const text = await textOf(path.posix.join(place, name));
    if (text !== undefined) return text;
  }
  return undefined;
}

async function scripts({ command, first }: Within): Promise<string[]> {
  if (!/\b(?:npm|pnpm|yarn|bun)\b/.test(command)) return [];
  return withScripts([command], await first(["package.json"])).filter((each) => each !== command);
}

async function recipes({ words, first }: Within): Promise<string[]> {
  const at = words.findIndex((word) => /^(?:g?make|just)$/.test(path.posix.basename(word)));
  if (at < 0) return [];
  const just = words[at]?.endsWith("just") === true;
  const text = await first(just ? justfiles : makefiles);
  if (text === undefined) return [];
  const targets = words.slice(at + 1);
  return (just ? justLines : makeLines)(text, targets).lines;
}
