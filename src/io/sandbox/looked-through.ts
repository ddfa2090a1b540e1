// A folder of elsewhere that a person let one command read: what in it stays covered.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { below } from "./hidden.ts";

const mostEntries = 20_000;
const mostCovered = 400;

interface Looking {
  /** By its real path: whether it holds secrets or is fettle's own. */
  guarded(file: string): boolean;
  /** Mounted over it: not looked into, and nothing on the way to them is covered. */
  roots: readonly string[];
}

/** Level by level; folders that are deeper than could be looked through are covered, as are sockets and devices. */
export function coveredIn(folder: string, { guarded, roots }: Looking): string[] {
  const covered: string[] = [];
  let level = [folder];
  let seen = 0;
  while (level.length > 0) {
    const next: string[] = [];
    const found: string[] = [];
    for (const each of level) {
      for (const entry of entriesOf(each)) {
        seen += 1;
        const file = path.join(each, entry.name);
        if (roots.includes(file)) continue;
        if (guarded(file) || !(entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())) found.push(file);
        else if (entry.isDirectory()) next.push(file);
      }
    }
    covered.push(...found);
    if (seen <= mostEntries && next.length <= mostCovered) {
      level = next;
      continue;
    }
    const way = (file: string) => roots.some((root) => below(file, root));
    covered.push(...next.filter((file) => !way(file)));
    level = next.filter(way);
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
