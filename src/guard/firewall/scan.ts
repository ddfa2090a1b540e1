// Finds secrets in a text: positions, kinds, nothing else. One walk finds the words that patterns begin with.
import { Automaton, searchEach } from "./automaton.ts";
import { isPrinted } from "./patterns/entropy.ts";
import { assignedAt } from "./patterns/assignments.ts";
import { blocksIn } from "./patterns/blocks.ts";
import { nameTriggers, vendors } from "./patterns/names.ts";
import { pipelinePatterns } from "./patterns/pipelines.ts";
import type { Pattern } from "./patterns/spec.ts";
import { structurePatterns } from "./patterns/structures.ts";
import { tokenPatterns } from "./patterns/tokens.ts";
import { settingsIn } from "./settings.ts";
import { undressed } from "./undressed.ts";

export interface Finding {
  from: number;
  to: number;
  kind: string;
  /** The secret itself, where signs of a listing or a diff stand within the range. */
  secret?: string;
}

/** `.env` files: every value is taken for a secret, however plain it looks. */
export type Reading = "ordinary" | "environment";

const assigned = "credential";

type Use = { pattern: Pattern } | { name: true } | { vendor: number };

export const patterns: readonly Pattern[] = [...structurePatterns, ...pipelinePatterns, ...tokenPatterns];

interface Triggers {
  words: string[];
  uses: Use[];
}

let listed: Triggers | undefined;

function triggers(): Triggers {
  if (listed) return listed;
  const words: string[] = [];
  const uses: Use[] = [];
  const add = (word: string, use: Use) => {
    words.push(word.toLowerCase());
    uses.push(use);
  };
  for (const pattern of patterns) for (const word of pattern.triggers) add(word, { pattern });
  for (const word of nameTriggers) add(word, { name: true });
  for (const word of vendors) if (word.length > 3) add(word, { vendor: word.length });
  listed = { words, uses };
  return listed;
}

let made: Automaton | undefined;
/** Up to this length, and for so many characters in all, looking for each word by itself costs less than building. */
const shortText = 2000;
let unbuilt = 20_000;

/** Built when it pays: the first request waits for it. */
const search: Automaton["search"] = (text, found) => {
  const { words } = triggers();
  if (!made && text.length <= shortText && unbuilt >= text.length) {
    unbuilt -= text.length;
    searchEach(words, text, found);
  } else (made ??= new Automaton(words)).search(text, found);
};

/** Non-overlapping, in order. */
export function scan(text: string, reading: Reading = "ordinary"): Finding[] {
  const found = scanAsIs(text, reading);
  const plain = undressed(text);
  if (!plain) return found;
  const more = scanAsIs(plain.text, "ordinary").map(({ from, to, kind }): Finding => {
    const range = plain.range(from, to);
    return range.to - range.from === to - from
      ? { ...range, kind }
      : { ...range, kind, secret: plain.text.slice(from, to) };
  });
  return more.length === 0 ? found : merged([...found, ...more]);
}

function scanAsIs(text: string, reading: Reading): Finding[] {
  const { uses } = triggers();
  const found: Finding[] = [];
  const tried = new Map<Pattern, number>();
  let named = 0;
  let vendorEnd = Number.NEGATIVE_INFINITY;
  search(text, (at, word) => {
    const use = uses[word] as Use;
    if ("pattern" in use) {
      const to = matched(text, at, use.pattern, tried, found);
      if (to !== undefined) tried.set(use.pattern, to);
      return;
    }
    if (at < named) return;
    const given = assignedAt(text, at, vendorEnd);
    if (given) {
      if ("name" in use || given.secret) named = given.nameEnd;
      if (given.secret) found.push({ from: given.from, to: given.to, kind: assigned });
    }
    if ("vendor" in use) vendorEnd = at + use.vendor;
  });
  for (const block of blocksIn(text)) found.push(block);
  if (reading === "environment")
    for (const { from, value } of settingsIn(text)) found.push({ from, to: from + value.length, kind: "value" });
  const kept = found.filter(({ from, to, kind }) => kind === "value" || !isPrinted(text.slice(from, to)));
  return kept.length < 2 ? kept : merged(kept);
}

/** Where a match of the pattern ended. */
function matched(
  text: string,
  at: number,
  pattern: Pattern,
  ...[tried, found]: [tried: Map<Pattern, number>, found: Finding[]]
): number | undefined {
  const start = pattern.start ? pattern.start(text, at) : at;
  if (start === undefined || start < (tried.get(pattern) ?? 0)) return undefined;
  pattern.pattern.lastIndex = start;
  const match = pattern.pattern.exec(text);
  if (!match) return undefined;
  const secret = Object.values(match.groups ?? {}).length === 0 ? match[0] : secretGroup(match);
  if (pattern.confirm && !pattern.confirm(secret, match)) return undefined;
  const from = match.index + (secret === match[0] ? 0 : match[0].lastIndexOf(secret));
  found.push({ from, to: from + secret.length, kind: pattern.kind });
  return match.index + match[0].length;
}

/** The group `secret`; without one, the group that took part; without any, all. */
function secretGroup({ 0: all, groups = {} }: RegExpExecArray): string {
  if (groups["secret"] !== undefined) return groups["secret"];
  const { user: _user, host: _host, ...rest } = groups;
  return Object.values(rest).find((value) => value !== undefined) ?? all;
}

/** What overlaps becomes one; its kind is the earlier one's, of two that start together the longer's. */
export function merged(found: readonly Finding[]): Finding[] {
  const sorted = found.toSorted(
    (left, right) =>
      left.from - right.from ||
      right.to - left.to ||
      Number(left.secret === undefined) - Number(right.secret === undefined) ||
      Number(left.kind === assigned) - Number(right.kind === assigned),
  );
  const kept: Finding[] = [];
  for (const each of sorted) {
    const last = kept.at(-1);
    if (!last || each.from >= last.to) kept.push(each);
    else if (each.to > last.to) kept[kept.length - 1] = { from: last.from, to: each.to, kind: last.kind };
  }
  return kept;
}
