import path from "node:path";
import { ledgerHead, readEntries, verifyLedger } from "../../../guard/ledger/ledger.ts";
import { fingerprintOf, knownPublicKey, loadKeyPair } from "../../../io/journal/key.ts";
import type { AuditEntry, AuditFilter, AuditReport, CheckpointView } from "../../../protocol/query.ts";
import { knownHeadFile, readKnownHead } from "../../../io/journal/known-head.ts";
import { checkpointLines, copiedLines, copyName } from "../../record/audit.ts";
import type { Program } from "../../program/program.ts";

/** The files, the signer and the head row that the project's database keeps. */
export async function verify(program: Program, { against }: { against?: string }): Promise<AuditReport> {
  const publicKey = knownPublicKey(program.places.state);
  const head = ledgerHead(program.kept());
  const apart = readKnownHead(knownHeadFile(program.places.state, path.basename(program.project.root)));
  const witness = against === undefined ? undefined : await copiedLines(program, against);
  const known = {
    ...(publicKey && { publicKey }),
    ...(head && { head }),
    ...(apart && { apart }),
    ...(witness && { witness }),
  };
  return verifyLedger(program.project.ledger, known);
}

export async function checkpoint(program: Program): Promise<CheckpointView | null> {
  const last = checkpointLines(program).at(-1);
  if (last === undefined) return null;
  const { seq, at, hash, key } = JSON.parse(last) as { seq: number; at: number; hash: string; key: string };
  return { seq, at, hash, fingerprint: fingerprintOf(key) ?? key, copyName: copyName(program) };
}

/** Matching entries in order; with a limit, the newest ones. */
export async function entries(program: Program, filter: AuditFilter): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for await (const entry of readEntries(program.project.ledger, filter)) found.push(entry);
  return found;
}

export async function key(program: Program): Promise<{ fingerprint: string; publicKey: string }> {
  const { fingerprint, publicKey } = loadKeyPair(program.places.state);
  return { fingerprint, publicKey };
}
