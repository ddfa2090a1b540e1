// What a repository's history tells: which files were changed with which words, which together, and which lately.
import { wordsOf } from "../../base/code-words.ts";
import type { Commit } from "../../io/index/commits.ts";

export interface History {
  /** Files by how well the messages of their commits have the words. */
  about(words: ReadonlyMap<string, number>): Map<string, number>;
  /** Files that were changed in the same commits as this one, by how much of its changes they shared, 0 to 1. */
  together(file: string): Map<string, number>;
  /** Files by how lately and how often they were changed, 0 to 1. */
  recent: ReadonlyMap<string, number>;
}

const mostCommits = 60;
/** What happened once together may be chance. */
const leastShared = 2;
const mostLooked = 300;

/** Newest first. */
export function historyOf(commits: readonly Commit[]): History {
  const byWord = new Map<string, number[]>();
  const byFile = new Map<string, number[]>();
  const recent = new Map<string, number>();
  for (const [at, { message, files }] of commits.entries()) {
    for (const word of new Set(wordsOf(message))) add(byWord, word, at);
    for (const file of files) {
      add(byFile, file, at);
      recent.set(file, (recent.get(file) ?? 0) + 1 / (1 + at / 100));
    }
  }
  const top = recent.values().reduce((most, value) => Math.max(most, value), 1);
  for (const [file, value] of recent) recent.set(file, Math.log1p(value) / Math.log1p(top));
  return {
    recent,
    about: (words) => about(commits, byWord, words),
    together: (file) => together(commits, byFile, file),
  };
}

function add(into: Map<string, number[]>, key: string, at: number): void {
  const found = into.get(key);
  if (found) found.push(at);
  else into.set(key, [at]);
}

function about(
  commits: readonly Commit[],
  byWord: ReadonlyMap<string, readonly number[]>,
  words: ReadonlyMap<string, number>,
) {
  const scores = new Map<number, number>();
  for (const [word, weight] of words) {
    const found = byWord.get(word) ?? [];
    const rare = Math.log(1 + commits.length / (1 + found.length)) * weight;
    for (const at of found) scores.set(at, (scores.get(at) ?? 0) + rare);
  }
  const files = new Map<string, number>();
  const best = [...scores].toSorted((a, b) => b[1] - a[1]).slice(0, mostCommits);
  for (const [at, score] of best) {
    const changed = commits[at]?.files ?? [];
    const value = (score * score) / Math.sqrt(1 + changed.length);
    for (const file of changed) files.set(file, (files.get(file) ?? 0) + value);
  }
  return files;
}

/** A commit of few files says more of each pair than one of many. */
function together(commits: readonly Commit[], byFile: ReadonlyMap<string, readonly number[]>, file: string) {
  const own = (byFile.get(file) ?? []).slice(0, mostLooked);
  const shared = new Map<string, { count: number; weight: number }>();
  let all = 0;
  for (const at of own) {
    const files = commits[at]?.files ?? [];
    const weight = 1 / Math.log2(1 + files.length);
    all += weight;
    for (const other of files) {
      if (other === file) continue;
      const found = shared.get(other) ?? { count: 0, weight: 0 };
      shared.set(other, { count: found.count + 1, weight: found.weight + weight });
    }
  }
  const kept = [...shared].filter(([, { count }]) => count >= leastShared);
  return new Map(kept.map(([other, { weight }]) => [other, weight / Math.max(1e-9, all)]));
}
