// Which entries a holder of the key has signed, read in the order of the chain (docs/ledger-format.md, Proof).
import { entrySignatureHolds } from "./entry-signature.ts";
import type { Signers } from "./signers.ts";
import { readUnproven, type RolledBack, type Unproven } from "./unproven.ts";

type Entry = Record<string, unknown> & { seq: number };

/** Who signs has looked at the end before: one signature proves what is before it, but for what is said to be unproven. */
const longestWait = 2000;

export class Proofs {
  /** The newest entry that is proven. */
  proven = 0;
  /** Who signed it. */
  key: string | undefined;
  readonly unproven: Unproven[] = [];
  readonly rolledBack: RolledBack[] = [];
  private readonly signers: Signers;
  private waiting: Entry[] = [];
  private pending: number | undefined;
  /** The first entry of the format in which entries are signed. */
  private firstNew: number | undefined;

  constructor(signers: Signers) {
    this.signers = signers;
  }

  /** An entry goes by whose hash fits, and whose signature does if it is a checkpoint. */
  meet(entry: Entry): void {
    if (entry["v"] !== 1) this.firstNew ??= entry.seq;
    const said = readUnproven(entry);
    if (said && this.holds(entry)) return this.close(entry, said);
    if (entry["kind"] === "checkpoint") return this.seal(entry);
    if (typeof entry["sig"] !== "string" || entry["v"] === 1) return this.doubt(entry.seq);
    if (this.pending !== undefined) return;
    const before = this.waiting.at(-1);
    if ((before && before["key"] !== entry["key"]) || this.waiting.length >= longestWait) this.settle();
    if (this.pending === undefined) this.waiting.push(entry);
  }

  /** After the last entry. */
  end(seq: number): void {
    this.settle();
    if (this.pending === undefined || this.pending > seq) return;
    const old = this.firstNew === undefined || this.firstNew > seq;
    const why = old ? "no checkpoint signs it" : "the key of this ledger did not sign it";
    this.unproven.push({ from: this.pending, to: seq, why, ...(old && { old }) });
  }

  holds(entry: Entry): boolean {
    return entrySignatureHolds(entry) && this.signers.meet(String(entry["key"]), entry.seq) === undefined;
  }

  /** The chain goes on at an entry that says so, after something that does not hold. */
  skipTo(seq: number): void {
    this.settle();
    if (this.pending === undefined || this.pending > seq) this.pending = this.proven + 1;
  }

  private seal(entry: Entry): void {
    // Before entries were signed, a checkpoint signed whatever it found.
    if (entry["v"] === 1) this.settle();
    if (entry["v"] === 1 && this.firstNew === undefined) this.pending = undefined;
    if (this.pending === undefined) this.prove(entry);
  }

  private close(entry: Entry, { from, to, why, known, found }: NonNullable<ReturnType<typeof readUnproven>>): void {
    if (from !== undefined) this.waiting = this.waiting.filter(({ seq }) => seq < from);
    this.settle();
    const start = Math.min(this.pending ?? Number.POSITIVE_INFINITY, from ?? Number.POSITIVE_INFINITY);
    const end = Math.max(entry.seq - 1, to ?? 0);
    const old = known === undefined && (this.firstNew ?? entry.seq) >= entry.seq;
    if (start <= end) this.unproven.push({ from: start, to: end, why, ...(old && { old }) });
    if (known) this.rolledBack.push({ known: known.seq, found });
    this.pending = undefined;
    this.prove(entry);
  }

  private doubt(seq: number): void {
    this.settle();
    this.pending ??= seq;
  }

  private prove(entry: Entry): void {
    this.waiting = [];
    this.proven = entry.seq;
    this.key = String(entry["key"]);
  }

  /** The last that holds proves those before it. */
  private settle(): void {
    const { waiting } = this;
    this.waiting = [];
    if (waiting.length === 0) return;
    const last = waiting.findLastIndex((entry) => this.holds(entry));
    const proven = waiting[last];
    if (proven) this.prove(proven);
    const open = waiting[last + 1];
    if (open) this.pending ??= open.seq;
  }
}
