// Words spelled so that only a reader who means to will read them: shifted, reversed, with digits, gaps or cuts in them.
import type { Layer } from "./characters.ts";
import type { Sentence } from "./sentences.ts";
import { entryFor, strongStarts, strongWords } from "./words.ts";

const mostLayers = 40;

/** The differences between a word's letters stay when all are shifted alike. */
function shape(word: string): string {
  let text = "";
  for (let at = 1; at < word.length; at += 1)
    text += String.fromCharCode(97 + ((word.charCodeAt(at) - word.charCodeAt(at - 1) + 26) % 26));
  return text;
}

const shapes = new Map(
  [...strongWords].filter((word) => word.length > 4).map((word) => [shape(word), word.charCodeAt(0)]),
);
/** Words that are none both ways; short ones turn up in code (`elif`), so only many of them say something. */
function mirroredWords(text: string): number {
  let strong = 0;
  let small = 0;
  for (const word of new Set(text.toLowerCase().match(/[a-z]{3,20}/g))) {
    const plain = [...word].reverse().join("");
    if (strongWords.has(plain)) strong += 1;
    else if (entryFor(plain) !== undefined && entryFor(word) === undefined) small += 1;
  }
  return strong > 1 || strong + small > 4 ? 2 : 0;
}

const shifted = (text: string, by: number): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + by + 26) % 26) + base);
  });

/** Sentences that are of no language: shifted by some letters, or written backwards. */
function strangeLayers(text: string, sentences: readonly Sentence[]): Layer[] {
  const layers: Layer[] = [];
  for (const { strange, from, to } of sentences) {
    if (!strange || layers.length >= mostLayers) continue;
    // What is written backwards ends where it begins, so the sentences beside it belong to it.
    const before = Math.max(0, from - 200);
    const start = before + text.slice(before, from + 1).lastIndexOf("\n") + 1;
    const read = text.slice(start, Math.min(to + 200, from + 1000));
    const votes = new Map<number, number>([[0, mirroredWords(read)]]);
    for (const [word] of read.toLowerCase().matchAll(/[a-z]{5,20}/g)) {
      const first = word.length > 4 ? shapes.get(shape(word)) : undefined;
      const by = first === undefined ? 0 : (first - word.charCodeAt(0) + 26) % 26;
      if (by !== 0) votes.set(by, (votes.get(by) ?? 0) + 1);
    }
    for (const [by, count] of votes) {
      if (count < 2) continue;
      const plain = by === 0 ? [...read].reverse().join("") : shifted(read, by);
      layers.push({ text: plain, rule: by === 0 ? "reversed text" : "shifted letters", start, end: to });
    }
  }
  return layers;
}

const digits: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
};
const letters = (word: string, one: string) =>
  word.replace(/[0134578]/g, (digit) => (digit === "1" ? one : (digits[digit] ?? digit)));
const withDigits = /\b[a-z]{0,20}[0134578][a-z0134578]{1,20}\b/gi;
const anyDigits = /[a-z][0134578][a-z]|\b[0134578][a-z]{3}/i;

/** Ranges that hold at least two hits close to each other. */
function clusters(hits: readonly [number, number][]): [number, number][] {
  const found: [number, number][] = [];
  let count = 0;
  for (const [start, end] of hits) {
    const last = found.at(-1);
    if (last && start - last[1] < 120) {
      last[1] = end;
      count += 1;
    } else {
      if (last && count < 2) found.pop();
      found.push([start, end]);
      count = 1;
    }
  }
  if (count < 2) found.pop();
  return found.slice(0, mostLayers);
}

function around(text: string, [start, end]: readonly [number, number]): { read: string; start: number; end: number } {
  const from = Math.max(0, start - 150);
  return { read: text.slice(from, Math.min(text.length, Math.min(end, start + 3000) + 150)), start, end };
}

