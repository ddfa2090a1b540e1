// The tamper-evident record: intent before an effect, outcome after it. Format: docs/ledger-format.md.
import { randomUUID } from "node:crypto";
import { link } from "../../base/chain.ts";
import { LedgerFault } from "../../io/journal/fault.ts";
import type { KeyPair } from "../../io/journal/key.ts";
import { tellHandovers } from "../../io/journal/handovers.ts";
import { type Head, headRow } from "../../io/journal/head-row.ts";
import { type JournalEntry, type JournalTransaction, Segments } from "../../io/journal/segments.ts";
import type { Store } from "../../io/store/store.ts";
import type { Json } from "../../protocol/message.ts";
import { newestThat } from "../../io/journal/standing.ts";
import { dropSegments, outdated, startOf } from "../../io/journal/retention.ts";
import { signed } from "./checkpoint.ts";
import { entrySignatureHolds, signedEntry } from "./entry-signature.ts";
import { handoverOf, leadsTo } from "./handover.ts";
import { handoversIn } from "./signers.ts";
import { unprovenText, unsignedBefore } from "./unproven.ts";
import { signedNote } from "./note-signature.ts";
import { actFields, type LedgerAct, type LedgerOutcome, type Redact, tidyData } from "./entry.ts";

export { LedgerFault };
export type { KeyPair } from "../../io/journal/key.ts";
export { readEntries } from "./entries.ts";
export type { LedgerAct, LedgerOutcome } from "./entry.ts";
export { verifyLedger } from "./verify.ts";

/**
 * Every method throws LedgerFault when its entry cannot be written. What must be there before something else happens
 * (begin, deny, notes, seals) is on disk when it returns; ends outlive the process at once and reach the disk with the
 * next of those. Lazy notes are written with whatever comes after them, at the latest when this process waits for
 * something; if that fails, the method that comes after them throws.
 */
export interface Ledger {
  /**
   * Nothing may be done when this throws. What only reads need not wait for the disk: its entry is there when `kept`
   * resolves, and until then no model may be told what was read. Rejects with a LedgerFault.
   */
  begin(act: LedgerAct): Begun;
  end(of: { seq: number; hash: string }, outcome: LedgerOutcome): void;
  deny(act: LedgerAct): void;
  note(name: string, data: { [key: string]: Json }, options?: { lazily: boolean }): void;
  /** Writes the lazy notes that wait: whoever is told of an end may look at them. */
  settle(): void;
  /** The note `approval.receipt`, signed by itself with the user's key. */
  receipt(data: { [key: string]: Json }): void;
  /** Signs everything so far; does nothing when there is nothing new. */
  seal(reason: string): void;
  /** Drops whole segments of which every entry is older than `days`; tells so in the chain. Answers how many entries went. */
  retain(days: number): number;
  close(): void;
}

export interface Begun {
  seq: number;
  hash: string;
  /** Absent: it is there already. */
  kept?: Promise<void>;
}

export interface LedgerOptions {
  folder: string;
  store: Store;
  /** Asked for each signature, while no other process can write: another one may have changed the key. */
  key: () => KeyPair;
  actor: string;
  clock?: () => number;
  /** Takes secrets out of effect targets, command parts and notes. */
  redact?: Redact;
  /** What the acts that come are judged under; noted before the first act that names it. */
  terms?: () => { [key: string]: Json };
  /** Bytes after which a segment is finished. */
  segmentBytes?: number;
  /** Lines by which earlier keys of this user handed over to the present one. */
  handovers?: () => readonly string[];
  /** The file that knows the newest entry, apart from the ledger and its database (io/journal/known-head.ts). */
  knownHead?: string;
  /** Told once when what stands in the ledger is not proven: by then the ledger says so itself. */
  tell?: (text: string) => void;
}

const day = 24 * 60 * 60 * 1000;
const segmentBytes = 8 * 1024 * 1024;
const sealEvery = 1000;

export function openLedger(options: LedgerOptions): Ledger {
  return new ChainLedger(options);
}

/** The newest entry that the project's state.db names: what verifyLedger compares the files with. */
export function ledgerHead(store: Store): { seq: number; hash: string } | undefined {
  return headRow(store.database);
}

class ChainLedger implements Ledger {
  private readonly options: LedgerOptions;
  private readonly segments: Segments;
  private readonly segmentBytes: number;
  private readonly clock: () => number;
  private readonly redact: Redact;
  private readonly open = new Map<number, Pick<LedgerAct, "session" | "turn" | "call" | "tool">>();
  private readonly noted = new Set<string>();
  private sealed = 0;
  private told: string | undefined;
  /** Lazy notes that wait for company: half of what an entry takes is the lock around it. */
  private waiting: Record<string, unknown>[] = [];
  /** The last writing went well. Until one has, nothing waits: whoever notes something is told at once. */
  private sound = false;
  /** For the writing that is going on. */
  private pair: KeyPair | { error: Error } | undefined;

