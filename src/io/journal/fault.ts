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
