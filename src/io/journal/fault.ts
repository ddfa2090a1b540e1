import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";

/** The ledger cannot be written or does not fit what it should be; nothing may be done that needs an entry. */
export class LedgerFault extends Fault {}

export const unwritableLedger = (folder: string, detail: string): LedgerFault =>
  new LedgerFault(
    "ledger.unwritable",
    Exit.integrity,
    `The ledger in ${folder} cannot be written (${detail}), so nothing may run.`,
    "Free space on the disk, or give yourself write access to this folder.",
  );

export const brokenLedger = (folder: string, detail: string): LedgerFault =>
  new LedgerFault(
    "ledger.broken",
    Exit.integrity,
    `The ledger in ${folder} is not what was written: ${detail}.`,
    "See `fettle audit verify`; put back a copy, or move the project's whole state folder aside to begin anew.",
  );

/** Entries can still be written, but not signed. */
export const brokenKey = (file: string, detail: string): LedgerFault =>
  new LedgerFault(
    "ledger.key",
    Exit.integrity,
    `The key in ${file} that signs the ledger cannot be used (${detail}); what was recorded stays unsigned.`,
    `Put back a copy, or move it aside so that a new one is made: mv '${file}' '${file}.broken'`,
  );
