// Which definitions of a file a question is about, and which of its lines.
import { wordsOf } from "../../base/code-words.ts";
import type { CodeSymbol } from "../../io/index/spec.ts";
import type { Question } from "./question.ts";

export interface FoundSymbol extends CodeSymbol {
  path: string;
  score: number;
}

/** A longer one is the frame of many: what it holds is told of these. */
const longestSpan = 400;

const comment = /^\s*(?:\/\/|\/?\*|#|@|--)/;
const mostAbove = 15;

/** Where the comment above a definition begins. */
function documented(lines: readonly string[], line: number): number {
  let from = line;
  while (from > 1 && line - from < mostAbove && comment.test(lines[from - 2] ?? "")) from--;
  return from;
}

/** The best first. `line`: one that the question names. */
export function rankSymbols(
  {
    path,
    symbols,
    text,
    line,
  }: { path: string; symbols: readonly CodeSymbol[]; text: string; line: number | undefined },
  { words, names }: Question,
): FoundSymbol[] {
  const lines = text.split("\n");
  const hits = lines.map((each) => {
    let sum = 0;
    for (const word of new Set(wordsOf(each.slice(0, 500)))) sum += words.get(word) ?? 0;
    return sum;
  });
  const found = symbols.map((symbol) => {
    const own = wordsOf(symbol.name);
    let score = names.has(symbol.name) ? 6 : 0;
    for (const word of new Set(own)) score += 2 * (words.get(word) ?? 0);
    const span = Math.min(symbol.end, symbol.line + longestSpan) - symbol.line + 1;
    let inside = 0;
    for (let at = documented(lines, symbol.line); at < symbol.line + span; at++) inside += hits[at - 1] ?? 0;
    score += (2 * inside) / Math.sqrt(4 + span);
    if (line !== undefined && symbol.line <= line && line <= symbol.end) score += 20 / Math.sqrt(span);
    return { ...symbol, path, score: Math.round(score * 1_000) / 1_000 };
  });
  return found.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score || a.line - b.line);
}

/** What another file holds is told of that one. */
const brings = /^\s*(?:import\b|from\s+\S+\s+import\b|export .* from |#include\b|use |using |require\b)/;

/** The lines that hold most of the question's words, in the order of the file. */
export function tellingLines(text: string, { words }: Question, most: number): { line: number; text: string }[] {
  const scored = text.split("\n").map((each, at) => {
    let sum = 0;
    if (brings.test(each)) return { line: at + 1, text: "", sum };
    for (const word of new Set(wordsOf(each.slice(0, 500)))) sum += words.get(word) ?? 0;
    return { line: at + 1, text: each.trim().slice(0, 160), sum };
  });
  const best = scored.filter(({ sum }) => sum > 0).toSorted((a, b) => b.sum - a.sum || a.line - b.line);
  return best
    .slice(0, most)
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, text: shown }) => ({ line, text: shown }));
}
