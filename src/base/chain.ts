// The hash chain of the ledger: hash = sha256(prev ‖ canonical JSON of the entry without its hash).
import { canonical } from "./canonical.ts";
import { sha256 } from "./digest.ts";

/** `prev` of the first entry. */
export const genesis = "0".repeat(64);

export interface Linked {
  prev: string;
  hash: string;
}

/** Adds `prev` and `hash`. */
export function link<T extends object>(prev: string, entry: T): T & Linked {
  const open = { ...entry, prev };
  return { ...open, hash: sha256(prev + canonical(open)) };
}

/** Whether `entry` carries the hash that its content and `prev` demand. */
export function fits(entry: Partial<Linked>, prev: string): boolean {
  const { hash, ...open } = entry;
  return entry.prev === prev && hash === sha256(prev + canonical(open));
}
