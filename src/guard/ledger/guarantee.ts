import { fingerprintOf } from "../../io/journal/key.ts";
import type { KnownHead } from "../../io/journal/known-head.ts";
import { entriesText, type Unproven } from "./unproven.ts";

export interface VerifyOptions {
  /** `ed25519:…`; every checkpoint must be signed by it. */
  publicKey?: string;
  /** From state.db; shows what was cut off after the last checkpoint. */
  head?: { seq: number; hash: string };
  /** What is known apart from the ledger and its database: shows when both were put back. */
  apart?: KnownHead;
  /** Checkpoints that were copied off the machine, oldest first. */
  witness?: readonly string[];
}

export interface Progress {
  seq: number;
  hash: string;
  segments: number;
  /** Newest entry that a checkpoint signs, itself included. */
  sealed: number;
  key: string | undefined;
  badSignature: boolean;
  /** `key` has handed over to the one that is known from elsewhere. */
  replaced: boolean;
  /** Newest entry that a checkpoint from off the machine confirms. */
  witnessed: number;
}

/** Which protection holds, in words for a person. */
export function guaranteeOf(
  ok: boolean,
  progress: Progress,
  options: VerifyOptions,
  unproven: readonly Unproven[],
): string {
  if (!ok) return "None: this ledger is not what was written.";
  const { seq, sealed, key } = progress;
  if (seq === 0) return "Nothing has been recorded yet.";
  if (sealed === 0 || key === undefined) {
    return "Self-consistent, but nothing in it is signed: who can write these files can replace the whole ledger.";
  }
  const signer = fingerprintOf(key) ?? key;
  const open = unproven.map(({ from, to, why }) => ` Unproven: ${entriesText(from, to)}, because ${why}.`);
  const rest = open.join("");
  if (options.publicKey === undefined) {
    return `Self-consistent, signer unknown: it is signed by ${signer}, and no key was given to compare.${rest}`;
  }
  if (progress.replaced) {
    return `Self-consistent, but last signed by ${signer}, a key that was replaced since: who kept a copy of it may have written this.${rest}`;
  }
  const scope = "Tamper-evident against the agent and against later edits";
  return `${scope}, signed by ${signer}; ${againstOwner(progress, options)}.${rest}`;
}

function againstOwner({ witnessed }: Progress, { witness = [] }: VerifyOptions): string {
  if (witnessed > 0)
    return `also against the owner of the key up to entry ${witnessed}, as the copied checkpoints confirm`;
  return witness.length > 0
    ? "not against the owner of the key: the copied checkpoints confirm nothing of what is left"
    : "against the owner of the key only with checkpoints that were copied off this machine";
}
