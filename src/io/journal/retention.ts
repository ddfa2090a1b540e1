// Which finished segments are old enough to go: whole ones only, from the first on.
import { rmSync, statSync } from "node:fs";
import { readRegular } from "../files/regular.ts";
import { standingEntry } from "./standing.ts";
import { checkpointFile, lineBatches, lineBefore, segmentFile, segmentNumbers } from "./lines.ts";

/** The last entry of the newest segment that goes, and the segments that go with it. */
export interface Outdated {
  segments: number[];
  seq: number;
  hash: string;
}

interface Ending {
  at: number;
  seq: number;
  hash: string;
  kind: string;
}

/** Segments before `current` that end before time `before`, in a checkpoint: the rest must be able to begin there. */
export function outdated(folder: string, current: number, before: number): Outdated | undefined {
  let found: Outdated | undefined;
  const segments: number[] = [];
  for (const number of segmentNumbers(folder)) {
    const end = number < current ? endOf(segmentFile(folder, number)) : undefined;
    if (!end || end.at >= before) break;
    segments.push(number);
    // One without a checkpoint at its end goes only with a later one that has it.
    if (end.kind === "checkpoint" && isCopied(folder, end.hash)) {
      found = { segments: [...segments], seq: end.seq, hash: end.hash };
    }
  }
  return found;
}

export function dropSegments(folder: string, segments: readonly number[]): void {
  for (const number of segments) rmSync(segmentFile(folder, number), { force: true });
}

/** When the first entry of a segment was written, ms since 1970; undefined when it has none. */
export function startOf(folder: string, segment: number): number | undefined {
  for (const batch of lineBatches(segmentFile(folder, segment))) {
    const first = batch[0];
    const at = first && standingEntry(first)?.["at"];
    return typeof at === "number" ? at : undefined;
  }
  return undefined;
}

function endOf(file: string): Ending | undefined {
  const line = lineBefore(file, statSync(file).size);
  const entry = line?.ended ? standingEntry(line) : undefined;
  return entry && typeof entry["at"] === "number"
    ? { ...entry, at: entry["at"], kind: String(entry["kind"]) }
    : undefined;
}

const isCopied = (folder: string, hash: string): boolean =>
  readRegular(checkpointFile(folder)).includes(`"hash":"${hash}"`);
