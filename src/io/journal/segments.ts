// The ledger's segments on disk, and the head row in state.db that serialises the writers of several processes.
// An entry is flushed to its segment before the head row names it. What need not be flushed at once (an effect's end, a
// call's cost) lies beyond the head row until the next flush, as does what a crash leaves between the two: the next
// writer adopts what continues the chain, and cuts off an unfinished last line.
import { existsSync } from "node:fs";
import { Fault } from "../../base/fault.ts";
import { fits, genesis, type Linked } from "../../base/chain.ts";
import { canonical } from "../../base/canonical.ts";
import { makePrivateFolder } from "../places.ts";
import type { Database } from "../store/database.ts";
import { Appender } from "./appender.ts";
import { brokenLedger, LedgerFault, unwritableLedger } from "./fault.ts";
import { checkpointFile, type Line, lineBatches, lineBefore, segmentFile, segmentNumbers } from "./lines.ts";

/** The newest entry, and where the next one goes: `bytes` is the size of segment `segment`. */
export interface Head {
  seq: number;
  hash: string;
  segment: number;
  bytes: number;
}

export interface JournalEntry extends Linked {
  seq: number;
}

export interface JournalTransaction {
  head(): Head;
  /** Bytes of an unfinished last line that were cut off; counts once per crash. */
  readonly cut: number;
  /** Writes entries, which must continue the chain, in one piece: to the disk, or, `lazily`, there with the next flush. */
  append(entries: readonly JournalEntry[], lazily?: boolean): void;
  /** Keeps a copy of a signed entry beside the segments. */
  copy(entry: JournalEntry): void;
  /** The next entry begins a new segment. */
  finishSegment(): void;
}

const nothing: Head = { seq: 0, hash: genesis, segment: 1, bytes: 0 };

export class Segments {
  private readonly folder: string;
  private readonly database: Database;
  private readonly limit: number;
  private current: { number: number; file: Appender } | undefined;
  private copies: Appender | undefined;
  private trusted = false;
  /** The end as we left it; it may lie beyond the head row. */
  private end: Head | undefined;
  /** What was flushed beside the work and is not named by the head row yet. */
  private flushedBeside: Head | undefined;
  private cutBytes = 0;

  constructor(folder: string, database: Database, limit: number) {
    this.folder = folder;
    this.database = database;
    this.limit = limit;
  }

  /** Runs `body` as the only writer of all processes. What a failing body appended is taken back. */
  write<T>(body: (transaction: JournalTransaction) => T): T {
    try {
      // The segment is flushed by us; the head row may lag, so its commit need not be.
      return this.database.transaction(() => this.withOwnFaults(() => this.run(body)), { flushed: false });
    } catch (error) {
      if (error instanceof LedgerFault) throw error;
      throw unwritableLedger(this.folder, (error as Error).message.replace(/\.$/, ""));
    }
  }

  /** Brings what was written so far to the disk while this process goes on; the next writing names it in the head row. */
  async flushBeside(): Promise<void> {
    const { end } = this;
    if (!end) return;
    try {
      await this.segment(end.segment).flushBeside();
    } catch (error) {
      throw unwritableLedger(this.folder, (error as Error).message.replace(/\.$/, ""));
    }
    if (end.seq > (this.flushedBeside?.seq ?? 0)) this.flushedBeside = end;
  }

  close(): void {
    this.current?.file.flush();
    this.current?.file.close();
    this.copies?.close();
    this.current = undefined;
    this.copies = undefined;
  }

