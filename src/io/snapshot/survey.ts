// What a checkpoint would have to take in, and what it cannot: decided before anything is read.
import { lstatSync } from "node:fs";
import path from "node:path";
import { hasCode, withFallback } from "../../base/fallback.ts";
import type { LeftOut } from "../../protocol/event.ts";
import { readIndex, wholeTree } from "./index-file.ts";
import type { Base } from "./quick-tree.ts";
import { isControl, type RawPath, rawBytes } from "./raw-path.ts";

export interface Limits {
  maxBytes: number;
  maxFiles: number;
}

export interface Survey {
  /** Something differs from the index and can be taken in. */
  changed: boolean;
  leftOut: Map<RawPath, LeftOut["why"]>;
  /** Left out, but in the index with an older content, which must go: a restore would bring it back. */
  outdated: RawPath[];
  /** Paths to keep `git add` away from; includes what is left out. */
  avoid: RawPath[];
  /** Of the index as it is, if it needs no change. */
  tree: string | undefined;
  base: Base;
}

interface Candidate {
  path: RawPath;
  size: number;
}

/** `differing` is what `git ls-files --others --modified` lists. */
export function survey(
  place: { workspace: string; indexFile: string },
  differing: ReadonlySet<RawPath>,
  unreadable: ReadonlySet<RawPath>,
  limits: Limits,
): Survey {
  const leftOut = new Map<RawPath, LeftOut["why"]>();
  const control: RawPath[] = [];
  const candidates: Candidate[] = [];
  let gone = 0;
  for (const each of differing) {
    if (isControl(each)) control.push(each);
    else if (each.endsWith("/")) leftOut.set(each, "repository");
    else if (unreadable.has(each)) leftOut.set(each, "unreadable");
    else {
      const size = sizeOf(place.workspace, each);
      if (size === undefined) gone += 1;
      else candidates.push({ path: each, size });
    }
  }
  const index = readIndex(place.indexFile, differing);
  const before = [...index.sizes.values()].reduce((sum, size) => sum + size, 0);
  const room = {
    maxBytes: limits.maxBytes - (index.bytes - before),
    maxFiles: limits.maxFiles - (index.files - index.sizes.size),
  };
  for (const [name, why] of overflow(candidates, room)) leftOut.set(name, why);
  const outdated = [...leftOut.keys()].filter((each) => index.sizes.has(each));
  const changed = gone > 0 || candidates.some((each) => !leftOut.has(each.path));
  const tree = changed || outdated.length > 0 ? undefined : wholeTree(index);
  return { changed, leftOut, outdated, avoid: [...control, ...leftOut.keys()], tree, base: index };
}

/** The smallest files come first: so the fewest are left out. */
function overflow(candidates: Candidate[], room: Limits): Map<RawPath, LeftOut["why"]> {
  const over = new Map<RawPath, LeftOut["why"]>();
  let bytes = 0;
  let files = 0;
  for (const { path: name, size } of candidates.toSorted((left, right) => left.size - right.size)) {
    if (bytes + size > room.maxBytes) over.set(name, "size");
    else if (files + 1 > room.maxFiles) over.set(name, "count");
    else {
      bytes += size;
      files += 1;
    }
  }
  return over;
}

/** Undefined for what is not there any more. */
function sizeOf(workspace: string, raw: RawPath): number | undefined {
  const file = Buffer.concat([Buffer.from(workspace + path.sep), rawBytes(raw)]);
  return withFallback(undefined, hasCode("ENOENT", "ENOTDIR"), () => lstatSync(file).size);
}
