// What stands in a ledger without having been proven, and what was lost from it (docs/ledger-format.md, Proof).
import { unsignedBefore } from "../../io/journal/standing.ts";

/** Entries of which nobody can say that a holder of the key wrote them. */
export interface Unproven {
  from: number;
  to: number;
  why: string;
  /** Of before entries were signed: no sign of an attack. */
  old?: true;
}

/** The ledger was put back: `known` was its newest entry, `found` the newest that still stood there. */
export interface RolledBack {
  known: number;
  found: number;
}

interface Said {
  why: string;
  found: number;
  from?: number;
  to?: number;
  known?: { seq: number };
}

/** `data` of a note `ledger.unproven`. */
export function readUnproven(entry: Record<string, unknown>): Said | undefined {
  if (entry["kind"] !== "note" || entry["name"] !== "ledger.unproven") return undefined;
  const data = entry["data"] as Partial<Said> | null;
  if (typeof data !== "object" || data === null) return undefined;
  return typeof data.found === "number" && typeof data.why === "string" ? (data as Said) : undefined;
}

export const entriesText = (from: number, to: number): string =>
  from === to ? `entry ${from}` : `entries ${from} to ${to}`;

/** For a person who starts to work. */
export function unprovenText({ known, found, from, to, why }: Said): string {
  const lost =
    known === undefined || known.seq <= found
      ? ""
      : ` It was put back to an older state: its newest known entry is ${known.seq}, found was ${found}.`;
  const open = from === undefined || to === undefined ? "" : ` Nothing proves ${entriesText(from, to)}: ${why}.`;
  return `The ledger of this project is not what fettle wrote.${lost}${open} What is recorded from now on stands in a new segment and proves nothing of that. fettle audit verify tells more.`;
}

export { unsignedBefore };
