// What model calls have cost, user-wide, in micro-dollars: monthly budgets reach across projects.
import { Database } from "./database.ts";

export interface SpendRow {
  at: number;
  session: string;
  model: string;
  micro: number;
}

export interface Spend {
  add(row: SpendRow): void;
  /** Sum from the time `at` (ms) on. */
  since(at: number): number;
  close(): void;
}

const first = `
  create table spend (at integer not null, session text not null, model text not null, micro integer not null) strict;
  create index spend_at on spend (at, micro);
`;

export function openSpend(file: string): Spend {
  const database = new Database(file, [first]);
  return {
    add: (row) =>
      void database.run(
        "insert into spend (at, session, model, micro) values (?, ?, ?, ?)",
        row.at,
        row.session,
        row.model,
        row.micro,
      ),
    since: (at) =>
      Number(database.get("select coalesce(sum(micro), 0) as total from spend where at >= ?", at)?.["total"]),
    close: () => database.close(),
  };
}
