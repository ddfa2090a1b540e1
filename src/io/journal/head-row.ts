// The newest entry as the project's state.db knows it.
import type { Database } from "../store/database.ts";

/** The newest entry, and where the next one goes: `bytes` is the size of segment `segment`. */
export interface Head {
  seq: number;
  hash: string;
  segment: number;
  bytes: number;
}

/** The newest entry that the project's state.db knows; undefined before the first. */
export function headRow(database: Database): Head | undefined {
  const row = database.get("select seq, hash, segment, bytes from ledger_head where id = 1");
  if (!row) return undefined;
  return {
    seq: Number(row["seq"]),
    hash: String(row["hash"]),
    segment: Number(row["segment"]),
    bytes: Number(row["bytes"]),
  };
}

export function writeHeadRow(database: Database, head: Head): void {
  database.run(
    `insert into ledger_head (id, seq, hash, segment, bytes) values (1, ?, ?, ?, ?)
     on conflict (id) do update set seq = excluded.seq, hash = excluded.hash, segment = excluded.segment,
       bytes = excluded.bytes`,
    head.seq,
    head.hash,
    head.segment,
    head.bytes,
  );
}
