// Where a text that is not there almost is, and what differs: a hint for whoever looked for it.

export type Difference = "indentation" | "whitespace" | "quotes" | "case" | "content" | "blank lines";

export interface NearMiss {
  /** Lines counted from 1, inclusive. */
  from: number;
  to: number;
  /** What really stands there. */
  text: string;
  differs: Difference[];
  /** The first line that differs by more than the other kinds of difference. */
  first?: { line: number; wanted: string; found: string };
  /** The first blank line that the wanted text lacks, or the line after which it has one that is not there. */
  blank?: { lacks: number } | { tooManyAfter: number };
}

const maxCandidates = 200;

const plainQuotes = (text: string) => text.replace(/[`"\u2018\u2019\u201c\u201d]/g, "'");
const bare = (line: string) => plainQuotes(line).replace(/\s+/g, "").toLowerCase();

/** Lines that hold something, each with its place among all, and how many blank lines stand before it. */
interface Filled {
  lines: string[];
  at: number[];
  /** One more than there are lines: those at the end. */
  gaps: number[];
}

function filled(all: readonly string[]): Filled {
  const found: Filled = { lines: [], at: [], gaps: [0] };
  for (const [at, line] of all.entries())
    if (line.trim() === "") found.gaps[found.gaps.length - 1] = (found.gaps.at(-1) ?? 0) + 1;
    else {
      found.lines.push(line);
      found.at.push(at);
      found.gaps.push(0);
    }
  return found;
}

/** Blank lines count for nothing in where it is, only in what differs. */
export function nearestLines(text: string, wanted: string): NearMiss | undefined {
  const target = filled(wanted.replace(/\r?\n$/, "").split(/\r?\n/));
  if (target.lines.length === 0) return undefined;
  const all = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const there = filled(all);
  const starts = candidates(there.lines, target.lines);
  let best: { start: number; score: number } | undefined;
  const bareTarget = target.lines.map(bare);
  const bareThere = there.lines.map(bare);
  for (const start of starts) {
    const score = bareTarget.filter((line, index) => bareThere[start + index] === line).length;
    if (!best || score > best.score) best = { start, score };
  }
  return best && describe(all, there, target, best.start);
}

/** Starts at which some telling line of the target stands at its place, compared without blanks, quotes and case. */
function candidates(lines: readonly string[], target: readonly string[]): number[] {
  const anchors = target
    .map((line, index) => ({ index, key: bare(line) }))
    .filter(({ key }) => key.length > 2)
    .toSorted((left, right) => right.key.length - left.key.length)
    .slice(0, 4);
  const places = new Map(anchors.map(({ key, index }) => [key, index]));
  const starts = new Set<number>();
  for (let at = 0; at < lines.length && starts.size < maxCandidates; at += 1) {
    const index = places.get(bare(lines[at] ?? ""));
    if (index !== undefined && at >= index) starts.add(at - index);
  }
  if (starts.size > 0 || !anchors[0]) return [...starts];
  const telling = target[anchors[0].index] ?? "";
  const similar = mostSimilar(lines, telling) ?? mostAlike(lines, telling);
  return similar === undefined ? [] : [Math.max(0, similar - anchors[0].index)];
}

const mostCompared = 300;
const longestCompared = 400;

/** The line that has a part most like a short `wanted`, by pairs of characters that both have: two thirds of them at least. */
function mostAlike(lines: readonly string[], wanted: string): number | undefined {
  const pairs = pairsOf(wanted);
  if (pairs.size < 3 || wanted.length > longestCompared) return undefined;
  let best: number | undefined;
  let most = Math.max(3, Math.ceil((pairs.size * 2) / 3)) - 1;
  for (const [at, line] of lines.entries()) {
    const shared = [...pairs].filter((pair) => line.includes(pair)).length;
    if (shared <= most) continue;
    most = shared;
    best = at;
  }
  return best;
}

function pairsOf(text: string): Set<string> {
  const bare = text.trim().slice(0, mostCompared);
  return new Set(Array.from({ length: Math.max(0, bare.length - 1) }, (_, at) => bare.slice(at, at + 2)));
}

/** The line that shares the most words with `wanted`, when it shares at least half of them. */
function mostSimilar(lines: readonly string[], wanted: string): number | undefined {
  const words = [...new Set(wanted.match(/\w{2,}/g))].slice(0, 12);
  if (words.length < 2) return undefined;
  let best: number | undefined;
  let most = Math.max(2, Math.ceil(words.length / 2)) - 1;
  for (const [at, line] of lines.entries()) {
    const shared = words.filter((word) => line.includes(word)).length;
    if (shared > most) {
      most = shared;
      best = at;
    }
  }
  return best;
}

function describe(all: readonly string[], there: Filled, target: Filled, start: number): NearMiss {
  const differs = new Set<Difference>();
  let first: NearMiss["first"];
  for (const [index, wanted] of target.lines.entries()) {
    const found = there.lines[start + index] ?? "";
    const kind = lineDifference(wanted, found);
    for (const each of kind) differs.add(each);
    const line = (there.at[start + index] ?? all.length) + 1;
    if (kind.includes("content")) first ??= { line, wanted, found };
  }
  const end = Math.min(start + target.lines.length, there.lines.length);
  // The blank lines at its edges belong to it as far as the wanted text has some there.
  const edge = (gap: number, wanted: number | undefined) => Math.min(there.gaps[gap] ?? 0, wanted ?? 0);
  const from = (there.at[start] ?? 0) - edge(start, target.gaps[0]);
  const to = (there.at[end - 1] ?? 0) + 1 + edge(end, target.gaps.at(-1));
  const blank = blankDifference(there, target, start);
  if (blank) differs.add("blank lines");
  // Nothing else is left that could differ.
  if (differs.size === 0) differs.add("whitespace");
  return {
    ...{ from: from + 1, to, text: all.slice(from, to).join("\n"), differs: [...differs] },
    ...(first && { first }),
    ...(blank && { blank }),
  };
}

function blankDifference(there: Filled, target: Filled, start: number): NearMiss["blank"] {
  for (const [index, wanted] of target.gaps.entries()) {
    const found = there.gaps[start + index] ?? 0;
    const edge = index === 0 || index === target.lines.length;
    const before = (there.at[start + index - 1] ?? -1) + 1;
    if (found > wanted && !edge) return { lacks: before + 1 + wanted };
    if (found < wanted) return { tooManyAfter: before + found };
  }
  return undefined;
}

function lineDifference(wanted: string, found: string): Difference[] {
  if (wanted === found) return [];
  if (bare(wanted) !== bare(found)) return ["content"];
  const kinds: Difference[] = [];
  const indent = (line: string) => /^\s*/.exec(line)?.[0] ?? "";
  if (indent(wanted) !== indent(found)) kinds.push("indentation");
  const left = wanted.trimStart();
  const right = found.trimStart();
  const noBlank = (line: string) => line.replace(/\s+/g, "");
  if (plainQuotes(left).toLowerCase() !== plainQuotes(right).toLowerCase()) kinds.push("whitespace");
  if (plainQuotes(noBlank(left)) !== plainQuotes(noBlank(right))) kinds.push("case");
  if (noBlank(left).toLowerCase() !== noBlank(right).toLowerCase()) kinds.push("quotes");
  return kinds;
}
