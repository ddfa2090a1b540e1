// Which files a question is about: words by field (BM25F), and the evidence beside them.
import { codeOf, commentOf, nameOf } from "../../base/postings.ts";
import type { Catalog } from "../../io/index/catalog.ts";
import type { Corpus } from "./files.ts";
import type { History } from "./history.ts";
import type { Question } from "./question.ts";
import type { Weights } from "./weights.ts";

/** Kinds of evidence, as `explain` names them. */
export type Evidence = "words" | "path" | "defines" | "mentioned" | "history" | "imported" | "bridge";

export interface Ranked {
  path: string;
  text: number;
  score: number;
  /** The line that the question names, where it names one. */
  line: number | undefined;
  why: Partial<Record<Evidence, number>>;
  /** Words that count most for it. */
  words: string[];
}

export interface RankWorld {
  catalog: Catalog;
  corpus: Corpus;
  history: History | undefined;
  weights: Weights;
}

/** A word in more texts than this says little; with many words asked for, it is left out. */
const mostShare = 0.5;

/** Of all files at once: a word may stand in ten thousand of them. */
class Scores {
  readonly total: Float64Array;
  readonly #count: number;
  readonly #kinds = new Map<Evidence, Float64Array>();
  /** For each word, files and what it counts for them in turn. */
  readonly #words: { word: string; values: readonly number[] }[] = [];
  line = new Map<number, number>();

  constructor(count: number) {
    this.#count = count;
    this.total = new Float64Array(count);
  }

  add(at: number, kind: Evidence, value: number): void {
    this.total[at] = (this.total[at] ?? 0) + value;
    const values = this.of(kind);
    values[at] = (values[at] ?? 0) + value;
  }

  of(kind: Evidence): Float64Array {
    let values = this.#kinds.get(kind);
    if (!values) this.#kinds.set(kind, (values = new Float64Array(this.#count)));
    return values;
  }

  note(word: string, values: number[]): void {
    this.#words.push({ word, values });
  }

