// A folder of elsewhere that a person let one command read: what in it stays covered.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { below } from "./hidden.ts";

const mostEntries = 20_000;
/** Each is a mount, and what mounts them looks through all of them each time. */
const mostCovered = 150;

interface Looking {
  /** By its real path: whether it holds secrets or is fettle's own. */
  guarded(file: string): boolean;
  /** Mounted over it: not looked into, and nothing on the way to them is covered. */
  roots: readonly string[];
}

/** Nearest first; a folder with more in it than can be looked through is covered, as are sockets and devices. */
export function coveredIn(folder: string, { guarded, roots }: Looking): string[] {
  const covered: string[] = [];
  const waiting = [folder];
  let seen = 0;
  for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
    const at = each;
    const inside: string[] = [];
    const kept: string[] = [];
    for (const entry of entriesOf(at)) {
      seen += 1;
      const file = path.join(at, entry.name);
      if (roots.includes(file)) continue;
      if (guarded(file) || !(entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())) kept.push(file);
      else if (entry.isDirectory()) inside.push(file);
    }
    // What waits may have to be covered, too.
    const fits = seen <= mostEntries && covered.length + kept.length + waiting.length + inside.length <= mostCovered;
    if (!fits && at !== folder && !roots.some((root) => below(at, root))) covered.push(at);
    else {
      covered.push(...kept);
      waiting.push(...inside);
    }
  }
  return covered;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not for this user: the command reads it as little.
    return [];
  }
}

/** A file or a folder; anything else talks to somebody. */
export const isPlain = (file: string): boolean => {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true || stats?.isDirectory() === true;
};