  constructor(options: LedgerOptions) {
    this.options = options;
    this.segmentBytes = options.segmentBytes ?? segmentBytes;
    this.clock = options.clock ?? Date.now;
    this.redact = options.redact ?? ((text) => text);
    this.segments = new Segments({
      ...{ folder: options.folder, database: options.store.database, limit: this.segmentBytes },
      ...{ isProven: (entry) => this.isProven(entry), knownHead: options.knownHead },
    });
  }

  begin(act: LedgerAct): Begun {
    this.noteTerms(act);
    const reads = act.risk === "L0";
    const { seq, hash } = this.record("effect.begin", actFields(act, this.redact), reads);
    const { session, turn, call, tool } = act;
    this.open.set(seq, { session, turn, call, tool });
    return { seq, hash, ...(reads && { kept: this.segments.flushBeside() }) };
  }

  end(of: { seq: number; hash: string }, outcome: LedgerOutcome): void {
    const fields = {
      ...this.open.get(of.seq),
      of: of.seq,
      status: outcome.status,
      result: outcome.resultDigest,
      ms: Math.round(outcome.ms),
      ...(outcome.cost !== undefined && { cost: Math.round(outcome.cost) }),
    };
    this.record("effect.end", fields, true);
    this.open.delete(of.seq);
  }

  deny(act: LedgerAct): void {
    this.noteTerms(act);
    this.record("effect.denied", actFields(act, this.redact));
  }

  note(name: string, data: { [key: string]: Json }, options?: { lazily: boolean }): void {
    const fields = { name, data: tidyData(data, this.redact) };
    if (!options?.lazily || !this.sound) return void this.record("note", fields, options?.lazily);
    if (this.waiting.length === 0) setImmediate(() => this.writeWaiting());
    this.waiting.push({ ...fields, at: Math.round(this.clock()) });
  }

  settle(): void {
    if (this.waiting.length > 0) this.write(() => undefined);
  }

  private writeWaiting(): void {
    try {
      this.settle();
    } catch (error) {
      // It waits on, and whoever records something next is told.
      if (!(error instanceof LedgerFault)) throw error;
    }
  }

  /** The one way to the segments: what was recovered and what waits come first. */
  private write<T>(body: (journal: JournalTransaction) => T): T {
    this.sound = false;
    let warning: string | undefined;
    this.pair = undefined;
    const value = this.segments.write((journal) => {
      warning = this.sayUnproven(journal);
      if (journal.cut > 0) this.add(journal, "note", { name: "ledger.recovered", data: { bytes: journal.cut } });
      for (const fields of this.waiting) this.recordIn(journal, "note", fields, true);
      return body(journal);
    });
    this.waiting = [];
    this.sound = true;
    if (warning !== undefined) this.options.tell?.(warning);
    return value;
  }

  /** Asked for once in a writing, while no other process can; without a key entries stay unsigned. */
  private signer(): KeyPair | undefined {
    this.pair ??= this.askedKey();
    return "error" in this.pair ? undefined : this.pair;
  }

  private askedKey(): KeyPair | { error: Error } {
    try {
      return this.options.key();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return { error };
    }
  }

  /** Throws what kept the key from signing in this writing. */
  private neededKey(): KeyPair {
    const pair = (this.pair ??= this.askedKey());
    if ("error" in pair) throw pair.error;
    return pair;
  }

  /** By the present key, or by one that has handed over to it. Before entries were signed only checkpoints were. */
  private isProven(entry: Record<string, unknown>): boolean {
    const present = this.signer()?.publicKey;
    if (present === undefined || !entrySignatureHolds(entry)) return false;
    if (entry["key"] === present) return true;
    const told = (this.options.handovers?.() ?? []).map(handoverOf).filter((each) => each !== undefined);
    return leadsTo(String(entry["key"]), present, [...told, ...handoversIn(this.options.folder)]);
  }

  /**
   * Nothing is signed on top of what is not proven: a segment of its own begins with what is known of that, and with
   * what is missing. Answers that for a person.
   */
  private sayUnproven(journal: JournalTransaction): string | undefined {
    const doubt = journal.doubt();
    if (!doubt || !this.signer()) return undefined;
    const { seq, bytes } = journal.head();
    const proven = newestThat(this.options.folder, (entry) => this.isProven(entry));
    const from = doubt.foreign ? 1 : (proven?.seq ?? 0) + 1;
    const { known, why, broken } = doubt;
    if (from > seq && !known && !broken) {
      // Only the key was not at hand when it was looked at.
      journal.said();
      return undefined;
    }
    if (bytes > 0) journal.finishSegment();
    const data = { why, found: seq, ...(from <= seq && { from, to: seq }), ...(known && { known: { ...known } }) };
    this.add(journal, "note", { name: "ledger.unproven", data });
    journal.said();
    // So that the newest copy is of what stands there now: this is said once.
    this.checkpoint(journal, "unproven");
    const legacy = known === undefined && proven?.["v"] !== 2 && why === unsignedBefore;
    return legacy ? undefined : unprovenText(data);
  }

