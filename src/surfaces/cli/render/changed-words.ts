// Which words of a line differ from those of the line that it took the place of.
import { diffWordsWithSpace } from "diff/lib/diff/word.js";

/** Where a changed word begins and ends in its line. */
export type WordRange = readonly [from: number, to: number];

interface ChangedLine {
  sign: string;
  text: string;
}

/** Where hardly a word is as it was, or a line is very long, none is marked. */
const longest = 500;
const leastSame = 0.4;

/** By the line's number: a run of removed lines and as many added ones after it are compared one by one. */
export function changedWords(lines: readonly ChangedLine[]): ReadonlyMap<number, readonly WordRange[]> {
  const found = new Map<number, readonly WordRange[]>();
  for (let at = 0; at < lines.length; at++) {
    const removed = run(lines, at, "-");
    const added = run(lines, at + removed, "+");
    if (removed > 0 && removed === added)
      for (let pair = 0; pair < removed; pair++) {
        const ranges = compare(lines[at + pair]?.text ?? "", lines[at + removed + pair]?.text ?? "");
        if (!ranges) continue;
        found.set(at + pair, ranges.before);
        found.set(at + removed + pair, ranges.after);
      }
    at += Math.max(0, removed + added - 1);
  }
  return found;
}

function run(lines: readonly ChangedLine[], from: number, sign: string): number {
  let count = 0;
  while (lines[from + count]?.sign === sign) count++;
  return count;
}

function compare(before: string, after: string): { before: WordRange[]; after: WordRange[] } | undefined {
  if (before.length > longest || after.length > longest) return undefined;
  const ranges: { before: WordRange[]; after: WordRange[] } = { before: [], after: [] };
  let same = 0;
  let [left, right] = [0, 0];
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    const { length } = value;
    if (removed) ranges.before.push([left, left + length]);
    else if (added) ranges.after.push([right, right + length]);
    else same += length;
    if (!added) left += length;
    if (!removed) right += length;
  }
  return same < leastSame * Math.max(before.trim().length, after.trim().length) ? undefined : ranges;
}

/** `from`: where the piece begins in the line that the ranges are of. */
export function markWords(
  piece: string,
  from: number,
  words: readonly WordRange[],
  paint: (text: string) => string,
): string {
  let marked = "";
  let done = 0;
  for (const [begin, end] of words) {
    const start = Math.max(done, begin - from);
    const stop = Math.min(piece.length, end - from);
    if (stop <= start) continue;
    marked += piece.slice(done, start) + paint(piece.slice(start, stop));
    done = stop;
  }
  return marked + piece.slice(done);
}
