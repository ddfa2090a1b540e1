// What a command sees below its own layer: the workspace, and over it what the session's layer keeps.
import { lstatSync, type Stats } from "node:fs";
import path from "node:path";
import { namesIn } from "./look.ts";
import type { Below } from "./spec.ts";

/** A deleted path, as overlayfs notes it. */
export const isWhiteout = (stats: Stats): boolean => stats.isCharacterDevice() && stats.rdev === 0;

const statsOf = (file: string): Stats | undefined => {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    // A file stands where a folder of the path would be.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
};

const kindOf = (stats: Stats): Below["kind"] =>
  stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other";

const shapeOf = (stats: Stats, kept: boolean): Below => ({
  kind: kindOf(stats),
  kept,
  size: stats.size,
  mode: stats.mode,
  changedAt: stats.ctimeMs,
});

/** Two folders seen as one. `hidden`: folders of `kept` that hide what the workspace has there. */
export class LowerView {
  readonly #workspace: string;
  readonly #kept: string;
  readonly #hidden: ReadonlySet<string>;

  constructor(workspace: string, kept: string, hidden: ReadonlySet<string>) {
    this.#workspace = workspace;
    this.#kept = kept;
    this.#hidden = hidden;
  }

  /** Undefined where a command sees nothing. */
  at(relative: string): Below | undefined {
    const own = statsOf(path.join(this.#kept, relative));
    if (own && isWhiteout(own)) return undefined;
    const under = this.#workspaceHidden(relative) ? undefined : statsOf(path.join(this.#workspace, relative));
    if (own && !(own.isDirectory() && under?.isDirectory())) return shapeOf(own, under === undefined);
    return under && shapeOf(under, false);
  }

  /** Files, links and whatever else is no folder at or below a path, as far as the workspace has them, and at most `most`. */
  filesOf(relative: string, most: number): string[] {
    const found: string[] = [];
    const open = [relative];
    for (let next = open.pop(); next !== undefined && found.length < most; next = open.pop()) {
      if (this.#workspaceHidden(next)) continue;
      const stats = statsOf(path.join(this.#workspace, next));
      if (stats?.isDirectory())
        open.push(...namesIn(path.join(this.#workspace, next)).map((name) => `${next}/${name}`));
      else if (stats) found.push(next);
    }
    return found.sort();
  }

  /** Names in a folder, of both. */
  namesIn(relative: string): string[] {
    const own = namesIn(path.join(this.#kept, relative));
    const under = this.#workspaceHidden(relative) ? [] : namesIn(path.join(this.#workspace, relative));
    return [...new Set([...own, ...under])].filter((name) => this.at(`${relative}/${name}`));
  }

  #workspaceHidden(relative: string): boolean {
    const parts = relative.split("/");
    for (let count = 1; count <= parts.length; count++) {
      const folder = parts.slice(0, count).join("/");
      if (this.#hidden.has(folder)) return count < parts.length || this.#hidden.has(relative);
      const own = statsOf(path.join(this.#kept, folder));
      if (!own) return false;
      if (count < parts.length ? !own.isDirectory() : isWhiteout(own)) return true;
    }
    return false;
  }
}
