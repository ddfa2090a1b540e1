// Where a path really leads, link by link as the kernel goes, also when the end does not exist yet.
import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import type { PathFact } from "./spec.ts";

const mostLinks = 40;

/** The folder that /tmp stands for, and the entries of /tmp that stay the machine's. */
export interface PrivateTmp {
  folder: string;
  kept: ReadonlySet<string>;
}

interface ResolvedPath {
  real: string;
  stats: Stats | undefined;
}

export const exists = (file: string): boolean => look(file) !== undefined;

function look(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    // A loop, a name that is too long, a file in place of a folder, a folder that may not be entered.
    return undefined;
  }
}

const kindOf = (stats: Stats): PathFact["kind"] => (stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other");

export class PathResolver {
  private readonly places = new Map<string, ResolvedPath>();
  private readonly facts = new Map<string, PathFact>();
  private readonly tmp: PrivateTmp | undefined;

  constructor(tmp?: PrivateTmp) {
    this.tmp = tmp;
  }

  forget(): void {
    this.places.clear();
    this.facts.clear();
  }

  fact(absolute: string): PathFact {
    let fact = this.facts.get(absolute);
    if (!fact) {
      fact = absolute.startsWith("/") && !absolute.includes("\0") ? this.find(absolute) : nowhere(absolute);
      this.facts.set(absolute, fact);
    }
    return fact;
  }

  private find(absolute: string): PathFact {
    const pending = parts(absolute).reverse();
    let at: ResolvedPath = { real: "/", stats: this.entry("/").stats };
    let links = 0;
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      if (part === "..") {
        at = this.entry(parentOf(at.real));
        continue;
      }
      const next = this.entry(this.below(at.real, part));
      // Links below /proc lead each process elsewhere; what stands there is nothing to rely on.
      if (!next.stats?.isSymbolicLink() || next.real.startsWith("/proc/")) {
        at = next;
        continue;
      }
      if (++links > mostLinks) return { real: next.real, kind: "other", links: 1, size: 0 };
      const target = readLink(next.real);
      if (target === undefined) return { real: next.real, kind: "other", links: 1, size: 0 };
      pending.push(...parts(target).reverse());
      if (target.startsWith("/")) at = this.entry("/");
    }
    const { real, stats } = this.tmp && at.real === "/tmp" ? this.entry(this.tmp.folder) : at;
    if (!stats) return { real, kind: "missing", links: 0, size: 0 };
    return { real, kind: kindOf(stats), links: stats.nlink, size: stats.size };
  }

  private below(folder: string, part: string): string {
    if (this.tmp && folder === "/tmp" && !this.tmp.kept.has(part)) return `${this.tmp.folder}/${part}`;
    return folder === "/" ? `/${part}` : `${folder}/${part}`;
  }

  private entry(real: string): ResolvedPath {
    let place = this.places.get(real);
    if (!place) {
      place = { real, stats: look(real) };
      this.places.set(real, place);
    }
    return place;
  }
}

const parts = (file: string): string[] => file.split("/").filter((part) => part !== "" && part !== ".");
const parentOf = (real: string): string => real.slice(0, Math.max(1, real.lastIndexOf("/"))) || "/";
const nowhere = (file: string): PathFact => ({ real: file, kind: "other", links: 0, size: 0 });

function readLink(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    // Gone in between.
    return undefined;
  }
}

const mostBelow = 2000;

/** Files and links below a folder, relative to it; undefined when there are more than can be looked at in some milliseconds. */
export function filesBelow(folder: string): string[] | undefined {
  const found: string[] = [];
  const folders = [""];
  let seen = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    let entries: Dirent[];
    try {
      entries = readdirSync(at === "" ? folder : `${folder}/${at}`, { withFileTypes: true });
    } catch {
      // Not for us to read, so nobody can say what it holds.
      return undefined;
    }
    for (const entry of entries) {
      if (++seen > mostBelow) return undefined;
      const name = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) folders.push(name);
      else found.push(name);
    }
  }
  return found;
}
