// A signed entry that seals every entry before it (docs/ledger-format.md, Checkpoint).
import { canonical } from "../../base/canonical.ts";
import { type KeyPair, signatureFits } from "../../io/journal/key.ts";

const purpose = "fettle-ledger-1\n";

/** The entry with `key` and `sig`; it must hold its `prev` already. */
export function signed<T extends { prev: string }>(entry: T, key: KeyPair): T & { key: string; sig: string } {
  const open = { ...entry, key: key.publicKey };
  return { ...open, sig: key.sign(purpose + canonical(open)) };
}

export function signatureHolds(entry: Record<string, unknown>): boolean {
  const { sig, hash, ...open } = entry;
  if (typeof sig !== "string" || typeof hash !== "string" || typeof open["key"] !== "string") return false;
  return signatureFits(open["key"], purpose + canonical(open), sig);
}
