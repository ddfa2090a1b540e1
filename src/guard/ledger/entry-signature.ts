// Each entry is signed by who wrote it, so that what was added or made anew by somebody else shows before anything is
// signed on top of it (docs/ledger-format.md, Proof).
import { isA, withFallback } from "../../base/fallback.ts";
import type { KeyPair } from "../../io/journal/key.ts";
import { signatureHolds } from "./checkpoint.ts";
import { signatureFor, signedFor } from "./signing.ts";

const purpose = "fettle-entry-1";

/** The entry with `key` and `sig`; it must hold its `prev` already. */
export const signedEntry = <T extends { prev: string }>(entry: T, key: KeyPair): T & { key: string; sig: string } =>
  signedFor(purpose, entry, key);

/** Whether its own signature, or that of a checkpoint, is by the key that it names. */
export function entrySignatureHolds(entry: Record<string, unknown>): boolean {
  if (entry["kind"] === "checkpoint") return signatureHolds(entry);
  const { hash, ...rest } = entry;
  // What has no canonical form was never signed.
  return typeof hash === "string" && withFallback(false, isA(TypeError), () => signatureFor(purpose, rest));
}
