// What passes between the index, its parser and its database.
import type { GrammarName } from "../grammars.ts";

/** A text to take in. `document` is the number that its words are kept under. */
export interface Text {
  document: number;
  text: string;
  /** Undefined: no grammar reads it, or the grammar failed. */
  grammar: GrammarName | undefined;
  /** Prose: its words count as comments, its headings as names. */
  prose: boolean;
  /** What finds the names that it defines where there is no grammar. */
  names?: RegExp;
}

export interface CodeSymbol {
  name: string;
  kind: string;
  line: number;
  end: number;
  /** The name of what it is part of; empty at the top. */
  within: string;
  /** Whether other files may use it. */
  exported?: boolean;
}

export interface ReadText {
  document: number;
  symbols: CodeSymbol[];
  imports: string[];
  /** Whether a grammar has read all of it. */
  parsed: boolean;
  lines: number;
  /** What the file says of itself, one sentence. */
  summary: string;
  /** Names in code, in comments and those that are defined. */
  lengths: readonly [number, number, number];
}

/** Words of several texts and where they stand: `data` from `offsets[n]` on belongs to the nth word. */
export interface Segment {
  words: string[];
  data: Uint8Array;
  offsets: Uint32Array;
}

export interface ReadBatch {
  texts: ReadText[];
  segment: Segment;
}
