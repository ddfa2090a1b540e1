// A signed entry that seals every entry before it (docs/ledger-format.md, Checkpoint).
import type { KeyPair } from "../../io/journal/key.ts";
import { signatureFor, signedFor } from "./signing.ts";

const purpose = "fettle-ledger-1";

/** The entry with `key` and `sig`; it must hold its `prev` already. */
export const signed = <T extends { prev: string }>(entry: T, key: KeyPair): T & { key: string; sig: string } =>
  signedFor(purpose, entry, key);

export const signatureHolds = ({ hash, ...entry }: Record<string, unknown>): boolean =>
  typeof hash === "string" && signatureFor(purpose, entry);
