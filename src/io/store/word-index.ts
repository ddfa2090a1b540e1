// Full-text search over texts that others keep: in memory, so that nothing of it outlives the process.
import { Database, inMemory, type Migrations } from "./database.ts";

const migrations: Migrations = [
  `create virtual table piece using fts5(text, parts, content='', tokenize='porter unicode61 remove_diacritics 2')`,
];

export interface WordIndex {
  /** `id` has to be greater than those before. */
  add(pieces: Iterable<{ id: number; text: string }>): void;
  /** Texts that hold any of the terms, the best first: rare terms weigh more, short texts too, of equals the newest. */
  find(terms: readonly Term[]): { id: number; score: number }[];
  close(): void;
}

/** Words that have to stand one after the other; `open`: the last of them may go on. */
export interface Term {
  words: readonly string[];
  open: boolean;
}

/** Throws a Fault (see Database). */
export function openWordIndex(): WordIndex {
  const database = new Database(inMemory, migrations);
  return {
    add(pieces) {
      database.transaction(
        () => {
          for (const { id, text } of pieces)
            database.run("insert into piece (rowid, text, parts) values (?, ?, ?)", id, text, partsOf(text));
        },
        { flushed: false },
      );
    },
    find(terms) {
      const match = terms.map(({ words, open }) => `"${words.join(" ").replaceAll('"', '""')}"${open ? "*" : ""}`);
      const sql = "select rowid as id, -rank as score from piece where piece match ? order by rank, rowid desc";
      const rows = match.length === 0 ? [] : database.all(sql, match.join(" OR "));
      return rows.map((row) => ({ id: Number(row["id"]), score: Number(row["score"]) }));
    },
    close: () => database.close(),
  };
}

const longestName = 80;

/** The words within names like `parseConfig`, which are one word to the index. */
function partsOf(text: string): string {
  const parts: string[] = [];
  let upto = 0;
  for (const { index } of text.matchAll(/[a-z\d][A-Z]/g)) {
    if (index < upto) continue;
    const before = /[\p{L}\p{N}]*$/u.exec(text.slice(Math.max(upto, index - longestName), index))?.[0] ?? "";
    const after = /^[\p{L}\p{N}]*/u.exec(text.slice(index, index + longestName))?.[0] ?? "";
    upto = index + after.length;
    parts.push(splitName(before + after));
  }
  return parts.join(" ");
}

export const splitName = (name: string): string => name.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, "$1 ");
