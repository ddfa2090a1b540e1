// Puts the hunks of a patch into a text: whole lines, fuzzy only in trailing whitespace.
import { nearestLines } from "./near-miss.ts";
import { matchLines, splitLines } from "./line-match.ts";

/**
 * `old` and `new` are lines, each ended by a newline; an empty `old` inserts. `place.after`: lines that stand above,
 * in order. `place.end`: `old` must be the last lines of the text.
 */
export interface Hunk {
  old: string;
  new: string;
  place?: { after: string[]; end?: boolean | undefined } | undefined;
}

interface Target {
  lines: string[];
  /** The lines without the `\r` of their ends. */
  plain: string[];
  /** The lines without trailing whitespace. */
  bare: string[];
  /** Most lines end in `\r\n`. */
  carriage: boolean;
  /** The last line has its end. */
  ended: boolean;
}
type Located = { at: number; exact: boolean } | Misfit;

/** `excerpt`: lines of the text itself, kept apart from the sentence. */
interface Misfit {
  problem: string;
  excerpt?: string;
}

const BOM = "\uFEFF";

/**
 * A hunk goes to the first fit behind the previous hunks and behind its `after` lines. Without such a line it is
 * refused where it fits more places than there are hunks like it. A hunk that fits nowhere behind the others goes to
 * the only place in the text that it fits. `hunk` counts from 1. A byte order mark stays, whether
 * the hunks show it or not.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): { text: string } | (Misfit & { hunk: number }) {
  if (!text.startsWith(BOM)) return applyToLines(text, hunks);
  const bare = hunks.map((hunk) => ({ ...hunk, old: withoutMark(hunk.old), new: withoutMark(hunk.new) }));
  const outcome = applyToLines(text.slice(BOM.length), bare);
  return "problem" in outcome ? outcome : { text: BOM + outcome.text };
}

const withoutMark = (lines: string) => (lines.startsWith(BOM) ? lines.slice(BOM.length) : lines);

interface Placed {
  at: number;
  exact: boolean;
  old: string[];
  new: string[];
}

function applyToLines(text: string, hunks: readonly Hunk[]): { text: string } | (Misfit & { hunk: number }) {
  const target = targetOf(text);
  const { lines } = target;
  const placed: Placed[] = [];
  let behindAll = 0;
  for (const [index, hunk] of hunks.entries()) {
    const inOrder = locate(target, hunk, { from: behindAll, like: countLike(hunks, index) });
    const found = "problem" in inOrder ? (elsewhere(target, hunk, placed) ?? inOrder) : inOrder;
    if ("problem" in found) return { ...found, hunk: index + 1 };
    const old = splitLines(hunk.old);
    placed.push({ ...found, old, new: splitLines(hunk.new) });
    behindAll = Math.max(behindAll, found.at + old.length);
  }
  const result: string[] = [];
  let done = 0;
  for (const hunk of placed.toSorted((left, right) => left.at - right.at)) {
    for (const line of lines.slice(done, hunk.at)) result.push(line);
    for (const line of replaced(target, hunk, hunk)) result.push(line);
    done = hunk.at + hunk.old.length;
  }
  for (const line of lines.slice(done)) result.push(line);
  if (result.length === 0) return { text: "" };
  return { text: target.ended ? `${result.join("\n")}\n` : withoutCarriage(target, result.join("\n")) };
}

/** A hunk out of file order has a place when its lines occur once in the whole text, apart from the hunks before it. */
function elsewhere(target: Target, hunk: Hunk, placed: readonly Placed[]): Located | undefined {
  if (hunk.old === "") return undefined;
  const found = onlyPlace(target, hunk, 0);
  if (!found || "problem" in found) return undefined;
  const end = found.at + splitLines(hunk.old).length;
  const overlaps = placed.some(({ at, old }) => found.at < at + old.length && at < end);
  return overlaps ? undefined : found;
}

function targetOf(text: string): Target {
  const lines = splitLines(text);
  const ended = text === "" || text.endsWith("\n");
  const ends = ended ? lines : lines.slice(0, -1);
  const carriage = ends.filter((line) => line.endsWith("\r")).length * 2 > ends.length;
  // The last line may not be the last one afterwards: until then it has what the others end with.
  if (carriage && !ended) lines.push(`${lines.pop()}\r`);
  const plain = lines.map(plainLine);
  return { lines, plain, bare: plain.map((line) => line.trimEnd()), carriage, ended };
}

const plainLine = (line: string) => (line.endsWith("\r") ? line.slice(0, -1) : line);
const withoutCarriage = ({ carriage }: Target, text: string) => (carriage ? plainLine(text) : text);

function countLike(hunks: readonly Hunk[], index: number): number {
  const old = hunks[index]?.old;
  return hunks.slice(index).filter((hunk) => hunk.old === old && !hunk.place?.after.length && !hunk.place?.end).length;
}

/** Context keeps the text's own whitespace; new lines get its line ends. */
function replaced(target: Target, found: { at: number; exact: boolean }, lines: { old: string[]; new: string[] }) {
  const kept = matchLines(lines.old, lines.new);
  return lines.new.map((line, index) => {
    const before = kept[index] ?? -1;
    if (before >= 0) return target.lines[found.at + before] ?? line;
    return target.carriage && !line.endsWith("\r") ? `${line}\r` : line;
  });
}

