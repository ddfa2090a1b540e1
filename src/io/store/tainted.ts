// Files that a session wrote after it had read text from outside: whoever reads them reads that text, too.
import type { Database } from "./database.ts";

interface TaintedFile {
  /** sha256 of the absolute path. */
  key: string;
  /** Null when not even names may be kept (incognito). */
  path: string | null;
  /** sha256 of the content as it was written, so that a moved or copied file is known again. */
  digest: string;
}

export function markTainted(database: Database, { key, path, digest }: TaintedFile, at: number): void {
  database.run(
    "insert into tainted_file (key, path, digest, at) values (?, ?, ?, ?) on conflict (key) do update set digest = excluded.digest, path = coalesce(excluded.path, path), at = excluded.at",
    key,
    path,
    digest,
    at,
  );
}

export function forgetTainted(database: Database, key: string): void {
  database.run("delete from tainted_file where key = ?", key);
}

export const anyTainted = (database: Database): boolean =>
  database.get("select 1 from tainted_file limit 1") !== undefined;

export const isTainted = (database: Database, key: string, digest: string): boolean =>
  database.get("select 1 from tainted_file where key = ? or digest = ? limit 1", key, digest) !== undefined;

export const taintedPaths = (database: Database): string[] =>
  database.all("select path from tainted_file where path is not null").map((row) => String(row["path"]));
