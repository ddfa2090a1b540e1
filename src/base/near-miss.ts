// Where a text that is not there almost is, and what differs: a hint for whoever looked for it.

export type Difference = "indentation" | "whitespace" | "quotes" | "case" | "content";

export interface NearMiss {
  /** Lines counted from 1, inclusive. */
  from: number;
  to: number;
  /** What really stands there. */
  text: string;
  differs: Difference[];
  /** The first line that differs by more than the other kinds of difference. */
  first?: { line: number; wanted: string; found: string };
}

const maxCandidates = 200;

const plainQuotes = (text: string) => text.replace(/[`"\u2018\u2019\u201c\u201d]/g, "'");
const bare = (line: string) => plainQuotes(line).replace(/\s+/g, "").toLowerCase();

export function nearestLines(text: string, wanted: string): NearMiss | undefined {
  const target = trimBlank(wanted.split(/\r?\n/));
  if (target.length === 0) return undefined;
  const lines = text.split(/\r?\n/);
  const starts = candidates(lines, target);
  let best: { start: number; score: number } | undefined;
  const bareTarget = target.map(bare);
  for (const start of starts) {
    const score = bareTarget.filter((line, index) => bare(lines[start + index] ?? "") === line).length;
    if (!best || score > best.score) best = { start, score };
  }
  return best && describe(lines, target, best.start);
}

function trimBlank(lines: string[]): string[] {
  let from = 0;
  let to = lines.length;
  while (from < to && !lines[from]?.trim()) from += 1;
  while (to > from && !lines[to - 1]?.trim()) to -= 1;
  return lines.slice(from, to);
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

function describe(lines: readonly string[], target: readonly string[], start: number): NearMiss {
  const found = lines.slice(start, start + target.length);
  const differs = new Set<Difference>();
  let first: NearMiss["first"];
  for (const [index, wanted] of target.entries()) {
    const there = found[index] ?? "";
    const kind = lineDifference(wanted, there);
    for (const each of kind) differs.add(each);
    if (kind.includes("content")) first ??= { line: start + index + 1, wanted, found: there };
  }
  return {
    from: start + 1,
    to: start + found.length,
    text: found.join("\n"),
    differs: [...differs],
    ...(first && { first }),
  };
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
