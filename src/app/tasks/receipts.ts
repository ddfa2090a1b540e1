// The receipts of a task's approvals, as the ledger keeps them: what each was given for, and by whose key.
import { readEntries } from "../../guard/ledger/ledger.ts";
import { noteHolds } from "../../guard/ledger/note-signature.ts";
import type { AuditEntry } from "../../protocol/query.ts";
import type { Signature, SignatureCheck } from "../../protocol/task.ts";
import type { Program } from "../program/program.ts";

export async function checkReceipt(program: Program, { nonce, by, digest }: Signature): Promise<SignatureCheck> {
  const found = await receiptOf(program, nonce);
  if (!found) return { ok: false, problem: `The ledger holds no receipt of the approval ${nonce}.` };
  const { entry, data } = found;
  const at = { entry: Number(entry["seq"]), hash: String(entry["hash"]) };
  if (data["incognito"] === true) return { ok: true, ...at };
  if (!noteHolds("receipt", data))
    return { ok: false, ...at, problem: `The receipt in entry ${at.entry} is not signed.` };
  if (data["by"] !== by) return { ok: false, ...at, problem: `The receipt in entry ${at.entry} is of somebody else.` };
  if (data["envelope"] !== digest)
    return { ok: false, ...at, problem: `The receipt in entry ${at.entry} is of something else.` };
  return { ok: true, ...at, key: String(data["key"]) };
}

async function receiptOf(
  program: Program,
  nonce: string,
): Promise<{ entry: AuditEntry; data: Record<string, unknown> } | undefined> {
  for await (const entry of readEntries(program.project.ledger, { text: nonce })) {
    const { data } = entry;
    if (entry["name"] !== "approval.receipt" || typeof data !== "object" || data === null || Array.isArray(data))
      continue;
    if (data["nonce"] === nonce) return { entry, data };
  }
  return undefined;
}
