import { ledgerHead, readEntries, verifyLedger } from "../../guard/ledger/ledger.ts";
import { knownPublicKey, loadKeyPair } from "../../io/journal/key.ts";
import type { AuditEntry, AuditFilter, AuditReport } from "../../protocol/query.ts";
import type { Program } from "../program.ts";

/** The files, the signer and the head row that the project's database keeps. */
export async function verify(program: Program): Promise<AuditReport> {
  const publicKey = knownPublicKey(program.places.state);
  const head = ledgerHead(program.store());
  return verifyLedger(program.project.ledger, { ...(publicKey && { publicKey }), ...(head && { head }) });
}

/** Matching entries in order; with a limit, the newest ones. */
export async function entries(program: Program, filter: AuditFilter): Promise<AuditEntry[]> {
  const { limit, ...rest } = filter;
  const found: AuditEntry[] = [];
  for await (const entry of readEntries(program.project.ledger, rest)) {
    found.push(entry);
    if (limit !== undefined && found.length > limit) found.shift();
  }
  return found;
}

export async function key(program: Program): Promise<{ fingerprint: string; publicKey: string }> {
  const { fingerprint, publicKey } = loadKeyPair(program.places.state);
  return { fingerprint, publicKey };
}
