// The database of the index: texts by the hash of their content, the files of each root that have them, and where words stand.
import { rmSync } from "node:fs";
import { Fault } from "../../base/fault.ts";
import { encodePostings, readPostings } from "../../base/postings.ts";
import { Database, inMemory, type Migrations } from "../store/database.ts";
import type { CodeSymbol, ReadBatch } from "./spec.ts";

/** Another format is another file's content: what an older fettle wrote is built anew. */
const format = 1;

const migrations: Migrations = [
  `create table meta (key text primary key, value text not null) strict, without rowid;
   create table root (id integer primary key, path text not null unique, built integer not null default 0) strict;
   create table text (id integer primary key, hash blob not null, code integer not null, comment integer not null,
     name integer not null, lines integer not null, kind text not null) strict;
   create index text_hash on text (hash);
   create table file (root integer not null, path text not null, size integer not null, changed real not null,
     text integer, note text, primary key (root, path)) strict, without rowid;
   create index file_text on file (text);
   create table symbol (text integer not null, place integer not null, name text not null, kind text not null,
     line integer not null, until integer not null, within text not null, primary key (text, place)) strict, without rowid;
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

const mostSmall = 16;
const smallTexts = 64;
const mergedAtOnce = 2_000;

interface Merge {
  after: string;
  until: string;
  list: string;
  bases: ReadonlyMap<number, number>;
  alive: ReadonlySet<number>;
  base: number;
  id: number;
}

export class Catalog {
  readonly #database: Database;
  /** Why it was begun anew, where it was. */
  readonly renewed: "damaged" | "older" | undefined;

  private constructor(database: Database, renewed: "damaged" | "older" | undefined) {
    this.#database = database;
    this.renewed = renewed;
  }

  /** Begins anew where the file is damaged or of another format. Throws the faults of a disk that does not let it. */
  static open(file: string): Catalog {
    try {
      const database = new Database(file, migrations);
      const found = database.get("select value from meta where key = 'format'")?.["value"];
      if (found === String(format)) return new Catalog(database, undefined);
      database.close();
      return Catalog.#anew(file, "older");
    } catch (error) {
      if (!isDamage(error)) throw error;
      return Catalog.#anew(file, error.code === "store.newer" ? "older" : "damaged");
    }
  }

  static #anew(file: string, why: "damaged" | "older"): Catalog {
    removeCatalog(file);
    return new Catalog(new Database(file, migrations), why);
  }

  close(): void {
    this.#database.close();
  }

  /** Changes with every write of any process. */
  version(): number {
    const own = Number(this.#database.get("select total_changes() as n")?.["n"] ?? 0);
    return Number(this.#database.get("pragma data_version")?.["data_version"] ?? 0) * 1e9 + own;
  }

  rootOf(path: string): number {
    const find = () => this.#database.get("select id from root where path = ?", path)?.["id"];
    const known = find();
    if (known !== undefined) return Number(known);
    this.#write(() => this.#database.run("insert or ignore into root (path) values (?)", path));
    return Number(find());
  }

  builtAt(root: number): number {
    return Number(this.#database.get("select built from root where id = ?", root)?.["built"] ?? 0);
  }

  /** Who builds at this moment, as far as it has said so lately. */
  otherBuilder(): { at: number } | undefined {
    const value = this.#meta("builder");
    if (value === undefined || value === "") return undefined;
    const [pid, at] = value.split(" ").map(Number);
    return pid === process.pid ? undefined : { at: at ?? 0 };
  }

  setBuilding(building: boolean): void {
    this.#write(() => {
      const value = building ? `${process.pid} ${Date.now()}` : "";
      this.#database.run("insert or replace into meta values ('builder', ?)", value);
    });
  }

  filesOf(root: number): FileRow[] {
    const rows = this.#database.all("select path, size, changed, text, note from file where root = ?", root);
    return rows.map((row) => ({
      path: String(row["path"]),
      size: Number(row["size"]),
      changed: Number(row["changed"]),
      text: row["text"] === null ? undefined : Number(row["text"]),
      note: row["note"] === null ? undefined : (String(row["note"]) as Note),
    }));
  }

  rankedFiles(root: number): RankedFile[] {
    const rows = this.#database.all(
      `select f.path, f.text, t.code, t.comment, t.name, t.lines, t.kind from file f left join text t on t.id = f.text
       where f.root = ? order by f.path`,
      root,
    );
    return rows.map((row) => ({
      path: String(row["path"]),
      text: Number(row["text"] ?? -1),
      code: Number(row["code"] ?? 0),
      comment: Number(row["comment"] ?? 0),
      name: Number(row["name"] ?? 0),
      lines: Number(row["lines"] ?? 0),
      kind: (row["kind"] ?? "none") as RankedFile["kind"],
    }));
  }

  textWith(hash: Uint8Array): number | undefined {
    const id = this.#database.get("select id from text where hash = ?", hash)?.["id"];
    return id === undefined ? undefined : Number(id);
  }

  /** All of a batch at once: whoever is killed in between has it whole, or not at all. */
  add(
    root: number,
    files: readonly NewFile[],
    batch: ReadBatch,
    given: readonly { hash: Uint8Array; kind: TextKind }[],
  ): void {
    this.#write(() => {
      const base = Number(this.#database.get("select coalesce(max(id), 0) + 1 as n from text")?.["n"]);
      for (const [at, read] of batch.texts.entries()) {
        const { hash, kind } = given[at] ?? { hash: new Uint8Array(), kind: "plain" as const };
        const [code, comment, name] = read.lengths;
        const stored = kind === "parsed" && !read.parsed ? "plain" : kind;
        this.#database.run(
          "insert into text values (?, ?, ?, ?, ?, ?, ?)",
          ...[base + at, hash, code, comment, name, read.lines, stored],
        );
        for (const [place, symbol] of read.symbols.entries())
          this.#database.run(
            "insert into symbol values (?, ?, ?, ?, ?, ?, ?)",
            ...[base + at, place, symbol.name, symbol.kind, symbol.line, symbol.end, symbol.within],
          );
        for (const target of read.imports)
          this.#database.run("insert or ignore into import values (?, ?)", base + at, target);
      }
      if (batch.segment.words.length > 0) this.#addSegment(base, batch);
      this.#addFiles(root, files, base);
    });
  }

  #addSegment(base: number, { segment, texts }: ReadBatch): void {
    const { words, offsets, data } = segment;
    this.#database.run("insert into segment (base, texts) values (?, ?)", base, texts.length);
    const id = Number(this.#database.get("select max(id) as n from segment")?.["n"]);
    for (const [at, word] of words.entries()) {
      const bytes = data.subarray(offsets[at] ?? 0, offsets[at + 1] ?? 0);
      this.#database.run("insert into posting values (?, ?, ?)", word, id, bytes);
    }
  }

  #addFiles(root: number, files: readonly NewFile[], base: number): void {
    for (const { path, size, changed, text } of files) {
      const id = "batch" in text ? base + text.batch : "known" in text ? text.known : null;
      const note = "note" in text ? text.note : null;
      this.#database.run("insert or replace into file values (?, ?, ?, ?, ?, ?)", root, path, size, changed, id, note);
    }
  }

  remove(root: number, paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.#write(() => {
      for (const path of paths) this.#database.run("delete from file where root = ? and path = ?", root, path);
    });
  }

  /** Texts that no file has any more go; small segments become one, so that a question asks few of them. */
  settle(root: number): void {
    this.#write(() => {
      this.#database.run("update root set built = ? where id = ?", Date.now(), root);
      const gone = "not exists (select 1 from file where file.text = text.id)";
      const dead = Number(this.#database.get(`select count(*) as n from text where ${gone}`)?.["n"]);
      const all = Number(this.#database.get("select count(*) as n from text")?.["n"]);
      const segments = this.#database.all("select id, texts from segment");
      const small = segments.filter((row) => Number(row["texts"]) <= Math.max(smallTexts, all / 8));
      if (dead > 200 && dead * 3 > all) {
        for (const table of ["symbol", "import"])
          this.#database.run(`delete from ${table} where text in (select id from text where ${gone})`);
        this.#database.run(`delete from text where ${gone}`);
        this.#merge(segments.map((row) => Number(row["id"])));
      } else if (small.length > mostSmall) this.#merge(small.map((row) => Number(row["id"])));
    });
  }

  /** Some thousand words at a time: all of them would not fit into memory. */
  #merge(segments: readonly number[]): void {
    const list = segments.join(",");
    const bases = new Map(
      this.#database
        .all(`select id, base from segment where id in (${list})`)
        .map((row) => [Number(row["id"]), Number(row["base"])]),
    );
    const alive = new Set(this.#database.all("select id from text").map((row) => Number(row["id"])));
    const base = Math.min(...bases.values());
    this.#database.run("insert into segment (base, texts) values (?, ?)", base, alive.size);
    const id = Number(this.#database.get("select max(id) as n from segment")?.["n"]);
    const next = `select distinct word from posting where word > ? order by word limit ${mergedAtOnce}`;
    for (let after = ""; ; ) {
      const words = this.#database.all(next, after).map((row) => String(row["word"]));
      const until = words.at(-1);
      if (until === undefined) break;
      this.#mergeWords({ after, until, list, bases, alive, base, id });
      after = until;
    }
    this.#database.run(`delete from segment where id in (${list})`);
  }

  #mergeWords({ after, until, list, bases, alive, base, id }: Merge): void {
    const range = `word > ? and word <= ? and segment in (${list})`;
    const rows = this.#database.all(`select word, segment, data from posting where ${range}`, after, until);
    this.#database.run(`delete from posting where ${range}`, after, until);
    for (const [word, same] of Map.groupBy(rows, (row) => String(row["word"]))) {
      const pairs: number[] = [];
      const sorted = same
        .map((row) => ({ from: bases.get(Number(row["segment"])) ?? 0, data: row["data"] as Uint8Array }))
        .toSorted((a, b) => a.from - b.from);
      for (const { from, data } of sorted) readPostings(data, from - base, pairs);
      const kept = pairs.filter((_, at) => alive.has((pairs[at - (at % 2)] ?? 0) + base));
      if (kept.length === 0) continue;
      const bytes = Uint8Array.from(encodePostings(kept));
      this.#database.run("insert or replace into posting values (?, ?, ?)", word, id, bytes);
    }
  }

  /** Texts that hold the word, each followed by its packed counts. */
  postings(word: string): number[] {
    const sql = "select s.base, p.data from posting p join segment s on s.id = p.segment where p.word = ?";
    const found: number[] = [];
    for (const row of this.#database.all(sql, word))
      readPostings(row["data"] as Uint8Array, Number(row["base"]), found);
    return found;
  }

  /** How many bytes tell where the word stands: two or three for each text. */
  postingBytes(word: string): number {
    return Number(this.#database.get("select sum(length(data)) as n from posting where word = ?", word)?.["n"] ?? 0);
  }

  symbolsOf(text: number): CodeSymbol[] {
    return this.#database.all("select * from symbol where text = ? order by place", text).map(symbolIn);
  }

  namesOf(text: number): string[] {
    return this.#database.all("select name from symbol where text = ?", text).map((row) => String(row["name"]));
  }

  symbolsNamed(name: string, exact: boolean): SymbolRow[] {
    const sql = exact ? "name = ?" : "name = ? collate nocase";
    const rows = this.#database.all(`select * from symbol where ${sql} limit 500`, name);
    return rows.map((row) => ({ ...symbolIn(row), text: Number(row["text"]) }));
  }

  /** Names of definitions in files of this root, each once. */
  symbolNames(root: number, most: number): string[] {
    const sql = `select distinct s.name from symbol s where s.kind not in ('heading', 'rule')
      and exists (select 1 from file f where f.text = s.text and f.root = ?) limit ?`;
    return this.#database.all(sql, root, most).map((row) => String(row["name"]));
  }

  importsOf(root: number): { text: number; target: string }[] {
    const sql =
      "select i.text, i.target from import i where exists (select 1 from file f where f.text = i.text and f.root = ?)";
    return this.#database.all(sql, root).map((row) => ({ text: Number(row["text"]), target: String(row["target"]) }));
  }

  history(root: string): { head: string; data: string } | undefined {
    const row = this.#database.get("select head, data from history where root = ?", root);
    return row && { head: String(row["head"]), data: String(row["data"]) };
  }

  setHistory(root: string, head: string, data: string): void {
    this.#write(() => this.#database.run("insert or replace into history values (?, ?, ?)", root, head, data));
  }

  counted(root: number): Counted {
    const one = (sql: string, ...values: number[]) => Number(this.#database.get(sql, ...values)?.["n"] ?? 0);
    const texts = "select distinct text from file where root = ?";
    const notes = this.#database.all(
      "select note, count(*) as n from file where root = ? and note is not null group by note",
      root,
    );
    return {
      files: one("select count(*) as n from file where root = ?", root),
      texts: one(`select count(*) as n from (${texts})`, root),
      parsed: one(`select count(*) as n from text where kind = 'parsed' and id in (${texts})`, root),
      symbols: one(`select count(*) as n from symbol where text in (${texts})`, root),
      words: one("select count(distinct word) as n from posting"),
      bytes: one("select page_count * page_size as n from pragma_page_count, pragma_page_size"),
      sources: one("select coalesce(sum(size), 0) as n from file where root = ? and note is null", root),
      notes: Object.fromEntries(notes.map((row) => [String(row["note"]), Number(row["n"])])),
    };
  }

  #meta(key: string): string | undefined {
    const value = this.#database.get("select value from meta where key = ?", key)?.["value"];
    return value === undefined ? undefined : String(value);
  }

  /** What a power cut takes away is built again. */
  #write(body: () => void): void {
    this.#database.transaction(body, { flushed: false });
  }
}

const symbolIn = (row: Record<string, unknown>): CodeSymbol => ({
  name: String(row["name"]),
  kind: String(row["kind"]),
  line: Number(row["line"]),
  end: Number(row["until"]),
  within: String(row["within"]),
});

const isDamage = (error: unknown): error is Fault =>
  error instanceof Fault && ["store.corrupt", "store.newer"].includes(error.code);

export function removeCatalog(file: string): void {
  if (file === inMemory) return;
  for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true });
}
