// What a command sees below its own layer: the workspace, and over it what the session's layer keeps.
import type { Stats } from "node:fs";
import { type Locate, locateIn, RealPaths } from "./look.ts";
import type { Below } from "./spec.ts";

/** A deleted path, as overlayfs notes it. */
export const isWhiteout = (stats: Stats): boolean => stats.isCharacterDevice() && stats.rdev === 0;

const kindOf = (stats: Stats): Below["kind"] =>
  stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other";

/** Another one as soon as somebody writes the file, whatever time they give it, or puts another in its place. */
export const sealOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;

const shapeOf = (stats: Stats, kept: boolean): Below => ({
  kind: kindOf(stats),
  kept,
  size: stats.size,
  mode: stats.mode,
  changedAt: stats.ctimeMs,
  seal: sealOf(stats),
});

/** Two folders seen as one. `hidden`: folders of `kept` that hide what the workspace has there. */
export class LowerView {
  readonly #workspace: RealPaths;
  readonly #kept: RealPaths;
  readonly #hidden: ReadonlySet<string>;

  constructor(workspace: Locate, kept: string, hidden: ReadonlySet<string>) {
    this.#workspace = new RealPaths(workspace);
    this.#kept = new RealPaths(locateIn(kept));
    this.#hidden = hidden;
  }

  /** Undefined where a command sees nothing. */
  at(relative: string): Below | undefined {
    const own = this.#kept.at(relative);
    if (own && isWhiteout(own)) return undefined;
    const under = this.#workspaceHidden(relative) ? undefined : this.#workspace.at(relative);
    if (own && !(own.isDirectory() && under?.isDirectory())) return shapeOf(own, under === undefined);
    return under && shapeOf(under, false);
  }

  /** Files, links and whatever else is no folder at or below a path, as far as the workspace has them, and at most `most`. */
  filesOf(relative: string, most: number): string[] {
    const found: string[] = [];
    const open = [relative];
    for (let next = open.pop(); next !== undefined && found.length < most; next = open.pop()) {
      if (this.#workspaceHidden(next)) continue;
      const stats = this.#workspace.at(next);
      if (stats?.isDirectory()) for (const name of this.#workspace.namesIn(next)) open.push(`${next}/${name}`);
      else if (stats) found.push(next);
    }
    return found.sort();
  }

  /** Names in a folder, of both. */
  namesIn(relative: string): string[] {
    const own = this.#kept.namesIn(relative);
    const under = this.#workspaceHidden(relative) ? [] : this.#workspace.namesIn(relative);
    return [...new Set([...own, ...under])].filter((name) => this.at(`${relative}/${name}`));
  }

  #workspaceHidden(relative: string): boolean {
    const parts = relative.split("/");
    for (let count = 1; count <= parts.length; count++) {
      const folder = parts.slice(0, count).join("/");
      if (this.#hidden.has(folder)) return count < parts.length || this.#hidden.has(relative);
      const own = this.#kept.at(folder);
      if (!own) return false;
      if (count < parts.length ? !own.isDirectory() : isWhiteout(own)) return true;
    }
    return false;
  }
}
