// Files of lines, read in constant memory.
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import path from "node:path";
import { unwaiting } from "../files/regular.ts";
import { unwritableLedger } from "./fault.ts";

/** A line longer than this is no entry; without a limit, a file without line ends would fill the memory. */
export const longestLine = 16 * 1024 * 1024;
const chunkSize = 256 * 1024;

export interface Line {
  /** Without its line end. Valid until the next line is asked for. */
  bytes: Buffer;
  /** False for a last line that has no line end. */
  ended: boolean;
}

/** The lines from byte `from` to byte `to`, in batches: the caller may pause between two of them. */
export function* lineBatches(file: string, from = 0, to = Number.POSITIVE_INFINITY): Generator<Line[]> {
  const descriptor = openSync(file, unwaiting);
  try {
    let rest: Buffer = Buffer.alloc(0);
    let position = from;
    for (;;) {
      const wanted = Math.min(chunkSize, to - position);
      const chunk = Buffer.allocUnsafe(Math.max(0, wanted));
      const count = wanted > 0 ? readSync(descriptor, chunk, 0, wanted, position) : 0;
      if (count === 0) break;
      position += count;
      const split = splitLines(Buffer.concat([rest, chunk.subarray(0, count)]));
      rest = split.rest;
      if (split.lines.length > 0) yield split.lines;
      if (rest.length > longestLine) break;
    }
    if (rest.length > 0) yield [{ bytes: rest, ended: false }];
  } finally {
    closeSync(descriptor);
  }
}

/** The line that ends at byte `end`; undefined when the file is shorter. */
export function lineBefore(file: string, end: number): Line | undefined {
  const descriptor = openSync(file, unwaiting);
  try {
    for (let wanted = Math.min(end, 4096); ; wanted = Math.min(end, wanted * 8)) {
      const chunk = Buffer.alloc(wanted);
      if (readSync(descriptor, chunk, 0, wanted, end - wanted) < wanted) return undefined;
      const before = chunk.lastIndexOf(10, -2);
      if (before >= 0 || wanted === end || wanted > longestLine) {
        return { bytes: chunk.subarray(before + 1, -1), ended: chunk.at(-1) === 10 };
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

function splitLines(bytes: Buffer): { lines: Line[]; rest: Buffer } {
  const lines: Line[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push({ bytes: bytes.subarray(start, end), ended: true });
    start = end + 1;
  }
  return { lines, rest: bytes.subarray(start) };
}

export const checkpointFile = (folder: string): string => path.join(folder, "checkpoints.jsonl");
/** Statements by which one signing key hands over to the next. */
export const keysFile = (folder: string): string => path.join(folder, "keys.jsonl");
export const segmentFile = (folder: string, segment: number): string =>
  path.join(folder, `${String(segment).padStart(6, "0")}.jsonl`);

/** Numbers of the segments that exist, ascending; none when there is no folder. */
export function segmentNumbers(folder: string): number[] {
  try {
    const names = readdirSync(folder).filter((name) => /^\d{6,}\.jsonl$/.test(name));
    return names.map((name) => Number.parseInt(name, 10)).sort((left, right) => left - right);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    if (code === "ENOTDIR") throw unwritableLedger(folder, "it is not a folder");
    throw error;
  }
}