  /** What the files do wrong is not the database's fault. */
  private withOwnFaults<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      if (error instanceof Fault || !(error instanceof Error && "code" in error)) throw error;
      const inPlace = error.code === "EEXIST" || error.code === "ENOTDIR";
      throw unwritableLedger(this.folder, inPlace ? "it is not a folder" : error.message);
    }
  }

  private run<T>(body: (transaction: JournalTransaction) => T): T {
    const row = headRow(this.database);
    if (row && !this.trusted) this.checkEnd(row);
    this.trusted = true;
    this.cutBytes = 0;
    let head = this.caughtUp(this.known(row) ?? this.rebuilt());
    let flushed = row === undefined;
    let full = head.bytes >= this.limit;
    try {
      const value = body({
        head: () => head,
        cut: this.cutBytes,
        append: (entries, lazily = false) => {
          if (full) head = this.nextSegment(head);
          full = false;
          head = this.extend(head, entries, lazily && !flushed);
          flushed ||= !lazily;
        },
        copy: (entry) => this.keepCopy(entry),
        finishSegment: () => {
          head = this.nextSegment(head);
          full = false;
          flushed = true;
        },
      });
      if (flushed) writeHeadRow(this.database, head);
      else if (this.flushedBeside && this.flushedBeside.seq > (row?.seq ?? 0))
        writeHeadRow(this.database, this.flushedBeside);
      this.flushedBeside = undefined;
      this.end = head;
      return value;
    } catch (error) {
      // Here, while no other process can have written after us.
      this.takeBack();
      throw error;
    } finally {
      this.current?.file.settle();
      this.copies?.settle();
    }
  }

  /** Others may have written since, but nobody takes anything back. */
  private known(row: Head | undefined): Head | undefined {
    return row && this.end && this.end.seq >= row.seq ? this.end : row;
  }

  /** What anybody wrote lazily to the old segment is not flushed by writing to the new one. */
  private nextSegment(head: Head): Head {
    this.segment(head.segment).flush(true);
    return { ...head, segment: head.segment + 1, bytes: 0 };
  }

  private extend(head: Head, entries: readonly JournalEntry[], lazily: boolean): Head {
    const last = entries.at(-1);
    if (!last) return head;
    const bytes = Buffer.from(entries.map((entry) => `${canonical(entry)}\n`).join(""));
    const file = this.segment(head.segment);
    file.append(bytes);
    if (!lazily) file.flush();
    return { seq: last.seq, hash: last.hash, segment: head.segment, bytes: head.bytes + bytes.length };
  }

  private keepCopy(entry: JournalEntry): void {
    if (!this.copies || this.copies.size() === undefined) {
      this.copies?.close();
      this.copies = new Appender(checkpointFile(this.folder));
      this.copies.cutUnfinishedLine();
    }
    this.copies.append(Buffer.from(`${canonical(entry)}\n`));
    this.copies.flush();
  }

  private segment(number: number): Appender {
    if (this.current?.number !== number || this.current.file.size() === undefined) {
      this.current?.file.close();
      this.current = undefined;
      makePrivateFolder(this.folder);
      this.current = { number, file: new Appender(segmentFile(this.folder, number)) };
    }
    return this.current.file;
  }

  /** The common case is one fstat: the segment is as long as the head row says, and not full. */
  private caughtUp(known: Head): Head {
    let head = known;
    for (;;) {
      const size = this.segment(head.segment).size() ?? 0;
      if (size < head.bytes) {
        const lost = `entry ${head.seq} and perhaps more before it are missing`;
        throw brokenLedger(this.folder, lost);
      }
      if (size > head.bytes) head = this.adopt(head, size);
      if (head.bytes < this.limit || !existsSync(segmentFile(this.folder, head.segment + 1))) return head;
      head = { ...head, segment: head.segment + 1, bytes: 0 };
    }
  }

  /** Once: a file of the right size may still be another one. */
  private checkEnd({ segment, bytes, seq, hash }: Head): void {
    // Nothing has been written to this segment yet.
    if (bytes === 0) return;
    const file = segmentFile(this.folder, segment);
    const line = existsSync(file) ? lineBefore(file, bytes) : undefined;
    if (!line) return;
    const entry = entryOf(line);
    if (entry?.seq !== seq || entry.hash !== hash) {
      throw brokenLedger(this.folder, `entry ${seq} is not the one that was written last`);
    }
  }

  private adopt(from: Head, size: number): Head {
    let head = from;
    for (const batch of lineBatches(segmentFile(this.folder, from.segment), from.bytes, size)) {
      for (const line of batch) {
        if (line.ended) head = this.adoptLine(head, line);
      }
    }
    if (head.bytes < size) {
      this.cutBytes += size - head.bytes;
      this.segment(head.segment).cut(head.bytes);
    }
    return head;
  }

  private adoptLine(head: Head, line: Line): Head {
    const entry = entryOf(line);
    if (entry?.seq !== head.seq + 1 || !fits(entry, head.hash)) {
      throw brokenLedger(this.folder, `entry ${head.seq + 1} does not continue the chain`);
    }
    return { ...head, seq: entry.seq, hash: entry.hash, bytes: head.bytes + line.bytes.length + 1 };
  }

  /** The head row is gone (a new state.db): the files tell it, as far as the last signed copy reaches at least. */
  private rebuilt(): Head {
    const numbers = segmentNumbers(this.folder);
    let head = (numbers[0] ?? 1) > 1 ? this.afterDropped(numbers[0] ?? 1) : nothing;
    for (const number of numbers) {
      head = { ...head, segment: number, bytes: 0 };
      for (const batch of lineBatches(segmentFile(this.folder, number))) {
        for (const line of batch) if (line.ended) head = this.adoptLine(head, line);
      }
    }
    if (existsSync(checkpointFile(this.folder))) this.checkCopies(head);
    return head;
  }

  /** Older segments were dropped: what is left says itself after which entry it begins (verifyLedger looks closer). */
  private afterDropped(segment: number): Head {
    for (const batch of lineBatches(segmentFile(this.folder, segment))) {
      const entry = batch[0] && entryOf(batch[0]);
      if (entry) return { seq: entry.seq - 1, hash: entry.prev, segment, bytes: 0 };
    }
    return nothing;
  }

  private checkCopies(head: Head): void {
    for (const batch of lineBatches(checkpointFile(this.folder))) {
      for (const line of batch) {
        const seq = line.ended ? (entryOf(line)?.seq ?? 0) : 0;
        if (seq > head.seq) throw brokenLedger(this.folder, `entries ${head.seq + 1} to ${seq} are missing`);
      }
    }
  }

  private takeBack(): void {
    this.end = undefined;
    try {
      this.copies?.takeBack();
      this.current?.file.takeBack();
    } catch (error) {
      // The next writer finds the rest beyond the head row and deals with it as after a crash.
      if (!(error instanceof Error)) throw error;
      this.close();
    }
  }
}

/** The newest entry that the project's state.db knows; undefined before the first. */
export function headRow(database: Database): Head | undefined {
  const row = database.get("select seq, hash, segment, bytes from ledger_head where id = 1");
  if (!row) return undefined;
  return {
    seq: Number(row["seq"]),
    hash: String(row["hash"]),
    segment: Number(row["segment"]),
    bytes: Number(row["bytes"]),
  };
}

function writeHeadRow(database: Database, head: Head): void {
  database.run(
    `insert into ledger_head (id, seq, hash, segment, bytes) values (1, ?, ?, ?, ?)
     on conflict (id) do update set seq = excluded.seq, hash = excluded.hash, segment = excluded.segment,
       bytes = excluded.bytes`,
    head.seq,
    head.hash,
    head.segment,
    head.bytes,
  );
}

function entryOf(line: Line): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(line.bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as JournalEntry) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
