// Each entry is signed by who wrote it, so that what was added or made anew by somebody else shows before anything is
// signed on top of it (docs/ledger-format.md, Proof).
import { canonical } from "../../base/canonical.ts";
import { type KeyPair, signatureFits } from "../../io/journal/key.ts";
import { signatureHolds } from "./checkpoint.ts";

const purpose = "fettle-entry-1\n";

/** The entry with `key` and `sig`; it must hold its `prev` already. */
export function signedEntry<T extends { prev: string }>(entry: T, key: KeyPair): T & { key: string; sig: string } {
  const open = { ...entry, key: key.publicKey };
  return { ...open, sig: key.sign(purpose + canonical(open)) };
}

/** Whether its own signature, or that of a checkpoint, is by the key that it names. */
export function entrySignatureHolds(entry: Record<string, unknown>): boolean {
  if (entry["kind"] === "checkpoint") return signatureHolds(entry);
  const { sig, hash, ...open } = entry;
  if (typeof sig !== "string" || typeof hash !== "string" || typeof open["key"] !== "string") return false;
  try {
    return signatureFits(open["key"], purpose + canonical(open), sig);
  } catch (error) {
    // What has no canonical form was never signed.
    if (error instanceof TypeError) return false;
    throw error;
  }
}
