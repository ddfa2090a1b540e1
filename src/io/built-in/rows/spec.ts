/** A row by column, as text; what a person is shown of it and what it is compared by. */
export type Cells = Readonly<Record<string, string | null>>;

/** What one statement has done inside a transaction. */
export interface Touched {
  /** By table, rows of triggers and foreign keys too. */
  tables: { name: string; inserted: number; updated: number; deleted: number }[];
  rows: { table: string; before?: Cells | undefined; after?: Cells | undefined }[];
}

/** What a person has seen of it, so that nothing else is kept. */
export interface Shown {
  digest: string;
  /** Columns whose values differ each time (a clock, a counter): ROW COLUMN, not part of the digest. */
  unstable: string[];
}

export const mostTouched = 1_000;