  receipt(data: { [key: string]: Json }): void {
    const tidied = tidyData(data, this.redact) as { [key: string]: Json };
    this.write((journal) => {
      const key = this.neededKey();
      this.recordIn(journal, "note", { name: "approval.receipt", data: signedNote("receipt", tidied, key) });
      this.tellKeys(key);
    });
  }

  /** Whoever verifies has to know how this key follows the one before it. */
  private tellKeys({ publicKey }: KeyPair): void {
    const { handovers, folder } = this.options;
    if (handovers && this.told !== publicKey) tellHandovers(folder, handovers());
    this.told = publicKey;
  }

  /** An act can be judged anew only with what it was judged under. Reaches the disk with the act. */
  private noteTerms({ terms }: LedgerAct): void {
    if (terms === undefined || this.noted.has(terms)) return;
    if (this.options.terms) this.note("policy.in_force", this.options.terms(), { lazily: true });
    this.noted.add(terms);
  }

  seal(reason: string): void {
    this.write((journal) => {
      if (journal.head().seq > this.sealed) this.checkpoint(journal, reason);
    });
  }

  retain(days: number): number {
    const { folder } = this.options;
    const now = this.clock();
    const old = this.write((journal) => {
      const found = outdated(folder, journal.head().segment, now - days * day);
      if (found)
        this.add(journal, "note", {
          name: "ledger.dropped",
          data: signedNote("drop", { ...found }, this.neededKey()),
        });
      // Segments that are never finished would never be dropped.
      else if (now - (startOf(folder, journal.head().segment) ?? now) > Math.max(1, days / 4) * day) {
        this.checkpoint(journal, "segment");
        journal.finishSegment();
      }
      return found;
    });
    if (!old) return 0;
    // Alone as well: another process may be looking at the same segments.
    this.segments.write(() => dropSegments(folder, old.segments));
    return old.seq;
  }

  close(): void {
    this.writeWaiting();
    this.segments.close();
  }

  private record(kind: string, fields: Record<string, unknown>, lazily = false): JournalEntry {
    return this.write((journal) => this.recordIn(journal, kind, fields, lazily));
  }

  private recordIn(
    journal: JournalTransaction,
    kind: string,
    fields: Record<string, unknown>,
    lazily = false,
  ): JournalEntry {
    const before = journal.head();
    const entry = this.add(journal, kind, fields, lazily);
    this.sealWhenDue(journal, before);
    return entry;
  }

  private add(
    journal: JournalTransaction,
    kind: string,
    fields: Record<string, unknown>,
    lazily = false,
  ): JournalEntry {
    const head = journal.head();
    const created = head.seq === 0 ? [this.entry(head, "ledger.created", { ledger: randomUUID() })] : [];
    const entry = this.entry(created[0] ?? head, kind, fields);
    journal.append([...created, entry], lazily);
    return entry;
  }

  private entry(after: { seq: number; hash: string }, kind: string, fields: Record<string, unknown>): JournalEntry {
    const { actor } = this.options;
    const key = this.signer();
    const seq = after.seq + 1;
    const open = { at: Math.round(this.clock()), ...fields, v: 2, seq, kind, actor, prev: after.hash };
    return link(after.hash, key ? signedEntry(open, key) : open);
  }

  private checkpoint(journal: JournalTransaction, reason: string, key = this.neededKey()): void {
    this.tellKeys(key);
    const head = journal.head();
    const { actor } = this.options;
    const fields = { v: 2, seq: head.seq + 1, at: Math.round(this.clock()), kind: "checkpoint", actor, reason };
    const entry = link(head.hash, signed({ ...fields, prev: head.hash }, key));
    journal.append([entry]);
    journal.copy(entry);
    this.sealed = entry.seq;
  }

  /** At intervals, and when the segment is finished. A missing key is noted; the effect it would seal can be recorded. */
  private sealWhenDue(journal: JournalTransaction, before: Head): void {
    const { seq, bytes } = journal.head();
    const interval = Math.floor(seq / sealEvery) > Math.floor(before.seq / sealEvery);
    if (!interval && bytes < this.segmentBytes) return;
    let key: KeyPair;
    try {
      key = this.neededKey();
    } catch (error) {
      this.add(journal, "note", { name: "checkpoint.failed", data: { why: (error as Error).message } });
      return;
    }
    this.checkpoint(journal, interval ? "interval" : "segment", key);
  }
}
