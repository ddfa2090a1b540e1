// Where a mount's source really lies. What programs may write they may also replace by a link, so below such a folder no
// link is followed, and the place is opened when the sandbox is made (process/unlinked.ts): a swap in between ends it.
import { lstatSync, readlinkSync } from "node:fs";
import path from "node:path";
import { below, real } from "./hidden.ts";

export interface Source {
  file: string;
  /** Programs can write on the way to it: handed over as an open descriptor. */
  held?: true;
}

const mostLinks = 40;
const partsOf = (file: string): string[] => file.split("/").filter((part) => part !== "" && part !== ".");

/** The real place of a path none of whose parts, those of the links that it takes included, lies below these folders. */
export function placeOutside(file: string, roots: readonly string[]): string | undefined {
  let at = "/";
  let left = partsOf(file);
  let links = 0;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    const next = path.join(at, part);
    if (roots.some((root) => below(root, next))) return undefined;
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (!stats.isSymbolicLink()) at = next;
    else if (++links > mostLinks) return undefined;
    else {
      const target = readlinkSync(next);
      if (path.isAbsolute(target)) at = "/";
      left = [...partsOf(target), ...left];
    }
  }
  return at;
}

/** Undefined for what is not there, and where a link that a program may have made is on the way. */
export function sourceOf(file: string, roots: readonly string[]): Source | undefined {
  const outside = placeOutside(file, roots);
  if (outside !== undefined) return { file: outside };
  return real(file) === file ? { file, held: true } : undefined;
}
