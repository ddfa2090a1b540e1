// Notes that nobody without the key may make up are signed by themselves: what was approved can be shown without the ledger
// that it stands in, and what was dropped cannot be told by whoever removed it (docs/ledger-format.md, Receipt, Retention).
import { canonical } from "../../base/canonical.ts";
import { type KeyPair, signatureFits } from "../../io/journal/key.ts";
import type { Json } from "../../protocol/message.ts";

export type SignedNote = "receipt" | "drop";

const textOf = (note: SignedNote, open: Record<string, unknown>): string => `fettle-${note}-1\n${canonical(open)}`;

/** `data` with the signer's public key and signature over all of it. */
export function signedNote(note: SignedNote, data: { [key: string]: Json }, key: KeyPair): { [key: string]: Json } {
  const open = { ...data, key: key.publicKey };
  return { ...open, sig: key.sign(textOf(note, open)) };
}

export function noteHolds(note: SignedNote, data: Record<string, unknown>): boolean {
  const { sig, ...open } = data;
  if (typeof sig !== "string" || typeof open["key"] !== "string") return false;
  return signatureFits(open["key"], textOf(note, open), sig);
}
