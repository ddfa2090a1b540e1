// The ledger's segments on disk, and the head row in state.db that serialises the writers of several processes.
// An entry is flushed to its segment before the head row names it. What need not be flushed at once (an effect's end, a
// call's cost) lies beyond the head row until the next flush, as does what a crash leaves between the two: the next
// writer adopts what continues the chain, and cuts off an unfinished last line.
import { existsSync, statSync } from "node:fs";
import { isA, withFallback } from "../../base/fallback.ts";
import { Fault } from "../../base/fault.ts";
import { fits, genesis, type Linked } from "../../base/chain.ts";
import { canonical } from "../../base/canonical.ts";
import { makePrivateFolder } from "../places/places.ts";
import type { Database } from "../store/database.ts";
import { Appender } from "./appender.ts";
import { brokenLedger, LedgerFault, unwritableLedger } from "./fault.ts";
import { type Head, headRow, writeHeadRow } from "./head-row.ts";
import { readKnownHead, writeKnownHead } from "./known-head.ts";
import { checkpointFile, type Line, lineBatches, lineBefore, segmentFile, segmentNumbers } from "./lines.ts";
import {
  afterBreak,
  type Doubt,
  entryBefore,
  ledgerName,
  lostFrom,
  type StandingEntry,
  unsignedBefore,
} from "./standing.ts";

export interface JournalEntry extends Linked {
  seq: number;
  sig?: string;
}

export interface JournalTransaction {
  head(): Head;
  /** Bytes of an unfinished last line that were cut off; counts once per crash. */
  readonly cut: number;
  /** Set while what stands before is not proven: nothing may be signed before an entry that says so. */
  doubt(): Doubt | undefined;
  /** What is unproven was said: signing may go on. */
  said(): void;
  /** Writes entries, which must continue the chain, in one piece: to the disk, or, `lazily`, there with the next flush. */
  append(entries: readonly JournalEntry[], lazily?: boolean): void;
  /** Keeps a copy of a signed entry beside the segments. */
  copy(entry: JournalEntry): void;
  /** The next entry begins a new segment. */
  finishSegment(): void;
}

const nothing: Head = { seq: 0, hash: genesis, segment: 1, bytes: 0 };

export interface SegmentsOptions {
  folder: string;
  database: Database;
  /** Bytes after which a segment is finished. */
  limit: number;
  /** Whether somebody who may sign this ledger signed the entry. */
  isProven?: (entry: StandingEntry) => boolean;
  /** Where the newest entry is known from, apart from the ledger and its database. */
  knownHead?: string | undefined;
}

export class Segments {
  private readonly folder: string;
  private readonly database: Database;
  private readonly limit: number;
  private readonly isProven: (entry: StandingEntry) => boolean;
  private readonly knownHead: string | undefined;
  private doubt: Doubt | undefined;
  private ledger: string | undefined;
  /** The end that was found to be proven, or was written by this process. */
  private provenEnd: string | undefined;
  private current: { number: number; file: Appender } | undefined;
  private copies: Appender | undefined;
  private trusted = false;
  /** The end as we left it; it may lie beyond the head row. */
  private end: Head | undefined;
  /** What was flushed beside the work and is not named by the head row yet. */
  private flushedBeside: Head | undefined;
  private cutBytes = 0;

  constructor({ folder, database, limit, isProven, knownHead }: SegmentsOptions) {
    this.folder = folder;
    this.database = database;
    this.limit = limit;
    this.isProven = isProven ?? (() => true);
    this.knownHead = knownHead;
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
    this.cutBytes = 0;
    let head = this.found(row);
    let flushed = row === undefined || this.doubt !== undefined;
    let full = head.bytes >= this.limit;
    let signedEnd: string | undefined;
    try {
      const value = body({
        head: () => head,
        cut: this.cutBytes,
        doubt: () => this.doubt,
        said: () => (this.doubt = undefined),
        append: (entries, lazily = false) => {
          if (full) head = this.nextSegment(head);
          full = false;
          head = this.extend(head, entries, lazily && !flushed);
          flushed ||= !lazily;
          if (entries.at(-1)?.sig !== undefined) signedEnd = head.hash;
        },
        copy: (entry) => this.keepCopy(entry),
        finishSegment: () => {
          head = this.nextSegment(head);
          full = false;
          flushed = true;
        },
      });
      if (flushed) this.writeHead(head);
      else if (this.flushedBeside && this.flushedBeside.seq > (row?.seq ?? 0)) this.writeHead(this.flushedBeside);
      this.flushedBeside = undefined;
      this.end = head;
      this.provenEnd = signedEnd ?? this.provenEnd;
      return value;
    } catch (error) {
      // Here, while no other process can have written after us. What was doubted has to be looked at again.
      this.takeBack();
      this.trusted = false;
      throw error;
    } finally {
      this.current?.file.settle();
      this.copies?.settle();
    }
  }