function leetLayers(text: string): Layer[] {
  if (!anyDigits.test(text)) return [];
  const hits: [number, number][] = [];
  const small: [number, number][] = [];
  for (const match of text.matchAll(withDigits)) {
    const word = match[0].toLowerCase();
    if (!/[a-z]/.test(word)) continue;
    const both = [letters(word, "i"), letters(word, "l")];
    const range: [number, number] = [match.index, match.index + word.length];
    if (both.some((each) => strongWords.has(each))) hits.push(range);
    else if (word.length > 2 && both.some((each) => entryFor(each) !== undefined)) small.push(range);
  }
  // Short words are only taken for words where there are many.
  const ranges =
    hits.length > 1
      ? clusters(hits)
      : clusters(small.length > 3 ? [...hits, ...small].sort((left, right) => left[0] - right[0]) : []);
  return ranges.map((range) => {
    const { read, start, end } = around(text, range);
    const plain = read.replace(/[a-z0134578]{1,20}/gi, (word) => {
      const other = letters(word, "l");
      return strongWords.has(other.toLowerCase()) || entryFor(other.toLowerCase()) ? other : letters(word, "i");
    });
    return { text: plain, rule: "digits for letters", start, end };
  });
}

const spelled = /\b[a-z](?:[ .\-_*|]{1,4}[a-z]\b){7,4000}/gi;
const cut = /\b([a-z]{1,4})[ \-·.](?=([a-z]{2,14})\b)/gi;
const joined = /["'`]\s{0,4}\+\s{0,4}["'`]/g;

/** Letters with gaps: wider gaps part words; where all are alike, known words are cut out. */
function spelledLayers(text: string): Layer[] {
  const layers: Layer[] = [];
  for (const match of text.matchAll(spelled)) {
    if (layers.length >= mostLayers) break;
    const [run] = match;
    const wide = /[a-z] {2,}[a-z]/i.test(run) ? / {2,}/ : /[.\-_*|]/.test(run) ? / +/ : undefined;
    const plain = wide
      ? run
          .split(wide)
          .map((word) => word.replace(/[^a-z]/gi, ""))
          .join(" ")
      : knownWords(run.replace(/[^a-z]/gi, "").toLowerCase());
    layers.push({ text: plain, rule: "spaced letters", start: match.index, end: match.index + run.length });
  }
  return layers;
}

function knownWords(letters: string): string {
  const words: string[] = [];
  let rest = "";
  for (let at = 0; at < letters.length; ) {
    const length = [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2].find((size) => {
      const word = letters.slice(at, at + size);
      return word.length === size && entryFor(word) !== undefined;
    });
    if (length === undefined) {
      rest += letters.charAt(at);
      at += 1;
      continue;
    }
    if (rest !== "") words.push(rest);
    rest = "";
    words.push(letters.slice(at, at + length));
    at += length;
  }
  return [...words, rest].join(" ");
}

function cutLayers(text: string): Layer[] {
  const hits: [number, number][] = [];
  for (const match of text.matchAll(cut)) {
    const first = (match[1] ?? "").toLowerCase();
    const second = (match[2] ?? "").toLowerCase();
    if (strongStarts.has(first) && strongWords.has(first + second))
      hits.push([match.index, match.index + first.length + second.length + 1]);
  }
  return clusters(hits).map((range) => {
    const { read, start, end } = around(text, range);
    const plain = read.replace(/\b([a-z]{1,4})[ \-·.]([a-z]{2,14})\b/gi, (whole, first: string, second: string) => {
      const word = (first + second).toLowerCase();
      const known = strongWords.has(word) || (entryFor(word) && !entryFor(second.toLowerCase()));
      return known ? first + second : whole;
    });
    return { text: plain, rule: "split words", start, end };
  });
}

/** Strings that code puts together are read whole. */
function joinedLayers(text: string): Layer[] {
  const hits = [...text.matchAll(joined)].map((match): [number, number] => [
    match.index,
    match.index + match[0].length,
  ]);
  return clusters(hits).map((range) => {
    const { read, start, end } = around(text, range);
    return { text: read.replace(joined, ""), rule: "joined strings", start, end };
  });
}

export const cipherLayers = (text: string, sentences: readonly Sentence[]): Layer[] => [
  ...strangeLayers(text, sentences),
  ...leetLayers(text),
  ...spelledLayers(text),
  ...cutLayers(text),
  ...joinedLayers(text),
];
