// Exact replacement of text, as the edit tool does it and as the gate previews it.
import { type NearMiss, nearestLines } from "./near-miss.ts";

export type { NearMiss } from "./near-miss.ts";

export interface TextEdit {
  old: string;
  new: string;
  all?: boolean | undefined;
}
export type EditProblem =
  /** `old` stands nowhere; `near` is the place that comes closest. */
  | { problem: "missing"; near: NearMiss | undefined }
  /** `old` stands `count` times; `lines` are the first of them, counted from 1. */
  | { problem: "ambiguous"; count: number; lines: number[] }
  /** `old` and `new` do not differ. */
  | { problem: "same" }
  /** `old` is empty, though the text is not. */
  | { problem: "empty" };
type EditOutcome = { text: string; count: number } | EditProblem;

const BOM = "\uFEFF";

/**
 * Line ends of `old` and `new` do not matter: a `\n` matches `\r\n`, and what is put in takes the line ends of the
 * place it stands in. An `old` that holds `\r` itself is taken literally where it occurs literally. A byte order mark stays.
 */
export function applyReplacement(text: string, edit: TextEdit): EditOutcome {
  if (edit.old === edit.new) return { problem: "same" };
  if (edit.old === "" || edit.old === BOM) return fillEmpty(text, edit);
  const replacement = edit.old.startsWith(BOM) && !edit.new.startsWith(BOM) ? BOM + edit.new : edit.new;
  if (!text.includes("\r") || (edit.old.includes("\r") && text.includes(edit.old))) {
    return replaceAt(text, occurrences(text, edit.old), edit, () => replacement);
  }
  return replaceAcrossLineEnds(text, { ...edit, new: replacement });
}

function fillEmpty(text: string, edit: TextEdit): EditOutcome {
  if (text !== "" && text !== BOM) return { problem: "empty" };
  return { text: text + (edit.new.startsWith(BOM) ? edit.new.slice(text.length) : edit.new), count: 1 };
}

interface Span {
  from: number;
  to: number;
}

function occurrences(text: string, wanted: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    found.push({ from: at, to: at + wanted.length });
  }
  return found;
}

function replaceAt(text: string, spans: Span[], edit: TextEdit, replacement: (span: Span) => string): EditOutcome {
  if (spans.length === 0) return { problem: "missing", near: nearestLines(text, edit.old) };
  if (spans.length > 1 && !edit.all)
    return { problem: "ambiguous", count: spans.length, lines: lineNumbers(text, spans) };
  const pieces: string[] = [];
  let at = 0;
  for (const span of spans) {
    pieces.push(text.slice(at, span.from), replacement(span));
    at = span.to;
  }
  pieces.push(text.slice(at));
  const result = pieces.join("");
  return result === text ? { problem: "same" } : { text: result, count: spans.length };
}

function lineNumbers(text: string, spans: Span[]): number[] {
  const lines: number[] = [];
  let line = 1;
  let at = 0;
  for (const span of spans.slice(0, 5)) {
    for (let next = text.indexOf("\n", at); next !== -1 && next < span.from; next = text.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
    lines.push(line);
  }
  return lines;
}

/** Searches the text with its line ends unified, and maps every find back to where it really stands. */
function replaceAcrossLineEnds(text: string, edit: TextEdit): EditOutcome {
  const unified = text.replaceAll("\r\n", "\n");
  const removed = carriageReturns(text);
  const place = originalPlace(removed);
  const spans = occurrences(unified, unify(edit.old)).map(({ from, to }) => ({ from: place(from), to: place(to) }));
  const dominant = removed.length * 2 >= lineFeeds(text) ? "\r\n" : "\n";
  const plain = unify(edit.new);
  return replaceAt(text, spans, edit, (span) => {
    const first = text.indexOf("\n", span.from);
    const end = first === -1 || first >= span.to ? dominant : text[first - 1] === "\r" ? "\r\n" : "\n";
    return end === "\n" ? plain : plain.replaceAll("\n", "\r\n");
  });
}

const unify = (text: string) => text.replaceAll("\r\n", "\n");

function lineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Positions in the unified text at which a `\r` was taken out, ascending. */
function carriageReturns(text: string): number[] {
  const removed: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) removed.push(at - removed.length);
  return removed;
}

/** The `\r` before a position belongs to the line end that starts there, so only those strictly before it count. */
const originalPlace = (removed: readonly number[]) => (at: number) => {
  let low = 0;
  let high = removed.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((removed[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return at + low;
};
