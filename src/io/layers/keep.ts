// Moves what a run wrote into the layer that the session keeps, so that later commands see it and the workspace does not.
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { isWhiteout } from "./below.ts";
import type { Locate } from "./look.ts";

interface Places {
  upper: string;
  kept: string;
  workspace: Locate;
}

/** `opaque` (of the run) grows `hidden` (of the session): folders that hide what the workspace has below them. */
export function keepPath(at: string, places: Places, opaque: ReadonlySet<string>, hidden: Set<string>): void {
  const from = path.join(places.upper, at);
  const to = path.join(places.kept, at);
  const mine = lstatSync(from, { throwIfNoEntry: false });
  if (!mine) return;
  makeParents(at, places);
  const theirs = lstatSync(to, { throwIfNoEntry: false });
  if (mine.isDirectory() && theirs?.isDirectory() && !opaque.has(at)) {
    for (const name of readdirSync(from)) keepPath(`${at}/${name}`, places, opaque, hidden);
    return;
  }
  if (theirs) rmSync(to, { recursive: true, force: true });
  for (const folder of hidden) if (folder === at || folder.startsWith(`${at}/`)) hidden.delete(folder);
  if (isWhiteout(mine) && !lstatSync(places.workspace(at), { throwIfNoEntry: false })) {
    rmSync(from);
    return;
  }
  renameSync(from, to);
  for (const folder of opaque) if (folder === at || folder.startsWith(`${at}/`)) hidden.add(folder);
}

/** The file of a program that still writes it, under a second name. A folder is made, and what lies in it comes by itself. */
export function linkPath(at: string, { upper, kept, workspace }: Places): void {
  const from = path.join(upper, at);
  const to = path.join(kept, at);
  const mine = lstatSync(from, { throwIfNoEntry: false });
  const theirs = lstatSync(to, { throwIfNoEntry: false });
  if (!mine?.isFile() || (theirs?.isFile() && theirs.ino === mine.ino)) return;
  makeParents(at, { upper, kept, workspace });
  if (theirs) rmSync(to, { recursive: true, force: true });
  linkSync(from, to);
}

/** Nothing that is kept stands in the way of what the workspace has there. Other folders than deleted ones stay. */
export function uncoverPath(kept: string, at: string): void {
  const parts = at.split("/");
  for (let count = 1; count <= parts.length; count++) {
    const place = path.join(kept, ...parts.slice(0, count));
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats?.isDirectory()) continue;
    if (stats && (isWhiteout(stats) || count === parts.length)) rmSync(place);
    return;
  }
}

/** What was deleted, relative to `kept`. */
export function whiteoutsBelow(kept: string, below = ""): string[] {
  return readdirSync(path.join(kept, below), { withFileTypes: true }).flatMap((entry) => {
    const at = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return whiteoutsBelow(kept, at);
    return entry.isCharacterDevice() && isWhiteout(lstatSync(path.join(kept, at))) ? [at] : [];
  });
}

/** Folders on the way look as they do in the workspace, or in the run's layer where they are new. */
function makeParents(at: string, { upper, kept, workspace }: Places): void {
  const parts = at.split("/").slice(0, -1);
  for (let count = 1; count <= parts.length; count++) {
    const folder = parts.slice(0, count).join("/");
    const target = path.join(kept, folder);
    const there = lstatSync(target, { throwIfNoEntry: false });
    if (there?.isDirectory()) continue;
    if (there) rmSync(target, { force: true });
    const model =
      lstatSync(workspace(folder), { throwIfNoEntry: false }) ??
      lstatSync(path.join(upper, folder), { throwIfNoEntry: false });
    mkdirSync(target);
    if (model?.isDirectory()) chmodSync(target, model.mode & 0o777);
  }
}
