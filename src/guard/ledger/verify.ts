// Reads a whole ledger, in constant memory, and says whether it is what was written.
import { canonical } from "../../base/canonical.ts";
import { fits, genesis } from "../../base/chain.ts";
import { fingerprintOf } from "../../io/journal/key.ts";
import { checkpointFile, type Line, lineBatches, segmentFile, segmentNumbers } from "../../io/journal/lines.ts";
import type { AuditReport } from "../../protocol/query.ts";
import { signatureHolds } from "./checkpoint.ts";
import { CopyReader, linesOfFile } from "./copies.ts";
import { type Anchor, anchorOf } from "./anchor.ts";
import { guaranteeOf, type Progress, type VerifyOptions } from "./guarantee.ts";
import { noteHolds } from "./note-signature.ts";
import { Signers } from "./signers.ts";

interface Problem {
  text: string;
  /** Undefined when no single entry is to blame. */
  entry?: number;
}

type Entry = Record<string, unknown> & { seq: number; hash: string };

/** Never rejects for what stands in the files; `badEntry` is the first sequence number that does not hold. */
export async function verifyLedger(folder: string, options: VerifyOptions = {}): Promise<AuditReport> {
  return new Verification(folder, options).report();
}

class Verification {
  private readonly folder: string;
  private readonly options: VerifyOptions;
  private readonly copies: CopyReader;
  private readonly progress: Progress = {
    seq: 0,
    hash: genesis,
    segments: 0,
    sealed: 0,
    key: undefined,
    badSignature: false,
    replaced: false,
    witnessed: 0,
  };
  private readonly signers: Signers;
  private readonly witness: CopyReader;
  private anchor: Anchor | undefined;
  /** Set when an entry tells that the segments before the first one were dropped. */
  private droppedTold = false;
  private signedReceipts = false;

  constructor(folder: string, options: VerifyOptions) {
    this.folder = folder;
    this.options = options;
    this.copies = new CopyReader(linesOfFile(checkpointFile(folder)));
    this.witness = new CopyReader(
      (options.witness ?? []).map((line) => Buffer.from(line)),
      "the copy",
    );
    this.signers = new Signers(folder, options.publicKey);
  }

  async report(): Promise<AuditReport> {
    const problem = await this.firstProblem();
    this.copies.close();
    this.witness.close();
    const { seq, hash, segments, key, sealed, badSignature } = this.progress;
    const fingerprint = key && fingerprintOf(key);
    return {
      ok: problem === undefined,
      entries: seq - (this.anchor?.seq ?? 0),
      segments,
      head: seq === 0 ? "" : hash,
      signature: badSignature ? "bad" : sealed > 0 ? "verified" : seq > 0 ? "unsigned" : "none",
      guarantee: guaranteeOf(problem === undefined, this.progress, this.options),
      ...(problem && { problem: problem.text }),
      ...(problem?.entry !== undefined && { badEntry: problem.entry }),
      ...(fingerprint && { fingerprint }),
      ...(this.anchor && { dropped: this.anchor.seq }),
      ...(this.options.witness && { witnessed: this.progress.witnessed }),
    };
  }

