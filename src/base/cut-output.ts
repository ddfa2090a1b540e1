// A long output cut in its middle: at line ends, and a diff between its hunks, with the files named of which something is missing.
import { byteLength, headTail } from "./head-tail.ts";

/** What is cut loses at least this part: a note that little is missing costs more than the little itself. */
export const shownOfCut = 0.7;

/** Up to `head + tail` bytes are shown whole. What is longer is shown to 70 % of them. */
export function cutOutput(text: string, limits: { head: number; tail: number }): string {
  if (text.length <= limits.head + limits.tail && byteLength(text) <= limits.head + limits.tail) return text;
  const room = { head: Math.floor(limits.head * shownOfCut), tail: Math.floor(limits.tail * shownOfCut) };
  return cutDiff(text, room) ?? cutLines(text, room);
}

function cutLines(text: string, { head, tail }: { head: number; tail: number }): string {
  const cut = headTail(text, head, tail);
  return joined(cut.head, `[… ${cut.left} bytes left out …]`, cut.tail);
}

const joined = (head: string, note: string, tail: string): string =>
  `${head.endsWith("\n") || head === "" ? head : `${head}\n`}${note}\n${tail}`;

/** Where a diff may be cut: before the head of a file, or before a hunk. */
interface Border {
  at: number;
  file: string;
  hunk: boolean;
}

const mostNamed = 20;
const longestName = 120;
/** A border that would waste more of the room is not used: a huge hunk is cut at a line. */
const leastUsed = 0.5;

function cutDiff(text: string, room: { head: number; tail: number }): string | undefined {
  const borders = bordersOf(text);
  if (borders.length < 2) return undefined;
  const sizes = bytesTo(text, borders);
  const all = byteLength(text);
  const headEnd = borders.findLastIndex((_, index) => (sizes[index] ?? 0) <= room.head);
  const tailStart = borders.findIndex((_, index) => all - (sizes[index] ?? 0) <= room.tail);
  const headFits = headEnd >= 0 && (sizes[headEnd] ?? 0) >= room.head * leastUsed;
  const tailFits = tailStart > headEnd && all - (sizes[tailStart] ?? 0) >= room.tail * leastUsed;
  const byLines = headTail(text, room.head, room.tail);
  const head = headFits ? text.slice(0, borders[headEnd]?.at) : byLines.head;
  const tail = tailFits ? text.slice(borders[tailStart]?.at) : byLines.tail;
  const until = text.length - tail.length;
  const goesOn = tail === "" ? undefined : fileAt(borders, until);
  const begins = borders.some(({ at, hunk }) => !hunk && at === until);
  const bytes = all - byteLength(head) - byteLength(tail);
  const follows = goesOn === undefined || begins ? "" : `; what follows is of ${goesOn}`;
  return joined(head, `[… ${bytes} bytes left out: ${missing(borders, head.length, until)}${follows} …]`, tail);
}

function bordersOf(text: string): Border[] {
  const borders: Border[] = [];
  const marks = /^(?:diff --git (.+)|--- (.+)\r?\n\+\+\+ (.+)\r?\n(?=@@ )|@@@* -)/gm;
  let file = "";
  let gitHead = false;
  for (const found of text.matchAll(marks)) {
    const [, git, before, after] = found;
    if (git !== undefined) {
      file = nameOf(git.slice(Math.floor(git.length / 2) + 1));
      borders.push({ at: found.index, file, hunk: false });
      gitHead = true;
    } else if (after !== undefined) {
      const name = nameOf(/^\/dev\/null\b/.test(after) ? (before ?? "") : after);
      // The names of git's own head follow it, after its lines on modes and the index.
      const last = borders.at(-1);
      if (gitHead && last && !last.hunk) last.file = name;
      else borders.push({ at: found.index, file: name, hunk: false });
      file = name;
      gitHead = false;
    } else if (borders.length > 0) {
      borders.push({ at: found.index, file, hunk: true });
      gitHead = false;
    }
  }
  return borders;
}

function nameOf(text: string): string {
  const name = text
    .replace(/\t.*$/, "")
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/^[abciw]\//, "");
  return name.length > longestName ? `…${name.slice(1 - longestName)}` : name;
}

/** Bytes before each border, in one pass. */
function bytesTo(text: string, borders: readonly Border[]): number[] {
  let bytes = 0;
  let from = 0;
  return borders.map(({ at }) => {
    bytes += byteLength(text.slice(from, at));
    from = at;
    return bytes;
  });
}

const fileAt = (borders: readonly Border[], at: number): string | undefined =>
  borders.findLast((border) => border.at <= at)?.file;

/** The files between the two places, each with how many of its hunks are not shown whole. */
function missing(borders: readonly Border[], from: number, to: number): string {
  const counts = new Map<string, { gone: number; all: number }>();
  for (const [index, { at, file, hunk }] of borders.entries()) {
    const count = counts.get(file) ?? { gone: 0, all: 0 };
    counts.set(file, count);
    if (!hunk) continue;
    const end = borders[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    count.all += 1;
    if (at < to && end > from) count.gone += 1;
  }
  const gone = [...counts].filter(([file, { gone }]) => gone > 0 || headGone(borders, file, { from, to }));
  const named = gone.slice(0, mostNamed).map(([file, count]) => `${file}${hunkText(count)}`);
  return [...named, ...(gone.length > mostNamed ? [`and ${gone.length - mostNamed} more files`] : [])].join(", ");
}

/** A file without a hunk: a new name or mode, or a binary one. */
const headGone = (borders: readonly Border[], name: string, { from, to }: { from: number; to: number }): boolean =>
  borders.some(({ at, file, hunk }) => !hunk && file === name && at >= from && at < to);

function hunkText({ gone, all }: { gone: number; all: number }): string {
  if (all === 0) return "";
  return gone === all ? ` (all ${all === 1 ? "of it" : `${all} hunks`})` : ` (${gone} of ${all} hunks)`;
}
