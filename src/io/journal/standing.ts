// Looks at what stands in the segments when it may not be what was written.
import { existsSync, statSync } from "node:fs";
import { isA, withFallback } from "../../base/fallback.ts";
import { genesis } from "../../base/chain.ts";
import type { EntryName } from "./known-head.ts";
import { checkpointFile, type Line, lineBatches, lineBefore, segmentFile, segmentNumbers } from "./lines.ts";

export type StandingEntry = Record<string, unknown> & { seq: number; hash: string };

/** Why what stands in the files cannot simply be continued. */
export interface Doubt {
  why: string;
  /** The newest entry that is known from elsewhere, where it is not in the files. */
  known?: EntryName;
  /** What stands in the files is signed, and yet is another history than the one that is known. */
  foreign?: true;
  /** The chain does not hold up to its end. */
  broken?: true;
}

export const unsignedBefore = "it was written before entries were signed";

/** Undefined for a line that is no entry. */
export const standingEntry = (line: Line): StandingEntry | undefined =>
  withFallback(undefined, isA(SyntaxError), () => {
    const value = JSON.parse(line.bytes.toString("utf8")) as Partial<StandingEntry> | null;
    return typeof value?.seq === "number" && typeof value.hash === "string" ? (value as StandingEntry) : undefined;
  });

/** The entry that ends at byte `end` of a segment, or, when the segment is empty, the last one before it. */
export function entryBefore(folder: string, segment: number, end: number): StandingEntry | undefined {
  for (let number = segment, to = end; number > 0; number -= 1, to = sizeOf(folder, number)) {
    if (to === 0) continue;
    const line = lineBefore(segmentFile(folder, number), to);
    return line && standingEntry(line);
  }
  return undefined;
}

/** What stands at that number; `lost` when no entry does, `gone` when it is before the first that is left. */
export function standingAt(folder: string, seq: number): StandingEntry | "lost" | "gone" {
  for (const number of segmentNumbers(folder).toReversed()) {
    let first: number | undefined;
    for (const batch of lineBatches(segmentFile(folder, number))) {
      for (const line of batch) {
        const entry = standingEntry(line);
        first ??= entry?.seq;
        if (entry?.seq === seq) return entry;
      }
    }
    if (first !== undefined && first <= seq) return "lost";
  }
  return "gone";
}

/** What is known from elsewhere, if it is not in the chain that ends with `head`. */
export function lostFrom(
  folder: string,
  head: EntryName,
  from: { apart: EntryName | undefined; row: EntryName | undefined; isProven: (entry: StandingEntry) => boolean },
): Omit<Doubt, "why"> | undefined {
  const { apart, row, isProven } = from;
  for (const known of [apart, row, copiedHead(folder, isProven)]) {
    if (!known || (known.seq === head.seq && known.hash === head.hash)) continue;
    // The row is no proof against what is known apart; it shows what was cut off all the same.
    if (known !== apart && apart && known.seq <= head.seq) continue;
    const standing = known.seq > head.seq ? "lost" : standingAt(folder, known.seq);
    if (standing === "gone" || (standing !== "lost" && standing.hash === known.hash)) continue;
    const foreign = known === apart && standing !== "lost" && isProven(standing);
    return { known: { seq: known.seq, hash: known.hash }, ...(foreign && { foreign }) };
  }
  return undefined;
}

/** Where to go on when the chain is broken: after the last line that is an entry, in a segment of its own. */
export function afterBreak(folder: string): EntryName & { segment: number; bytes: number } {
  const numbers = segmentNumbers(folder);
  const last = numbers.at(-1) ?? 0;
  const place = { segment: sizeOf(folder, last) === 0 ? Math.max(1, last) : last + 1, bytes: 0 };
  for (const number of numbers.toReversed()) {
    let end: StandingEntry | undefined;
    for (const batch of lineBatches(segmentFile(folder, number)))
      for (const line of batch) end = line.ended ? (standingEntry(line) ?? end) : end;
    if (end && Number.isSafeInteger(end.seq) && end.seq > 0 && /^[0-9a-f]{64}$/.test(end.hash))
      return { seq: end.seq, hash: end.hash, ...place };
  }
  return { seq: 0, hash: genesis, ...place };
}

/** The newest entry for which `holds` is true. */
export function newestThat(folder: string, holds: (entry: StandingEntry) => boolean): StandingEntry | undefined {
  for (const number of segmentNumbers(folder).toReversed()) {
    const lines: StandingEntry[] = [];
    for (const batch of lineBatches(segmentFile(folder, number)))
      for (const line of batch) lines.push(standingEntry(line) ?? { seq: 0, hash: "" });
    const last = lines.findLast((entry) => holds(entry));
    if (last) return last;
  }
  return undefined;
}

/** The newest checkpoint that was copied beside the segments and `holds`. */
export function copiedHead(folder: string, holds: (entry: StandingEntry) => boolean): EntryName | undefined {
  const file = checkpointFile(folder);
  const size = existsSync(file) ? statSync(file).size : 0;
  const line = size > 0 ? lineBefore(file, size) : undefined;
  const entry = line?.ended ? standingEntry(line) : undefined;
  return entry && holds(entry) ? entry : undefined;
}

/** The hash of entry 1, unless it was dropped. */
export function ledgerName(folder: string): string | undefined {
  const first = segmentNumbers(folder)[0];
  if (first === undefined) return undefined;
  for (const batch of lineBatches(segmentFile(folder, first))) {
    const entry = batch[0] && standingEntry(batch[0]);
    return entry?.seq === 1 ? entry.hash : undefined;
  }
  return undefined;
}

function sizeOf(folder: string, number: number): number {
  return statSync(segmentFile(folder, number), { throwIfNoEntry: false })?.size ?? 0;
}
