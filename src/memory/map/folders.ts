// The folders of a project, as far down as a reader follows: what lies in each, and which imports which.
import path from "node:path";
import type { MapFile } from "../../protocol/project-map.ts";

export interface MapFolder {
  name: string;
  files: MapFile[];
  lines: number;
  /** Folders that its files import, with how many imports. */
  imports: Map<string, number>;
}

/** Splits the largest folders as long as there are at most so many. Files above a split folder stay under its own name. */
export function foldersOf(files: readonly MapFile[], most: number): MapFolder[] {
  const split = new Set<string>([""]);
  const whole = new Set<string>();
  let names = namesAt(files, split);
  for (;;) {
    const sizes = new Map<string, number>();
    for (const [at, name] of names.entries())
      if (!whole.has(name) && !split.has(name) && deeper(files[at]?.path ?? "", name))
        sizes.set(name, (sizes.get(name) ?? 0) + 1);
    const [largest] = [...sizes].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (!largest) return joined(files, names);
    const tried = namesAt(files, split.union(new Set([largest[0]])));
    if (new Set(tried).size > most) whole.add(largest[0]);
    else {
      split.add(largest[0]);
      names = tried;
    }
  }
}

const deeper = (file: string, folder: string): boolean => path.posix.dirname(file).length > folder.length;

/** Of each file the folder that it counts to: the deepest below a split one. */
const namesAt = (files: readonly MapFile[], split: ReadonlySet<string>): string[] =>
  files.map(({ path: file }) => {
    const parts = path.posix.dirname(file).split("/");
    if (parts[0] === ".") return ".";
    let name = "";
    for (const part of parts) {
      if (!split.has(name)) break;
      name = name === "" ? part : `${name}/${part}`;
    }
    return name;
  });

function joined(files: readonly MapFile[], names: readonly string[]): MapFolder[] {
  const folderOf = new Map(files.map(({ path: file }, at) => [file, names[at] ?? "."]));
  const folders = new Map<string, MapFolder>();
  for (const [at, file] of files.entries()) {
    const name = names[at] ?? ".";
    const folder = folders.get(name) ?? { name, files: [], lines: 0, imports: new Map<string, number>() };
    folders.set(name, folder);
    folder.files.push(file);
    folder.lines += file.lines;
    for (const target of file.imports) {
      const other = folderOf.get(target);
      if (other !== undefined && other !== name) folder.imports.set(other, (folder.imports.get(other) ?? 0) + 1);
    }
  }
  for (const folder of folders.values()) folder.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...folders.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const beginning = /(?:^|\/)(?:README|index|mod|__init__|package-info|doc)\.\w+$/i;

/** What a folder is: its README or first file says so, else the file in it that most others import. */
export function summaryOf({ files, name }: MapFolder): { path: string; summary: string } | undefined {
  const told = files.filter(({ summary }) => summary.length > 11);
  const depth = (file: string) => file.split("/").length;
  const first = told
    .filter(({ path: file }) => beginning.test(file))
    .toSorted((a, b) => depth(a.path) - depth(b.path))
    .find(({ path: file }) => depth(file) <= depth(name) + 1);
  if (first) return first;
  const users = new Map<string, number>();
  for (const { imports } of files) for (const target of imports) users.set(target, (users.get(target) ?? 0) + 1);
  return told.toSorted((a, b) => (users.get(b.path) ?? 0) - (users.get(a.path) ?? 0))[0];
}

/** From what nothing imports down: a folder stands below whatever imports it; of a circle the arrow with fewer imports gives way. */
export function layersOf(folders: readonly MapFolder[]): MapFolder[][] {
  const byName = new Map(folders.map((folder) => [folder.name, folder]));
  const weight = (from: MapFolder, to: string) =>
    (from.imports.get(to) ?? 0) - (byName.get(to)?.imports.get(from.name) ?? 0);
  const depth = new Map<string, number>(folders.map(({ name }) => [name, 0]));
  for (let round = 0; round < folders.length; round++) {
    let moved = false;
    for (const folder of folders)
      for (const to of folder.imports.keys()) {
        const above = depth.get(folder.name) ?? 0;
        if (weight(folder, to) <= 0 || (depth.get(to) ?? 0) > above || above + 1 >= folders.length) continue;
        depth.set(to, above + 1);
        moved = true;
      }
    if (!moved) break;
  }
  const used = [...new Set(depth.values())].toSorted((a, b) => a - b);
  return used.map((level) => folders.filter(({ name }) => depth.get(name) === level));
}