/** What stands after @@ only helps to find the place: where it is wrong, and the lines occur once in the text, they say it alone. */
function locate(target: Target, hunk: Hunk, search: { from: number; like: number }): Located {
  const found = locateAfter(target, hunk, search);
  if (!("problem" in found) || !hunk.place?.after.length || hunk.old === "") return found;
  return onlyPlace(target, hunk, search.from) ?? found;
}

function onlyPlace(target: Target, { old, place }: Hunk, from: number): Located | undefined {
  const lines = splitLines(old);
  const exact = fits(target.plain, lines.map(plainLine), 0, place?.end).at;
  const bare = lines.map((line) => line.trimEnd());
  const [at = -1, ...others] = exact.length > 0 ? exact : fits(target.bare, bare, 0, place?.end).at;
  return at >= from && others.length === 0 ? { at, exact: exact.length > 0 } : undefined;
}

function locateAfter(target: Target, hunk: Hunk, search: { from: number; like: number }): Located {
  const old = splitLines(hunk.old);
  const anchors = hunk.place?.after ?? [];
  let from = search.from;
  for (const anchor of anchors) {
    const at = target.bare.findIndex((line, index) => index >= from && line.trim() === anchor.trim());
    if (at < 0) return { problem: `no line ${quote(anchor)} ${behind(search.from)}` };
    from = anchor === anchors.at(-1) && old[0]?.trim() === anchor.trim() ? at : at + 1;
  }
  if (old.length === 0) return { at: anchors.length > 0 ? from : target.lines.length, exact: true };
  const exact = fits(target.plain, old.map(plainLine), from, hunk.place?.end);
  const found =
    exact.at.length > 0
      ? exact
      : fits(
          target.bare,
          old.map((line) => line.trimEnd()),
          from,
          hunk.place?.end,
        );
  const [first] = found.at;
  if (first === undefined) return nearMiss(target, old, found, search.from);
  if (anchors.length === 0 && !hunk.place?.end && apart(found.at, old.length) > search.like) {
    const places = found.at.slice(0, 5).map((at) => at + 1);
    return { problem: `it fits at lines ${places.join(", ")}: name a line above it after @@, or add context` };
  }
  return { at: first, exact: found === exact };
}

const quote = (line: string) => `"${line.trim().length > 120 ? `${line.trim().slice(0, 120)}…` : line.trim()}"`;
const behind = (from: number) =>
  from > 0 ? `behind line ${from} (hunks stand in file order, unless their lines occur once)` : "in the file";

function nearMiss(target: Target, old: string[], found: Fits, from: number): Misfit {
  const { length, at } = found.longest;
  if (found.fitsBeforeEnd) return { problem: `it says End of File, but its lines do not end the file` };
  if (length === 0) return nothingFits(target, old, from);
  const actual = target.lines[at + length];
  const stands = actual === undefined ? "the file ends" : `line ${at + length + 1} of the file is another`;
  const problem = `its first ${length} line${length > 1 ? "s" : ""} fit at line ${at + 1}, but then ${stands} where the patch has ${quote(old[length] ?? "")}`;
  return actual === undefined ? { problem } : { problem, excerpt: excerpt(target.lines, at, length) };
}

function nothingFits(target: Target, old: string[], from: number): Misfit {
  const problem = `no line ${quote(old[0] ?? "")} ${behind(from)}`;
  const near = nearestLines(target.plain.join("\n"), old.join("\n"));
  if (!near) return { problem };
  const shown = excerpt(target.lines, near.from - 1, 0);
  return { problem: `${problem}; closest is line ${near.from}, shown below`, excerpt: shown };
}

const excerptLines = 8;
const excerptWidth = 200;

/** The lines around the first one that differs. */
function excerpt(lines: readonly string[], at: number, length: number): string {
  const from = Math.max(at, at + length - 2);
  const shown = lines.slice(from, from + excerptLines).map((line) => line.trimEnd());
  return shown.map((line) => (line.length > excerptWidth ? `${line.slice(0, excerptWidth)}…` : line)).join("\n");
}

function apart(places: readonly number[], length: number): number {
  let count = 0;
  let next = 0;
  for (const at of places) {
    if (at < next) continue;
    count += 1;
    next = at + length;
  }
  return count;
}

interface Fits {
  at: number[];
  longest: { length: number; at: number };
  fitsBeforeEnd: boolean;
}

/** All places of `needle` from line `from` on (Knuth-Morris-Pratt: hostile repetition stays linear). */
function fits(lines: readonly string[], needle: readonly string[], from: number, end: boolean | undefined): Fits {
  const fallback = fallbacks(needle);
  const found: Fits = { at: [], longest: { length: 0, at: from }, fitsBeforeEnd: false };
  let length = 0;
  for (let index = from; index < lines.length; index += 1) {
    while (length > 0 && lines[index] !== needle[length]) length = fallback[length - 1] ?? 0;
    if (lines[index] === needle[length]) length += 1;
    if (length > found.longest.length) found.longest = { length, at: index - length + 1 };
    if (length < needle.length) continue;
    if (end && index + 1 < lines.length) found.fitsBeforeEnd = true;
    else found.at.push(index - length + 1);
    length = fallback[length - 1] ?? 0;
  }
  return found;
}

function fallbacks(needle: readonly string[]): Int32Array {
  const fallback = new Int32Array(needle.length);
  let length = 0;
  for (let index = 1; index < needle.length; index += 1) {
    while (length > 0 && needle[index] !== needle[length]) length = fallback[length - 1] ?? 0;
    if (needle[index] === needle[length]) length += 1;
    fallback[index] = length;
  }
  return fallback;
}
