// What is signed, with the public key of who signed it, for one purpose only (docs/ledger-format.md).
import { canonical } from "../../base/canonical.ts";
import { type KeyPair, signatureFits } from "../../io/journal/key.ts";

/** Over `purpose` and all of it; an entry must hold its `prev` already. */
export function signedFor<T extends object>(purpose: string, of: T, key: KeyPair): T & { key: string; sig: string } {
  const open = { ...of, key: key.publicKey };
  return { ...open, sig: key.sign(`${purpose}\n${canonical(open)}`) };
}

export function signatureFor(purpose: string, { sig, ...open }: Record<string, unknown>): boolean {
  if (typeof sig !== "string" || typeof open["key"] !== "string") return false;
  return signatureFits(open["key"], `${purpose}\n${canonical(open)}`, sig);
}
