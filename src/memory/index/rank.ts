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

class Scores {
  readonly total: Float64Array;
  readonly #why = new Map<number, Partial<Record<Evidence, number>>>();
  readonly words = new Map<number, [string, number][]>();
  line = new Map<number, number>();

  constructor(count: number) {
    this.total = new Float64Array(count);
  }

  add(at: number, kind: Evidence, value: number): void {
    this.total[at] = (this.total[at] ?? 0) + value;
    const why = this.#why.get(at) ?? {};
    why[kind] = (why[kind] ?? 0) + value;
    this.#why.set(at, why);
  }

  why(at: number): Partial<Record<Evidence, number>> {
    return this.#why.get(at) ?? {};
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
  return topOf(scores.total, most).map((at) => {
    const file = corpus.files[at] ?? { path: "", text: -1 };
    const words = (scores.words.get(at) ?? []).toSorted((a, b) => b[1] - a[1]).slice(0, 6);
    const score = Math.round((scores.total[at] ?? 0) * 1_000) / 1_000;
    const found = { path: file.path, text: file.text, score, line: scores.line.get(at), why: scores.why(at) };
    return { ...found, words: words.map(([word]) => word) };
  });
}

function addWords({ catalog, corpus, weights: w }: RankWorld, { words }: Question, scores: Scores): void {
  const { files, average } = corpus;
  const all = files.length;
  const norm = (length: number, mean: number) => 1 - w.length + (w.length * length) / Math.max(1, mean);
  for (const [word, weight] of words) {
    const found = new Map<number, number>();
    catalog.postings(word, (text, packed) => {
      for (const at of corpus.byText.get(text) ?? []) {
        const file = files[at];
        if (!file) continue;
        const tf =
          (w.code * codeOf(packed)) / norm(file.code, average.code) +
          (w.comment * commentOf(packed)) / norm(file.comment + file.code / 4, average.comment + average.code / 4) +
          (w.name * nameOf(packed)) / norm(file.name, average.name);
        found.set(at, (found.get(at) ?? 0) + tf);
      }
    });
    const paths = corpus.pathWords.get(word) ?? [];
    for (const { at, own } of paths) found.set(at, (found.get(at) ?? 0) + (own ? w.file : w.path));
    if (found.size > all * mostShare && all > 20 && words.size > 3) continue;
    const rare = Math.log(1 + (all - found.size + 0.5) / (found.size + 0.5)) * weight;
    for (const [at, tf] of found) {
      const value = (rare * tf * (w.k + 1)) / (w.k + tf);
      scores.add(at, "words", value);
      const list = scores.words.get(at);
      if (list) list.push([word, value]);
      else scores.words.set(at, [[word, value]]);
    }
  }
}

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

function topOf(total: Float64Array, most: number): number[] {
  const places: number[] = [];
  for (let at = 0; at < total.length; at++) if ((total[at] ?? 0) > 0) places.push(at);
  return places.sort((a, b) => (total[b] ?? 0) - (total[a] ?? 0) || a - b).slice(0, most);
}
