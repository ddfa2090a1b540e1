import { readEntries, verifyLedger } from "../../guard/ledger/verify.ts";
import type { AuditEntry, AuditFilter, AuditReport } from "../../protocol/query.ts";
import { ledgerKeys } from "../keys.ts";
import type { Program } from "../program.ts";

export async function verify(program: Program): Promise<AuditReport> {
  const { publicKey } = ledgerKeys(program.places);
  return verifyLedger(program.project.ledger, { publicKey, store: program.store() });
}

export async function entries(program: Program, filter: AuditFilter): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for await (const entry of readEntries(program.project.ledger, filter)) {
    found.push(entry);
    if (filter.limit !== undefined && found.length > filter.limit) found.shift();
  }
  return found;
}

export async function key(program: Program): Promise<{ fingerprint: string; publicKey: string }> {
  const { fingerprint, publicKey } = ledgerKeys(program.places);
  return { fingerprint, publicKey };
}
