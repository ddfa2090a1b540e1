// What the database of the index holds, and what is read of it.
import type { Migrations } from "../store/database.ts";
import type { CodeSymbol } from "./spec.ts";

/** Another format is another file's content: what an older fettle wrote is built anew. */
export const format = 2;

export const migrations: Migrations = [
  `create table meta (key text primary key, value text not null) strict, without rowid;
   create table root (id integer primary key, path text not null unique, built integer not null default 0) strict;
   create table text (id integer primary key, hash blob not null, code integer not null, comment integer not null,
     name integer not null, lines integer not null, kind text not null, summary text not null) strict;
   create index text_hash on text (hash);
   create table file (root integer not null, path text not null, size integer not null, changed real not null,
     text integer, note text, primary key (root, path)) strict, without rowid;
   create index file_text on file (text);
   create table symbol (text integer not null, place integer not null, name text not null, kind text not null,
     line integer not null, until integer not null, within text not null, exported integer not null,
     primary key (text, place)) strict, without rowid;
   create index symbol_name on symbol (name);
   create table import (text integer not null, target text not null, primary key (text, target)) strict, without rowid;
   create table segment (id integer primary key, base integer not null, texts integer not null) strict;
   create table posting (word text not null, segment integer not null, data blob not null, primary key (word, segment))
     strict, without rowid;
   create table history (root text primary key, head text not null, data text not null) strict, without rowid;
   insert into meta values ('format', '${format}')`,
];

/** `parsed`: by its grammar. `plain`: by its words only. `generated`: a program wrote it. */
export type TextKind = "parsed" | "plain" | "generated";

/** Why the content of a file is not in the index. */
export type Note = "binary" | "large" | "minified" | "unreadable";

export interface FileRow {
  path: string;
  size: number;
  changed: number;
  text: number | undefined;
  note: Note | undefined;
}

export interface RankedFile {
  path: string;
  text: number;
  code: number;
  comment: number;
  name: number;
  lines: number;
  kind: TextKind | "none";
}

export interface NewFile {
  path: string;
  size: number;
  changed: number;
  /** The place of its text in the batch, the number of a text that is known, or why there is none. */
  text: { batch: number } | { known: number } | { note: Note };
}

export interface SymbolRow extends CodeSymbol {
  text: number;
}

export interface Counted {
  files: number;
  texts: number;
  symbols: number;
  words: number;
  bytes: number;
  sources: number;
  notes: Partial<Record<Note, number>>;
  parsed: number;
}