  why(at: number): Partial<Record<Evidence, number>> {
    const found = [...this.#kinds].map(([kind, values]) => [kind, values[at] ?? 0] as const);
    return Object.fromEntries(found.filter(([, value]) => value !== 0));
  }

  /** Of the files that are asked for, the words that count most for each. */
  wordsOf(places: readonly number[]): ReadonlyMap<number, string[]> {
    const wanted = new Map<number, [string, number][]>(places.map((at) => [at, []]));
    for (const { word, values } of this.#words)
      for (let at = 0; at < values.length; at += 2) wanted.get(values[at] ?? -1)?.push([word, values[at + 1] ?? 0]);
    const best = (list: [string, number][]) => list.toSorted((a, b) => b[1] - a[1]).slice(0, 6);
    return new Map([...wanted].map(([at, list]) => [at, best(list).map(([word]) => word)]));
  }
}

export function rank(world: RankWorld, question: Question, most: number): Ranked[] {
  const { corpus } = world;
  const scores = new Scores(corpus.files.length);
  addWords(world, question, scores);
  const best = Math.max(1, ...topOf(scores.total, 1).map((at) => scores.total[at] ?? 0));
  addDefinitions(world, question, scores, best);
  addHistory(world, question, scores, best);
  addBridges(world, scores);
  lessen(world, question, scores);
  addMentions(world, question, scores, best);
  const top = topOf(scores.total, most);
  const words = scores.wordsOf(top);
  return top.map((at) => {
    const file = corpus.files[at] ?? { path: "", text: -1 };
    const score = Math.round((scores.total[at] ?? 0) * 1_000) / 1_000;
    const found = { path: file.path, text: file.text, score, line: scores.line.get(at), why: scores.why(at) };
    return { ...found, words: words.get(at) ?? [] };
  });
}

function addWords({ catalog, corpus, weights: w }: RankWorld, { words }: Question, scores: Scores): void {
  const { files, average } = corpus;
  const all = files.length;
  const norm = (length: number, mean: number) => 1 - w.length + (w.length * length) / Math.max(1, mean);
  const tfs = new Float64Array(all);
  const values = scores.of("words");
  for (const [word, weight] of words) {
    const found: number[] = [];
    const count = (at: number, tf: number) => {
      if (tfs[at] === 0) found.push(at);
      tfs[at] = (tfs[at] ?? 0) + tf;
    };
    catalog.postings(word, (text, packed) => {
      for (const at of corpus.byText.get(text) ?? none) {
        const file = files[at];
        if (!file) continue;
        count(
          at,
          (w.code * codeOf(packed)) / norm(file.code, average.code) +
            (w.comment * commentOf(packed)) / norm(file.comment + file.code / 4, average.comment + average.code / 4) +
            (w.name * nameOf(packed)) / norm(file.name, average.name),
        );
      }
    });
    for (const { at, own } of corpus.pathWords.get(word) ?? []) count(at, own ? w.file : w.path);
    const isCommon = found.length > all * mostShare && all > 20 && words.size > 3;
    const rare = Math.log(1 + (all - found.length + 0.5) / (found.length + 0.5)) * weight;
    const noted: number[] = [];
    for (const at of found) {
      const tf = tfs[at] ?? 0;
      tfs[at] = 0;
      if (isCommon) continue;
      const value = (rare * tf * (w.k + 1)) / (w.k + tf);
      values[at] = (values[at] ?? 0) + value;
      scores.total[at] = (scores.total[at] ?? 0) + value;
      noted.push(at, value);
    }
    scores.note(word, noted);
  }
}

const none: readonly number[] = [];

function addDefinitions(
  { catalog, corpus, weights }: RankWorld,
  { names }: Question,
  scores: Scores,
  best: number,
): void {
  for (const name of [...names].slice(0, 20)) {
    const found = catalog.symbolsNamed(name, true);
    const texts = new Set(found.map(({ text }) => text));
    const places = [...texts].flatMap((text) => corpus.byText.get(text) ?? []);
    // A name that many files define tells little.
    for (const at of places) scores.add(at, "defines", (best * weights.defines) / Math.max(1, places.length));
  }
}

function addHistory({ corpus, history, weights }: RankWorld, { words }: Question, scores: Scores, best: number): void {
  if (!history) return;
  const told = history.about(words);
  const top = Math.max(1e-9, ...told.values());
  for (const [path, value] of told) {
    const at = corpus.byPath.get(path);
    if (at !== undefined) scores.add(at, "history", (weights.history * best * value) / top);
  }
  for (const [path, value] of history.recent) {
    const at = corpus.byPath.get(path);
    if (at !== undefined && (scores.total[at] ?? 0) > 0) scores.add(at, "history", weights.recent * best * value);
  }
}

function addBridges({ corpus, weights }: RankWorld, scores: Scores): void {
  const given: [number, number][] = [];
  for (const [at, subjects] of corpus.subjects) {
    const value = scores.total[at] ?? 0;
    if (value > 0) for (const subject of subjects) given.push([subject, (weights.bridge * value) / subjects.length]);
  }
  const best = new Map<number, number>();
  for (const [at, value] of given) best.set(at, Math.max(best.get(at) ?? 0, value));
  for (const [at, value] of best) scores.add(at, "bridge", value);
  for (const [at, count] of corpus.imported.entries())
    if (count > 0 && (scores.total[at] ?? 0) > 0)
      scores.add(at, "imported", weights.imported * Math.log1p(count) * Math.sqrt(scores.total[at] ?? 0));
}

/** A question is about the source, unless it speaks of tests or documents. */
function lessen({ corpus, weights }: RankWorld, { words }: Question, scores: Scores): void {
  const asks = (...any: string[]) => any.some((word) => words.has(word));
  const factors: Record<Corpus["kinds"][number], number> = {
    source: 1,
    test: asks("test", "spec", "fixtur") ? 1 : weights.test,
    document: asks("doc", "readm", "documentation", "exampl", "changelog") ? 1 : weights.document,
    data: asks("config", "json", "yaml", "packag") ? 1 : weights.document,
    generated: weights.generated,
  };
  for (let at = 0; at < scores.total.length; at++)
    scores.total[at] = (scores.total[at] ?? 0) * factors[corpus.kinds[at] ?? "source"];
}

/** What the question names comes first: of a whole path for certain, of a bare name shared among those that have it. */
function addMentions({ corpus, weights }: RankWorld, { places }: Question, scores: Scores, best: number): void {
  const seen = new Set<number>();
  for (const [order, { path, line }] of places.entries()) {
    const found = filesAt(corpus, path);
    for (const at of found) {
      if (line !== undefined && !scores.line.has(at)) scores.line.set(at, line);
      if (seen.has(at)) continue;
      seen.add(at);
      const sure = (line === undefined ? 0.6 : 1) / (found.length * (1 + order * 0.1));
      scores.add(at, "mentioned", weights.mentioned * best * sure);
    }
  }
}

/** Files whose path ends so, or with the end of an absolute path that another machine has written. */
function filesAt({ files, byPath }: Corpus, path: string): number[] {
  const parts = path.split("/").filter((part) => part !== "" && part !== "..");
  for (let from = 0; from < parts.length; from++) {
    const end = parts.slice(from).join("/");
    const exact = byPath.get(end);
    if (exact !== undefined) return [exact];
    const found: number[] = [];
    for (const [at, file] of files.entries()) if (file.path.endsWith(`/${end}`)) found.push(at);
    if (found.length > 0) return found.length <= 12 ? found : [];
  }
  return [];
}

/** The best first; of equals the one whose path comes first. */
function topOf(total: Float64Array, most: number): number[] {
  const best: number[] = [];
  let least = 0;
  for (let at = 0; at < total.length; at++) {
    const value = total[at] ?? 0;
    if (value <= least) continue;
    let place = best.length;
    while (place > 0 && (total[best[place - 1] ?? 0] ?? 0) < value) place--;
    best.splice(place, 0, at);
    if (best.length > most) best.pop();
    if (best.length === most) least = total[best[most - 1] ?? 0] ?? 0;
  }
  return best;
}
