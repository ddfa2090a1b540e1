// Where the keys of a TOML text stand. The parser knows values but not places; errors and edits need places.
import { keyPath } from "./keys.ts";

export interface TomlEntry {
  /** Tables of an array carry their index: ["rules", "0", "action"]. */
  path: string[];
  /** From 1. */
  line: number;
  kind: "table" | "value";
  /** Offsets of the value in the text (kind `value`), or of the whole header line. */
  start: number;
  end: number;
}

/** Entries in order of the text. Values inside inline tables are not listed on their own. */
export function tomlEntries(text: string): TomlEntry[] {
  const entries: TomlEntry[] = [];
  const counts = new Map<string, number>();
  let prefix: string[] = [];
  let offset = 0;
  let line = 1;
  let counted = 0;
  while (offset < text.length) {
    const lineEnd = endOfLine(text, offset);
    const raw = text.slice(offset, lineEnd);
    for (; counted < offset; counted += 1) if (text[counted] === "\n") line += 1;
    const header = /^\s*(\[\[?)\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]"'#])+?)\s*\]/.exec(raw);
    if (header) {
      prefix = tablePath(header[2] ?? "", header[1] === "[[", counts);
      entries.push({ path: prefix, line, kind: "table", start: offset, end: lineEnd });
      offset = lineEnd + 1;
      continue;
    }
    const equals = /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w.\s-])+?)\s*=\s*/.exec(raw);
    const path = equals && keyPath(equals[1] ?? "");
    if (!equals || !path) {
      offset = lineEnd + 1;
      continue;
    }
    const start = offset + equals[0].length;
    const end = valueEnd(text, start);
    entries.push({ path: [...prefix, ...path], line, kind: "value", start, end });
    offset = endOfLine(text, end) + 1;
  }
  return entries;
}

/** The places of one text are asked for key by key. */
let latest: { text: string; entries: readonly TomlEntry[] } = { text: "", entries: [] };
function knownEntries(text: string): readonly TomlEntry[] {
  if (latest.text !== text) latest = { text, entries: tomlEntries(text) };
  return latest.entries;
}

/** Line of the key at `path`, else of the nearest thing around it; 1 for an empty file. */
export function lineOf(text: string, path: readonly string[]): number {
  let best: { line: number; depth: number } = { line: 1, depth: 0 };
  for (const entry of knownEntries(text)) {
    const depth = common(entry.path, path);
    const related = depth === Math.min(entry.path.length, path.length);
    if (related && depth > best.depth) best = { line: entry.line, depth };
  }
  return best.line;
}

function tablePath(text: string, isArray: boolean, counts: Map<string, number>): string[] {
  const path = keyPath(text) ?? [text];
  if (!isArray) return path;
  const name = path.join(".");
  const index = counts.get(name) ?? 0;
  counts.set(name, index + 1);
  return [...path, String(index)];
}

function common(left: readonly string[], right: readonly string[]): number {
  let depth = 0;
  while (depth < left.length && depth < right.length && left[depth] === right[depth]) depth += 1;
  return depth;
}

const endOfLine = (text: string, from: number): number => {
  const found = text.indexOf("\n", from);
  return found < 0 ? text.length : found;
};

/** Offset after the value that begins at `start`: strings, brackets and braces may span lines. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"' || character === "'") {
      at = stringEnd(text, at);
      continue;
    }
    if (character === "#" || character === "\n") {
      if (depth === 0) break;
      at = character === "#" ? endOfLine(text, at) : at + 1;
      continue;
    }
    if (character === "[" || character === "{") depth += 1;
    if (character === "]" || character === "}") depth -= 1;
    at += 1;
  }
  return start + text.slice(start, at).trimEnd().length;
}

function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? '"';
  const triple = quote.repeat(3);
  const mark = text.startsWith(triple, start) ? triple : quote;
  let at = start + mark.length;
  while (at < text.length && !text.startsWith(mark, at)) at += quote === '"' && text[at] === "\\" ? 2 : 1;
  return Math.min(text.length, at + mark.length);
}
