// Evidence beside the words of a file: its own name, the scope of the title, its definitions and its neighbours.
import path from "node:path";
import { wordsOf, wordsOfName } from "../../base/code-words.ts";
import type { Catalog } from "../../io/index/catalog.ts";
import type { Corpus } from "./files.ts";
import type { Question } from "./question.ts";
import { type Scores, topOf } from "./scores.ts";
import type { Weights } from "./weights.ts";

export interface EvidenceWorld {
  catalog: Catalog;
  corpus: Corpus;
  weights: Weights;
}

/** How much a word of the question tells: rare words tell more. */
export type Worth = ReadonlyMap<string, number>;

/** Files whose own name the question says: `tiff.c` for "the TIFF coder". A name that is said whole counts most. */
export function addOwnNames({ corpus, weights }: EvidenceWorld, worth: Worth, scores: Scores, best: number): void {
  const top = Math.max(1e-9, ...worth.values());
  const said = new Map<number, number>();
  for (const [word, value] of worth)
    for (const { at, own } of corpus.pathWords.get(word) ?? []) if (own) said.set(at, (said.get(at) ?? 0) + value);
  for (const [at, value] of said) {
    if ((scores.total[at] ?? 0) <= 0) continue;
    const file = corpus.files[at]?.path ?? "";
    const words = ownWords(file);
    // A word of the name that the question does not say takes off as much as a word that tells well would add.
    const unsaid = words.filter((word) => !worth.has(word)).length * top * 0.7;
    scores.add(at, "name", (weights.ownName * best * value * value) / ((value + unsaid) * Math.max(top, value)));
  }
}

const ownWords = (file: string): string[] => {
  const bare = path.basename(file).replace(/\.[^.]*$/, "");
  const words = wordsOf(bare);
  // The whole name is no further word of it.
  return words.length > 2 ? words.slice(0, -1) : words;
};

/** Files and folders that the beginning of the title names, as in "http2: count the frames". */
export function addScope({ corpus, weights }: EvidenceWorld, { scope }: Question, scores: Scores, best: number): void {
  if (scope.length === 0) return;
  const counts = new Map<number, number>();
  for (const word of scope)
    for (const { at, own } of corpus.pathWords.get(word) ?? []) counts.set(at, (counts.get(at) ?? 0) + (own ? 1 : 0.6));
  for (const [at, count] of counts)
    if ((scores.total[at] ?? 0) > 0) scores.add(at, "scope", (weights.scope * best * count) / scope.length);
}

const mostDefining = 30;

/** A definition whose name the question says word by word. */
export function addDefined(
  { catalog, corpus, weights }: EvidenceWorld,
  worth: Worth,
  scores: Scores,
  best: number,
): void {
  const top = Math.max(1e-9, ...worth.values());
  for (const at of topOf(scores.total, mostDefining)) {
    const text = corpus.files[at]?.text ?? -1;
    if (text < 0) continue;
    let most = 0;
    for (const name of catalog.namesOf(text)) {
      let said = 0;
      let unsaid = 0;
      const words = wordsOfName(name);
      for (const word of words.length > 2 ? words.slice(0, -1) : words) {
        const value = worth.get(word);
        if (value === undefined) unsaid++;
        else said += value;
      }
      if (said > 0) most = Math.max(most, (said * said) / (said + unsaid * top * 0.5));
    }
    if (most > 0) scores.add(at, "defined", (weights.defined * best * most) / (most + 2 * top));
  }
}

const mostNeighbours = 60;

/** What a likely file imports, and what imports it, is a little likelier. */
export function addNeighbours({ corpus, weights }: EvidenceWorld, scores: Scores): void {
  const given = new Map<number, number>();
  for (const at of topOf(scores.total, mostNeighbours)) {
    const value = scores.total[at] ?? 0;
    const near = corpus.near.get(at) ?? [];
    for (const other of near) given.set(other, Math.max(given.get(other) ?? 0, value / Math.log2(2 + near.length)));
  }
  for (const [at, value] of given)
    if ((scores.total[at] ?? 0) > 0) scores.add(at, "neighbours", weights.neighbours * value);
}
