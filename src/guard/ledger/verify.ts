// Reads a whole ledger, in constant memory, and says whether it is what was written.
import { existsSync } from "node:fs";
import { canonical } from "../../base/canonical.ts";
import { fits, genesis } from "../../base/chain.ts";
import { fingerprintOf } from "../../io/journal/key.ts";
import { checkpointFile, type Line, lineBatches, segmentFile, segmentNumbers } from "../../io/journal/lines.ts";
import type { AuditReport } from "../../protocol/query.ts";
import { signatureHolds } from "./checkpoint.ts";
import { CopyReader } from "./copies.ts";
import { guaranteeOf, type Progress, type VerifyOptions } from "./guarantee.ts";

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
  };

  constructor(folder: string, options: VerifyOptions) {
    this.folder = folder;
    this.options = options;
    this.copies = new CopyReader(existsSync(folder) ? checkpointFile(folder) : undefined);
  }

  async report(): Promise<AuditReport> {
    const problem = await this.firstProblem();
    this.copies.close();
    const { seq, hash, segments, key, sealed, badSignature } = this.progress;
    const fingerprint = key && fingerprintOf(key);
    return {
      ok: problem === undefined,
      entries: seq,
      segments,
      head: seq === 0 ? "" : hash,
      signature: badSignature ? "bad" : sealed > 0 ? "verified" : seq > 0 ? "unsigned" : "none",
      guarantee: guaranteeOf(problem === undefined, this.progress, this.options),
      ...(problem && { problem: problem.text }),
      ...(problem?.entry !== undefined && { badEntry: problem.entry }),
      ...(fingerprint && { fingerprint }),
    };
  }

  private async firstProblem(): Promise<Problem | undefined> {
    for (const [index, number] of segmentNumbers(this.folder).entries()) {
      if (number !== index + 1) return this.bad(`segment ${index + 1} is missing`);
      this.progress.segments += 1;
      for (const batch of lineBatches(segmentFile(this.folder, number))) {
        for (const line of batch) {
          const problem = this.judge(line);
          if (problem === "unfinished") return undefined;
          if (problem) return problem;
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return this.missingEnd();
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
    if (head?.seq !== entry.seq || head.hash === entry.hash) return undefined;
    return this.bad(`entry ${entry.seq} is not the one that the head row names`);
  }

  private signatureProblem(entry: Entry): Problem | undefined {
    const { publicKey } = this.options;
    this.progress.key = String(entry["key"]);
    if (!signatureHolds(entry)) return this.badSignature(`the signature of checkpoint ${entry.seq} does not fit`);
    if (publicKey !== undefined && entry["key"] !== publicKey) {
      return this.badSignature(`checkpoint ${entry.seq} was signed by another key`);
    }
    this.progress.sealed = entry.seq;
    return undefined;
  }

  private missingEnd(): Problem | undefined {
    const { seq } = this.progress;
    const copied = this.copies.rest(seq);
    if (typeof copied === "string") return this.badCopy(copied);
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
