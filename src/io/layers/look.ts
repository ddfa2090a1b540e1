// Small looks at folders and files that may have gone meanwhile.
import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats } from "node:fs";
import path from "node:path";
import { hasCode, isA, systemError, withFallback } from "../../base/fallback.ts";
import { sha256 } from "../../base/digest.ts";
import type { Change, SharedFolder } from "./spec.ts";

/** Undefined for what is gone, lies behind a file, or has a path that the system cannot take. */
export const statsAt = (file: string): Stats | undefined =>
  withFallback(undefined, hasCode("ENOTDIR", "ENAMETOOLONG", "ELOOP", "EACCES"), () =>
    lstatSync(file, { throwIfNoEntry: false }),
  );

export const isFolder = (folder: string): boolean => statsAt(folder)?.isDirectory() ?? false;
export const isFile = (file: string): boolean => statsAt(file)?.isFile() ?? false;

/** Where a path of a workspace lies on the disk. */
export type Locate = (relative: string) => string;

/** What lies below a borrowed folder lies elsewhere. */
export function locateIn(workspace: string, lent: readonly SharedFolder[] = []): Locate {
  const borrowed = lent.map(({ from, to }) => ({ from, at: path.relative(workspace, to) }));
  return (relative) => {
    const found = borrowed.find(({ at }) => relative === at || relative.startsWith(`${at}/`));
    return found ? path.join(found.from, relative.slice(found.at.length)) : path.join(workspace, relative);
  };
}

/** Paths below one folder, looked up by real folders only: a link on the way leads nowhere. */
export class RealPaths {
  readonly #locate: Locate;
  readonly #folders = new Set<string>(["."]);

  constructor(locate: Locate) {
    this.#locate = locate;
  }

  at(relative: string): Stats | undefined {
    return this.#isFolder(path.posix.dirname(relative)) ? statsAt(this.#locate(relative)) : undefined;
  }

  namesIn(relative: string): string[] {
    return this.#isFolder(relative) ? namesIn(this.#locate(relative)) : [];
  }

  #isFolder(relative: string): boolean {
    if (this.#folders.has(relative)) return true;
    if (!this.at(relative)?.isDirectory()) return false;
    this.#folders.add(relative);
    return true;
  }
}

/**
 * Whether a link at `from` that says `target` ends inside of `root`. A `..` behind a name would leave a folder that may be
 * a link itself, and counts as leading out; so does whatever passes a link that leads out already.
 */
export function leadsInside(root: string, from: string, target: string): boolean {
  if (climbsAfterName(target)) return false;
  const end = path.resolve(root, path.dirname(from), target);
  if (end !== root && !end.startsWith(`${root}/`)) return false;
  const parts = path.relative(root, end).split("/");
  return parts.every((_, index) => staysInside(root, path.join(root, ...parts.slice(0, index + 1))));
}

function climbsAfterName(target: string): boolean {
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const named = parts.findIndex((part) => part !== "..");
  return named >= 0 && parts.includes("..", named);
}

function staysInside(root: string, place: string): boolean {
  if (!statsAt(place)?.isSymbolicLink()) return true;
  return withFallback(false, systemError, () => {
    const real = realpathSync(place);
    return real === root || real.startsWith(`${root}/`);
  });
}

/** Empty for what is no folder, or gone. */
export const namesIn = (folder: string): string[] => withFallback([], systemError, () => readdirSync(folder));

/** Content of a written file, of at most so many bytes. */
export function writtenBytes(file: string, most: number): Buffer | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() && stats.size <= most ? readFileSync(file) : undefined;
}

const longestText = 1024 * 1024;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Content of a file; undefined when it is no text, or longer than a person would look at. */
export function writtenText(file: string): string | undefined {
  if ((lstatSync(file, { throwIfNoEntry: false })?.size ?? longestText + 1) > longestText) return undefined;
  return withFallback(undefined, isA(TypeError), () => strict.decode(readFileSync(file)));
}

const largestNamed = 1024 * 1024;

/** A name for what a run left at a path: the same for the same content, whoever wrote it. Undefined for what is large, or no file. */
export function stateOf(change: Change, upper: string): string | undefined {
  if (change.kind === "removed") return "absent";
  if (change.kind !== "file" || change.stats.size > largestNamed) return undefined;
  return sha256(readFileSync(path.join(upper, change.path))).slice(0, 16);
}
