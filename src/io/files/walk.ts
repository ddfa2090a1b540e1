// The own search engine, for machines without ripgrep: slower, same results.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { byName, type IgnoreRules } from "./ignored.ts";
import { FileProblem } from "./problem.ts";
import type { FileMatches } from "./ripgrep.ts";
import type { GrepMatch, GrepSpec } from "./spec.ts";

const largestFile = 200 * 1024 * 1024;
const patternPatienceMs = 3000;

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => byName(a.name, b.name));
  } catch {
    // A folder that may not be read has nothing to find.
    return [];
  }
}

/** Files below `start` in path order; links are not followed. */
export function* walk(root: string, start: string, rules: IgnoreRules): Generator<string> {
  for (const entry of entries(path.join(root, start))) {
    if (entry.name.startsWith(".")) continue;
    const relative = start === "" ? entry.name : `${start}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!rules.entry(relative, true)) yield* walk(root, relative, rules);
    } else if (entry.isFile() && !rules.entry(relative, false)) yield relative;
  }
}

/** Why an entry is not looked into. */
export type LeftOut = "git" | "ignored" | "link" | "other" | "unreadable";

/** Files below `start` in path order, hidden ones too, and what stands between them and is left out. */
export function* walkEverything(
  root: string,
  start: string,
  rules: IgnoreRules,
): Generator<{ path: string; out?: LeftOut }> {
  const folder = path.join(root, start);
  let found: ReturnType<typeof entries>;
  try {
    found = readdirSync(folder, { withFileTypes: true }).sort((a, b) => byName(a.name, b.name));
  } catch {
    yield { path: start, out: "unreadable" };
    return;
  }
  for (const entry of found) {
    const relative = start === "" ? entry.name : `${start}/${entry.name}`;
    const out = leftOut(entry, relative, rules);
    if (out) yield { path: entry.isDirectory() ? `${relative}/` : relative, out };
    else if (entry.isDirectory()) yield* walkEverything(root, relative, rules);
    else yield { path: relative };
  }
}

function leftOut(entry: ReturnType<typeof entries>[number], relative: string, rules: IgnoreRules): LeftOut | undefined {
  if (entry.name === ".git") return "git";
  if (entry.isSymbolicLink()) return "link";
  if (!entry.isDirectory() && !entry.isFile()) return "other";
  return rules.entry(relative, entry.isDirectory()) ? "ignored" : undefined;
}

function expression(spec: GrepSpec): RegExp {
  if (spec.fixed) return new RegExp(RegExp.escape(spec.pattern), spec.ignoreCase ? "iu" : "u");
  const inline = /^\(\?([ims]+)\)/.exec(spec.pattern);
  const source = spec.pattern.slice(inline?.[0].length ?? 0);
  const flags = [...new Set(`${inline?.[1] ?? ""}${spec.ignoreCase ? "i" : ""}`)].join("");
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return loose(source, flags);
  }
}

/** Without `u` JavaScript tolerates escapes that other dialects allow. */
function loose(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const reason = (error as Error).message.replace(/^Invalid regular expression: /, "");
    throw new FileProblem("bad-pattern", `The pattern is not a regular expression: ${reason}.`);
  }
}

/** Undefined for files that are not text. */
function textOf(file: string): string | undefined {
  try {
    const size = statSync(file).size;
    if (size > largestFile) return undefined;
    const bytes = readFileSync(file);
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
    return bytes.includes(0) ? undefined : new TextDecoder("utf-8").decode(bytes);
  } catch {
    // Unreadable, or gone since the folder was listed.
    return undefined;
  }
}

function matchesOf(file: string, text: string, spec: GrepSpec, matches: (line: string) => boolean): GrepMatch[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const plain = lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const hits = plain.flatMap((line, index) => (matches(line) ? [index] : []));
  const shown = new Map<number, boolean>();
  for (const hit of hits) {
    for (let at = Math.max(0, hit - spec.context); at <= Math.min(plain.length - 1, hit + spec.context); at++) {
      shown.set(at, shown.get(at) ?? false);
    }
    shown.set(hit, true);
  }
  return [...shown]
    .sort(([a], [b]) => a - b)
    .map(([index, hit]) => ({ path: file, line: index + 1, text: plain[index] ?? "", hit }));
}

/** A pattern can take for ever on one line; only the engine's own time limit can interrupt it. */
function limited<T>(work: () => T): T {
  try {
    return new vm.Script("work()").runInContext(vm.createContext({ work }), { timeout: patternPatienceMs }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new FileProblem("bad-pattern", "The pattern takes too long to match; make it simpler.");
  }
}

export function grepByWalk(
  search: { root: string; spec: GrepSpec; files: Iterable<string> },
  each: (file: FileMatches) => boolean,
): void {
  const pattern = expression(search.spec);
  for (const file of search.files) {
    const text = textOf(path.join(search.root, file));
    if (text === undefined) continue;
    const lines = limited(() => matchesOf(file, text, search.spec, (line) => pattern.test(line)));
    if (lines.length > 0 && !each({ path: file, lines })) return;
  }
}
