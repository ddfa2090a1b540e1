// The folder of a plugin: what lies in it, within bounds, and the digest of all of it.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { sha256 } from "../../base/digest.ts";
import { systemError, withFallback } from "../../base/fallback.ts";

export const pluginMost = { files: 5_000, bytes: 64 * 1024 * 1024, depth: 16, manifestBytes: 256 * 1024 };

interface PluginFile {
  /** Relative to the folder, with `/`. */
  path: string;
  stats: Stats;
}

export interface PluginFiles {
  /** Sorted by path. */
  files: PluginFile[];
  /** Of sizes and times: as long as it is the same, nobody has touched a file. */
  seal: string;
}

/** Itself, and no link to one. */
export const isFolder = (place: string): boolean => lstatSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Follows no link but to say where it leads. `root`: a real path. `problem`: one clause. */
export function pluginFiles(root: string): PluginFiles | { problem: string } {
  const files: PluginFile[] = [];
  let bytes = 0;
  const waiting = [""];
  for (const inner of waiting) {
    for (const name of namesIn(path.join(root, inner))) {
      const file = inner === "" ? name : `${inner}/${name}`;
      const full = path.join(root, file);
      const stats = lstatSync(full, { throwIfNoEntry: false });
      if (!stats || name === ".git") continue;
      if (stats.isDirectory()) {
        if (file.split("/").length > pluginMost.depth)
          return { problem: `has folders that lie more than ${pluginMost.depth} deep (${file})` };
        waiting.push(file);
        continue;
      }
      if (stats.isSymbolicLink() && !leadsInside(root, full))
        return { problem: `has a link that leads out of it (${file})` };
      if (!stats.isSymbolicLink() && !stats.isFile()) return { problem: `holds ${file}, which is no regular file` };
      bytes += stats.isFile() ? stats.size : 0;
      files.push({ path: file, stats });
    }
    if (files.length > pluginMost.files) return { problem: `holds more than ${pluginMost.files} files` };
    if (bytes > pluginMost.bytes) return { problem: `holds more than ${pluginMost.bytes / 1024 / 1024} MB` };
  }
  const sorted = files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
  const lines = sorted.map(
    ({ path: name, stats: { size, mtimeMs, ctimeMs, ino, mode } }) =>
      `${JSON.stringify(name)} ${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`,
  );
  return { files: sorted, seal: sha256(lines.join("\n")) };
}

/** Whether a link leads to something within the folder. */
export function leadsInside(root: string, link: string): boolean {
  const real = withFallback("", systemError, () => realpathSync(link));
  return real.startsWith(`${root}${path.sep}`);
}

const namesIn = (folder: string): string[] => withFallback([], systemError, () => readdirSync(folder));

/** Of names, contents and the right to be run; the same wherever the folder lies. Throws where a file cannot be read. */
export function pluginDigest(root: string, { files }: PluginFiles): string {
  const lines = files.map(({ path: name, stats }) => {
    const content = stats.isSymbolicLink()
      ? `link:${path.relative(root, realpathSync(path.join(root, name)))}`
      : sha256(readFileSync(path.join(root, name)));
    return `${JSON.stringify(name)} ${(stats.mode & 0o111) === 0 ? "-" : "x"} ${content}`;
  });
  return sha256(lines.join("\n"));
}

/** The real path of what a plugin names within its own folder; a clause where that is not there, or leads out of it. */
export function placeWithin(root: string, named: string): { place: string } | { problem: string } {
  const shown = JSON.stringify(named.slice(0, 200));
  if (named === "" || path.isAbsolute(named) || /^~|[\0\\]|^[a-z]+:/i.test(named))
    return { problem: `names ${shown}, which is no path within the plugin` };
  const full = path.resolve(root, named);
  if (full !== root && !full.startsWith(`${root}${path.sep}`))
    return { problem: `names ${shown}, which leads out of the plugin` };
  const real = withFallback(undefined, systemError, () => realpathSync(full));
  if (real === undefined) return { problem: `names ${shown}, which is not there` };
  return real === root || real.startsWith(`${root}${path.sep}`)
    ? { place: real }
    : { problem: `names ${shown}, which leads out of the plugin` };
}

/** Exactly the files that were looked through. `to` is new; it appears with all of them, or not at all. */
export function copyPlugin(root: string, { files }: PluginFiles, to: string): void {
  const part = `${to}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true, mode: 0o700 });
  for (const { path: name, stats } of files) {
    const file = path.join(part, name);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(path.join(root, name)), file);
    else {
      copyFileSync(path.join(root, name), file);
      chmodSync(file, (stats.mode & 0o111) === 0 ? 0o600 : 0o700);
    }
  }
  renameSync(part, to);
}

/** Moves what was copied to where it is used from. What is there already stays only if it is the same. */
export function movePlugin(from: string, to: string, isSame: (place: string) => boolean): void {
  if (existsSync(to)) {
    if (isSame(to)) return;
    rmSync(to, { recursive: true, force: true });
  }
  mkdirSync(path.dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
}

/** Folders and files directly below, but for those that stay. */
export function dropOthers(folder: string, keep: (name: string) => boolean): void {
  for (const name of namesIn(folder))
    if (!keep(name)) rmSync(path.join(folder, name), { recursive: true, force: true });
}

export const dropPlugin = (folder: string): void => rmSync(folder, { recursive: true, force: true });
