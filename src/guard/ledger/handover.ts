// One key hands over to the next: a statement that both have signed (docs/ledger-format.md, Keys).
import { isA, withFallback } from "../../base/fallback.ts";
import { canonical } from "../../base/canonical.ts";
import { type KeyPair, signatureFits } from "../../io/journal/key.ts";

const purpose = "fettle-key-handover-1\n";

/** `at` is ms since 1970. The statement stands alone: it needs no ledger to be checked. */
export interface Handover {
  v: 1;
  at: number;
  from: string;
  to: string;
  sigFrom: string;
  sigTo: string;
}

export function handover(from: KeyPair, to: KeyPair, at: number): Handover {
  const open = { v: 1 as const, at, from: from.publicKey, to: to.publicKey };
  const text = purpose + canonical(open);
  return { ...open, sigFrom: from.sign(text), sigTo: to.sign(text) };
}

/** The statement of one line; undefined when it is none, or not signed by both. */
export function handoverOf(line: string): Handover | undefined {
  const value = parsed(line);
  if (!value) return undefined;
  const { sigFrom, sigTo, ...open } = value;
  const text = signedText(open);
  const holds = text !== undefined && signatureFits(value.from, text, sigFrom) && signatureFits(value.to, text, sigTo);
  return holds ? value : undefined;
}

/** Undefined for what has no canonical form: nobody signed that. */
const signedText = (open: object): string | undefined =>
  withFallback(undefined, isA(TypeError), () => purpose + canonical(open));

const parsed = (line: string): Handover | undefined =>
  withFallback(undefined, isA(SyntaxError), () => {
    const value = JSON.parse(line) as Partial<Handover> | null;
    const texts = [value?.from, value?.to, value?.sigFrom, value?.sigTo];
    return texts.every((text) => typeof text === "string") ? (value as Handover) : undefined;
  });

/** Whether handovers lead from the one key to the other, each in the direction in which it was signed. */
export function leadsTo(from: string, to: string, handovers: readonly Handover[]): boolean {
  const known = new Set([from]);
  for (const key of known) for (const each of handovers) if (each.from === key) known.add(each.to);
  return known.has(to);
}
