// The copies of checkpoints beside the segments, read alongside them: what they sign must be in the chain.
import { existsSync, statSync } from "node:fs";
import { lineBatches } from "../../io/journal/lines.ts";
import { signatureHolds } from "./checkpoint.ts";

interface Copy {
  seq: number;
  hash: string;
}

/** Answers texts for problems. Copies that are written after it was made do not count: their entries may be unread. */
export class CopyReader {
  private readonly copies: Generator<Copy | string>;
  private next: Copy | string | undefined;

  constructor(file: string | undefined) {
    this.copies = readCopies(file);
    this.advance();
  }

  /** An entry goes by. */
  meet(seq: number, hash: string): string | undefined {
    if (typeof this.next === "string") return this.next;
    if (!this.next || this.next.seq > seq) return undefined;
    const fits = this.next.seq === seq && this.next.hash === hash;
    if (!fits) return strange(this.next);
    this.advance();
    return undefined;
  }

  /** After entry `last`, the last one: the highest sequence number that a copy still waits for, 0 for none. */
  rest(last: number): number | string {
    let highest = 0;
    for (; this.next !== undefined; this.advance()) {
      if (typeof this.next === "string") return this.next;
      if (this.next.seq <= last) return strange(this.next);
      highest = Math.max(highest, this.next.seq);
    }
    return highest;
  }

  close(): void {
    this.copies.return(undefined);
  }

  private advance(): void {
    const { value, done } = this.copies.next();
    this.next = done ? undefined : (value as Copy | string);
  }
}

const strange = (copy: Copy): string => `checkpoints.jsonl has a checkpoint ${copy.seq} that is not the ledger's`;

function* readCopies(file: string | undefined): Generator<Copy | string> {
  if (file === undefined || !existsSync(file)) return;
  const size = statSync(file).size;
  let number = 0;
  for (const batch of lineBatches(file, 0, size)) {
    for (const line of batch) {
      number += 1;
      // A crash left it; the entry that it copies is in the chain.
      if (!line.ended) return;
      yield copyOf(line.bytes) ?? `line ${number} of checkpoints.jsonl is not a signed checkpoint`;
    }
  }
}

function copyOf(bytes: Buffer): Copy | undefined {
  try {
    const value = JSON.parse(bytes.toString("utf8")) as Record<string, unknown>;
    const { seq, hash } = value;
    if (typeof seq !== "number" || typeof hash !== "string" || !signatureHolds(value)) return undefined;
    return { seq, hash };
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
