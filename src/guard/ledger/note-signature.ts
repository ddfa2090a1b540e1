// Notes that nobody without the key may make up are signed by themselves: what was approved can be shown without the ledger
// that it stands in, and what was dropped cannot be told by whoever removed it (docs/ledger-format.md, Receipt, Retention).
import type { KeyPair } from "../../io/journal/key.ts";
import type { Json } from "../../protocol/message.ts";
import { signatureFor, signedFor } from "./signing.ts";

export type SignedNote = "receipt" | "drop";

/** `data` with the signer's public key and signature over all of it. */
export const signedNote = (note: SignedNote, data: { [key: string]: Json }, key: KeyPair): { [key: string]: Json } =>
  signedFor(`fettle-${note}-1`, data, key);

export const noteHolds = (note: SignedNote, data: Record<string, unknown>): boolean =>
  signatureFor(`fettle-${note}-1`, data);
