// What a repository's history tells: which files were changed with which words, and which were changed lately.
import { wordsOf } from "../../base/code-words.ts";
import type { Commit } from "../../io/index/commits.ts";

export interface History {
  /** Files by how well the messages of their commits have the words. */
  about(words: ReadonlyMap<string, number>): Map<string, number>;
  /** Files by how lately and how often they were changed, 0 to 1. */
  recent: ReadonlyMap<string, number>;
}

/** A commit of more files says little of each. */
const mostFiles = 30;
const mostCommits = 60;

/** Newest first. */
export function historyOf(commits: readonly Commit[]): History {
  const byWord = new Map<string, number[]>();
  const recent = new Map<string, number>();
  for (const [at, { message, files }] of commits.entries()) {
    for (const word of new Set(wordsOf(message))) {
      const found = byWord.get(word);
      if (found) found.push(at);
      else byWord.set(word, [at]);
    }
    if (files.length <= mostFiles)
      for (const file of files) recent.set(file, (recent.get(file) ?? 0) + 1 / (1 + at / 100));
  }
  const top = Math.max(1, ...recent.values());
  for (const [file, value] of recent) recent.set(file, Math.log1p(value) / Math.log1p(top));
  return { recent, about: (words) => about(commits, byWord, words) };
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
    if (changed.length > mostFiles) continue;
    const value = (score * score) / Math.sqrt(1 + changed.length);
    for (const file of changed) files.set(file, (files.get(file) ?? 0) + value);
  }
  return files;
}