  /** Where the chain goes on. The first time, and after other writers, what stands there must be proven; else there is a doubt. */
  private found(row: Head | undefined): Head {
    const first = !this.trusted;
    if (first) this.doubt = undefined;
    let head: Head;
    try {
      if (row && first) this.checkEnd(row);
      head = this.caughtUp(this.known(row) ?? this.rebuilt());
      this.doubt ??= this.doubtAbout(head, row, first);
    } catch (error) {
      // Of a process that is at work nothing more may run.
      if (!first) throw error;
      head = this.besideBreak(error, row);
    }
    this.trusted = true;
    if (this.doubt === undefined) this.provenEnd = head.hash;
    return head;
  }

  /** What does not fit the head row may be whole by itself; else the chain goes on after it, and says so. */
  private besideBreak(error: unknown, row: Head | undefined): Head {
    if (!isBroken(error)) throw error;
    this.end = undefined;
    let head: Head;
    try {
      head = this.caughtUp(this.rebuilt());
      this.doubt = this.doubtAbout(head, row, true);
    } catch (second) {
      if (!isBroken(second)) throw second;
      head = afterBreak(this.folder);
      const why = second.message.replace(/^.* is not what was written: /, "").replace(/\.$/, "");
      this.doubt = { why, broken: true, ...this.lostAfter(head, row) };
    }
    return head;
  }

  private doubtAbout(head: Head, row: Head | undefined, first: boolean): Doubt | undefined {
    const lost = first ? this.lostAfter(head, row) : undefined;
    if (lost) return { why: "it is not the newest state that is known", ...lost };
    if (head.seq === 0 || head.hash === this.provenEnd) return undefined;
    const entry = entryBefore(this.folder, head.segment, head.bytes);
    // Where everything before was dropped, nothing stands there.
    if (entry && this.isProven(entry)) return undefined;
    return { why: entry?.["v"] === 1 ? unsignedBefore : "it is not signed by the key of this ledger" };
  }

  /** What is known from elsewhere, if it is not in the chain that ends with `head`. */
  private lostAfter(head: Head, row: Head | undefined): Omit<Doubt, "why"> | undefined {
    const apart = this.knownHead === undefined ? undefined : readKnownHead(this.knownHead);
    const name = ledgerName(this.folder);
    // Entry 1 may have been dropped; where nothing stands at all, another ledger begins.
    this.ledger = name ?? (head.seq === 0 ? undefined : apart?.ledger);
    if (apart?.ledger !== undefined && name !== undefined && name !== apart.ledger)
      return { known: { seq: apart.seq, hash: apart.hash }, foreign: true };
    return lostFrom(this.folder, head, { apart, row, isProven: this.isProven });
  }

  /** What is known apart stays as it was until what is missing has been said. */
  private writeHead(head: Head): void {
    writeHeadRow(this.database, head);
    if (this.knownHead === undefined || this.doubt !== undefined) return;
    this.ledger ??= ledgerName(this.folder);
    writeKnownHead(this.knownHead, { ...head, ...(this.ledger !== undefined && { ledger: this.ledger }) });
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
      // One that is not full is finished as well: where something unproven was found, or when it is old.
      const next = segmentFile(this.folder, head.segment + 1);
      if (!existsSync(next) || (head.bytes < this.limit && statSync(next).size === 0)) return head;
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

  /** The head row is gone (a new state.db): the files tell it. */
  private rebuilt(): Head {
    const numbers = segmentNumbers(this.folder);
    let head = (numbers[0] ?? 1) > 1 ? this.afterDropped(numbers[0] ?? 1) : nothing;
    for (const number of numbers) {
      head = { ...head, segment: number, bytes: 0 };
      for (const batch of lineBatches(segmentFile(this.folder, number))) {
        for (const line of batch) if (line.ended) head = this.adoptLine(head, line);
      }
    }
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

const isBroken = (error: unknown): error is LedgerFault =>
  error instanceof LedgerFault && error.code === "ledger.broken";

const entryOf = (line: Line): JournalEntry | undefined =>
  withFallback(undefined, isA(SyntaxError), () => {
    const value: unknown = JSON.parse(line.bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as JournalEntry) : undefined;
  });
