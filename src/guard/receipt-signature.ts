// A receipt is signed by itself: it can be shown without the ledger that it stands in (docs/ledger-format.md, Receipt).
import { canonical } from "../base/canonical.ts";
import { type KeyPair, signatureFits } from "../io/journal/key.ts";
import type { Json } from "../protocol/message.ts";

const purpose = "fettle-receipt-1\n";

/** `data` with the signer's public key and signature over all of it. */
export function signedReceipt(data: { [key: string]: Json }, key: KeyPair): { [key: string]: Json } {
  const open = { ...data, key: key.publicKey };
  return { ...open, sig: key.sign(purpose + canonical(open)) };
}

export function receiptHolds(data: Record<string, unknown>): boolean {
  const { sig, ...open } = data;
  if (typeof sig !== "string" || typeof open["key"] !== "string") return false;
  return signatureFits(open["key"], purpose + canonical(open), sig);
}