  private async firstProblem(): Promise<Problem | undefined> {
    const numbers = segmentNumbers(this.folder);
    const first = numbers[0] ?? 1;
    const lost = first > 1 ? this.begin(first) : undefined;
    if (lost) return lost;
    for (const [index, number] of numbers.entries()) {
      if (number !== first + index) return this.bad(`segment ${first + index} is missing`);
      this.progress.segments += 1;
      for (const batch of lineBatches(segmentFile(this.folder, number))) {
        for (const line of batch) {
          const problem = this.judge(line);
          if (problem === "unfinished") return this.untoldDrop();
          if (problem) return problem;
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return this.missingEnd() ?? this.untoldDrop();
  }

  /** After a retention the chain begins at a checkpoint of which the copy is kept. */
  private begin(first: number): Problem | undefined {
    const anchor = anchorOf(this.folder, first);
    if (typeof anchor === "string") return { text: anchor, entry: 1 };
    this.anchor = anchor;
    this.progress.seq = anchor.seq;
    this.progress.hash = anchor.hash;
    if (this.signers.meet(anchor.key, anchor.seq) !== undefined)
      return this.badSignature(`checkpoint ${anchor.seq} was signed by another key`);
    return this.meetWitness(anchor);
  }

  private meetWitness({ seq, hash }: { seq: number; hash: string }): Problem | undefined {
    const problem = this.witness.meet(seq, hash);
    if (this.witness.met === seq) this.progress.witnessed = seq;
    return problem === undefined ? undefined : this.badCopy(problem);
  }

  private untoldDrop(): Problem | undefined {
    if (!this.anchor || this.droppedTold) return undefined;
    return { text: `entries 1 to ${this.anchor.seq} are missing, and no entry says that they were dropped`, entry: 1 };
  }

  private judge(line: Line): Problem | "unfinished" | undefined {
    const { progress } = this;
    const expected = progress.seq + 1;
    if (!line.ended) return this.unfinished();
    const entry = parsed(line.bytes);
    if (!entry) return this.bad(`entry ${expected} is not a line of canonical JSON`);
    if (entry.seq !== expected) return this.bad(`entry ${expected} is missing: entry ${entry.seq} stands in its place`);
    if (entry["prev"] !== progress.hash) return this.bad(`entry ${expected} does not continue the entry before it`);
    if (!fits(entry, progress.hash)) return this.bad(`entry ${expected} was changed: its hash does not fit`);
    if ((expected === 1) !== (entry["kind"] === "ledger.created"))
      return this.bad(`entry ${expected} has the wrong kind`);
    const problem = this.compare(entry);
    if (problem) return problem;
    progress.seq = expected;
    progress.hash = entry.hash;
    return undefined;
  }

  /** With what is known from elsewhere: signature, copy of the checkpoint, head row. */
  private compare(entry: Entry): Problem | undefined {
    const { head } = this.options;
    const unsigned = entry["kind"] === "checkpoint" ? this.signatureProblem(entry) : undefined;
    if (unsigned) return unsigned;
    const copied = this.copies.meet(entry.seq, entry.hash);
    if (copied) return this.badCopy(copied);
    const strange = this.meetWitness(entry);
    if (strange) return strange;
    if (entry["name"] === "ledger.dropped") this.readDrop(entry);
    const receipt = entry["name"] === "approval.receipt" ? this.receiptProblem(entry) : undefined;
    if (receipt) return receipt;
    if (head?.seq !== entry.seq || head.hash === entry.hash) return undefined;
    return this.bad(`entry ${entry.seq} is not the one that the head row names`);
  }

  /** Only who has the key can tell so. A crash may have left the last of the segments that were to go. */
  private readDrop({ seq, data }: Entry): void {
    if (!this.anchor || !isTable(data) || !noteHolds("drop", data)) return;
    if (this.signers.meet(String(data["key"]), seq) !== undefined) return;
    const { seq: last, hash } = data;
    this.droppedTold ||= last === this.anchor.seq ? hash === this.anchor.hash : Number(last) > this.anchor.seq;
  }

  /** One without any signature may have been written before there were signed receipts, but not after one. */
  private receiptProblem({ seq, data: receipt }: Entry): Problem | undefined {
    if (!isTable(receipt)) return this.bad(`the receipt in entry ${seq} says nothing`);
    if (receipt["sig"] === undefined && !this.signedReceipts) return undefined;
    this.signedReceipts = true;
    if (!noteHolds("receipt", receipt)) return this.bad(`the signature of the receipt in entry ${seq} does not fit`);
    if (this.signers.meet(String(receipt["key"]), seq) === undefined) return undefined;
    return this.bad(`the receipt in entry ${seq} was signed by another key than the ledger`);
  }

  private signatureProblem(entry: Entry): Problem | undefined {
    this.progress.key = String(entry["key"]);
    if (!signatureHolds(entry)) return this.badSignature(`the signature of checkpoint ${entry.seq} does not fit`);
    const stranger = this.signers.meet(this.progress.key, entry.seq);
    if (stranger) return this.badSignature(stranger);
    this.progress.replaced = this.signers.replaced(this.progress.key);
    this.progress.sealed = entry.seq;
    return undefined;
  }

  private missingEnd(): Problem | undefined {
    const { seq } = this.progress;
    const own = this.copies.rest(seq);
    const outside = this.witness.rest(seq);
    if (typeof own === "string") return this.badCopy(own);
    if (typeof outside === "string") return this.badCopy(outside);
    const copied = Math.max(own, outside);
    const last = Math.max(copied, this.options.head?.seq ?? 0);
    if (last <= seq) return undefined;
    const witness = copied === last ? "a signed checkpoint" : "the head row";
    return this.bad(`entries ${seq + 1} to ${last} are missing at the end, as ${witness} shows`);
  }

  /** What a crash leaves, or a writer at work; but only after everything that the head row names. */
  private unfinished(): Problem | "unfinished" {
    const { seq } = this.progress;
    const end = this.missingEnd();
    if (end) return end;
    if (this.options.head && this.options.head.seq <= seq) return "unfinished";
    return this.bad(`entry ${seq + 1} is unfinished`);
  }

  private badSignature(text: string): Problem {
    this.progress.badSignature = true;
    return this.bad(text);
  }

  private badCopy(text: string): Problem {
    return { text };
  }

  private bad(text: string): Problem {
    return { text, entry: this.progress.seq + 1 };
  }
}

const isTable = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function parsed(bytes: Buffer): Entry | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    return Buffer.from(canonical(value)).equals(bytes) ? (value as Entry) : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
