// The outline of a project for a model, within a budget: its sources by folder, each with what it exports.
import path from "node:path";
import type { MapFile } from "../../protocol/project-map.ts";

export interface Outline {
  text: string;
  /** Source files in it, and all that there are. */
  shown: number;
  all: number;
}

const mostNames = 8;

/** The most imported files first where not all fit; told in the order of their paths. */
export function outlineOf(files: readonly MapFile[], mostBytes: number): Outline {
  const sources = files.filter(({ kind, lines }) => kind === "source" && lines > 0);
  const users = new Map<string, number>();
  for (const { imports } of files) for (const target of imports) users.set(target, (users.get(target) ?? 0) + 1);
  const ranked = sources.toSorted(
    (a, b) => (users.get(b.path) ?? 0) - (users.get(a.path) ?? 0) || (a.path < b.path ? -1 : 1),
  );
  const kept: MapFile[] = [];
  const folders = new Set<string>();
  let left = mostBytes;
  for (const file of ranked) {
    const folder = path.posix.dirname(file.path);
    const own = Buffer.byteLength(lineOf(file)) + 1 + (folders.has(folder) ? 0 : Buffer.byteLength(folder) + 2);
    if (own > left) continue;
    left -= own;
    folders.add(folder);
    kept.push(file);
  }
  const byFolder = Map.groupBy(
    kept.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    ({ path: file }) => path.posix.dirname(file),
  );
  const lines = [...byFolder].flatMap(([folder, own]) => [`${flat(folder)}/`, ...own.map(lineOf)]);
  return { text: lines.join("\n"), shown: kept.length, all: sources.length };
}

const flat = (text: string): string => text.replace(/[\r\n\t]/g, "?");

function lineOf({ path: file, exports }: MapFile): string {
  const names = exports.slice(0, mostNames).map(({ name }) => name);
  const more = exports.length > mostNames ? " …" : "";
  return ` ${flat(path.posix.basename(file))}${names.length === 0 ? "" : ` ${flat(names.join(" "))}${more}`}`;
}
