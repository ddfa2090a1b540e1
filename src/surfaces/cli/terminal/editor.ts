// One entry being typed: text, cursor and what each key does to them. Pure.
import { graphemes } from "../text/width.ts";

export interface Entry {
  text: string;
  /** Index into `text`. */
  cursor: number;
}

/** `name` as node:readline gives it; `text` is what the key types, if anything. */
export interface Key {
  name: string;
  text: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
}

export const emptyEntry: Entry = { text: "", cursor: 0 };
export const entryOf = (text: string): Entry => ({ text, cursor: text.length });

export const insert = ({ text, cursor }: Entry, piece: string): Entry => ({
  text: text.slice(0, cursor) + piece + text.slice(cursor),
  cursor: cursor + piece.length,
});

const cut = ({ text }: Entry, from: number, to: number): Entry => ({
  text: text.slice(0, from) + text.slice(to),
  cursor: from,
});
const at = ({ text }: Entry, cursor: number): Entry => ({ text, cursor: Math.max(0, Math.min(text.length, cursor)) });

const left = ({ text, cursor }: Entry) => cursor - (graphemes(text.slice(0, cursor)).at(-1)?.length ?? 0);
const right = ({ text, cursor }: Entry) => cursor + (graphemes(text.slice(cursor))[0]?.length ?? 0);
const wordStart = ({ text, cursor }: Entry) => {
  const before = text.slice(0, cursor).replace(/[^\p{L}\p{N}_]+$/u, "");
  return before.replace(/[\p{L}\p{N}_]+$/u, "").length;
};
const wordRight = ({ text, cursor }: Entry) =>
  cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
const blankLeft = ({ text, cursor }: Entry) => text.slice(0, cursor).replace(/\S*\s*$/, "").length;
const lineStart = ({ text, cursor }: Entry) => text.lastIndexOf("\n", cursor - 1) + 1;
const lineEnd = ({ text, cursor }: Entry) => {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
};

type Edit = (entry: Entry) => Entry;

const control: Record<string, Edit> = {
  a: (entry) => at(entry, lineStart(entry)),
  e: (entry) => at(entry, lineEnd(entry)),
  b: (entry) => at(entry, left(entry)),
  f: (entry) => at(entry, right(entry)),
  d: (entry) => cut(entry, entry.cursor, right(entry)),
  h: (entry) => cut(entry, left(entry), entry.cursor),
  k: (entry) => cut(entry, entry.cursor, lineEnd(entry)),
  u: (entry) => cut(entry, lineStart(entry), entry.cursor),
  w: (entry) => cut(entry, blankLeft(entry), entry.cursor),
  j: (entry) => insert(entry, "\n"),
  left: (entry) => at(entry, wordStart(entry)),
  right: (entry) => at(entry, wordRight(entry)),
  backspace: (entry) => cut(entry, wordStart(entry), entry.cursor),
};

const alternate: Record<string, Edit> = {
  b: (entry) => at(entry, wordStart(entry)),
  f: (entry) => at(entry, wordRight(entry)),
  d: (entry) => cut(entry, entry.cursor, wordRight(entry)),
  left: (entry) => at(entry, wordStart(entry)),
  right: (entry) => at(entry, wordRight(entry)),
  backspace: (entry) => cut(entry, wordStart(entry), entry.cursor),
  return: (entry) => insert(entry, "\n"),
  enter: (entry) => insert(entry, "\n"),
};

const simple: Record<string, Edit> = {
  left: (entry) => at(entry, left(entry)),
  right: (entry) => at(entry, right(entry)),
  home: (entry) => at(entry, lineStart(entry)),
  end: (entry) => at(entry, lineEnd(entry)),
  backspace: (entry) => cut(entry, left(entry), entry.cursor),
  delete: (entry) => cut(entry, entry.cursor, right(entry)),
};

/** The entry after the key; undefined when the key edits nothing (Enter, Tab, Up, Ctrl-C and the like). */
export function edit(entry: Entry, key: Key): Entry | undefined {
  const table = key.ctrl ? control : key.alt ? alternate : simple;
  const change = Object.hasOwn(table, key.name) ? table[key.name] : undefined;
  if (change) return change(entry);
  // Ctrl-J arrives as a line feed, which readline names `enter`.
  if (key.name === "enter" && !key.ctrl && !key.alt) return insert(entry, "\n");
  if (key.ctrl || key.alt || key.text === "" || /^[\x00-\x1f\x7f]/.test(key.text)) return undefined;
  return insert(entry, key.text);
}

/** A line up or down within the entry; undefined at its first or last line. */
export function moveLine(entry: Entry, by: -1 | 1): Entry | undefined {
  const column = entry.cursor - lineStart(entry);
  if (by === -1) {
    const start = lineStart(entry);
    if (start === 0) return undefined;
    const above = lineStart({ text: entry.text, cursor: start - 1 });
    return at(entry, Math.min(above + column, start - 1));
  }
  const end = lineEnd(entry);
  if (end === entry.text.length) return undefined;
  return at(entry, Math.min(end + 1 + column, lineEnd({ text: entry.text, cursor: end + 1 })));
}

/** An entry goes on after a trailing backslash and inside an open `"""`. */
export function isOpen(text: string): boolean {
  return text.endsWith("\\") || (text.split('"""').length - 1) % 2 === 1;
}

/** What the entry stands for: without continuation marks and block quotes around it. */
export function entryText(text: string): string {
  const block = /^\s*"""\n?([\s\S]*?)\n?"""\s*$/.exec(text);
  if (block && !block[1]?.includes('"""')) return block[1] ?? "";
  return text.replace(/\\\n/g, "\n").trim();
}

/** Earlier entries, newest last; remembers what was being typed when one went up. */
export class History {
  #entries: string[];
  #position: number;
  #draft = "";

  constructor(entries: readonly string[] = []) {
    this.#entries = [...entries];
    this.#position = this.#entries.length;
  }

  add(text: string): void {
    if (text.trim() !== "" && this.#entries.at(-1) !== text) this.#entries.push(text);
    this.#position = this.#entries.length;
  }

  prepend(entries: readonly string[]): void {
    this.#entries = [...entries, ...this.#entries];
    this.#position = this.#entries.length;
  }

  back(current: string): string | undefined {
    if (this.#position === 0) return undefined;
    if (this.#position === this.#entries.length) this.#draft = current;
    this.#position--;
    return this.#entries[this.#position];
  }

  forward(): string | undefined {
    if (this.#position >= this.#entries.length) return undefined;
    this.#position++;
    return this.#position === this.#entries.length ? this.#draft : this.#entries[this.#position];
  }
}
