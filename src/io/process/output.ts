// Output in constant memory: the head, a ring for the tail, and the whole text in a file once it exceeds both.
// What is shown of it is plain text; up to a few megabytes it is folded and cut where its own structure allows it.
import { readFileSync, rmSync } from "node:fs";
import { cutOutput, shownOfCut } from "../../base/cut-output.ts";
import { foldedOutput } from "../../base/folded-output.ts";
import { headTail } from "../../base/head-tail.ts";
import { plainOutput } from "../../base/plain-output.ts";
import { Spill } from "./spill.ts";

/** What is longer is cut at its head and tail without being looked at as a whole. */
const longestRead = 4 * 1024 * 1024;

export interface OutputLimits {
  head: number;
  tail: number;
  spill?: string;
  spillLimit: number;
  redact?: (text: string) => string;
}

/** Text of bytes that may begin and end inside a character. */
function textOf(bytes: Buffer, cutStart: boolean, cutEnd: boolean): string {
  let start = 0;
  let end = bytes.length;
  if (cutStart) while (start < Math.min(3, end) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  if (cutEnd) end = lastWhole(bytes, start);
  return bytes.toString("utf8", start, end);
}

function lastWhole(bytes: Buffer, start: number): number {
  for (let back = 1; back <= 3 && bytes.length - back >= start; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes that are not text grow when decoded; the limit holds for what comes out. */
function within(text: string, limit: number, end: "first" | "last"): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const bytes = Buffer.from(text);
  return end === "first" ? textOf(bytes.subarray(0, limit), false, true) : textOf(bytes.subarray(-limit), true, false);
}

/** The last `size` bytes of everything that was pushed. */
export class Ring {
  private readonly bytes: Buffer;
  private next = 0;
  private held = 0;

  constructor(size: number) {
    this.bytes = Buffer.alloc(size);
  }

  push(chunk: Buffer): void {
    const size = this.bytes.length;
    const part = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
    const first = Math.min(part.length, size - this.next);
    part.copy(this.bytes, this.next, 0, first);
    part.copy(this.bytes, 0, first);
    this.next = size === 0 ? 0 : (this.next + part.length) % size;
    this.held = Math.min(size, this.held + part.length);
  }

  content(): Buffer {
    if (this.held < this.bytes.length) return Buffer.from(this.bytes.subarray(0, this.held));
    return Buffer.concat([this.bytes.subarray(this.next), this.bytes.subarray(0, this.next)]);
  }
}

/** Less is no burden, and costs less than the note on where the whole can be read. */
const leastSaved = 300;
/** What was folded in less than this says itself how many lines there were, and runs again at little cost. */
const leastKept = 2_000;
/** A little that is missing of much is not worth an incomplete output. */
const mostLeft = 0.85;

interface Finished {
  output: string;
  bytes: number;
  spill?: string;
  kept?: number;
  /** It was cut, and the rest could not be kept. */
  lost?: true;
  /** All of it, where `output` is folded and no file holds the rest. */
  unfolded?: string;
}

export class Output {
  private readonly limits: OutputLimits;
  private readonly head: Buffer;
  private readonly ring: Ring;
  private spill: Spill | undefined;
  private spillFailed = false;
  bytes = 0;

  constructor(limits: OutputLimits) {
    this.limits = limits;
    this.head = Buffer.alloc(limits.head);
    this.ring = new Ring(limits.tail);
  }

  push(chunk: Buffer): void {
    const before = this.bytes;
    this.bytes += chunk.length;
    if (this.bytes > this.limits.head + this.limits.tail) this.keepWhole(chunk, before);
    const toHead = Math.min(chunk.length, Math.max(0, this.limits.head - before));
    if (toHead > 0) chunk.copy(this.head, before, 0, toHead);
    if (toHead < chunk.length) this.ring.push(chunk.subarray(toHead));
  }

  private keepWhole(chunk: Buffer, before: number): void {
    if (this.limits.spill === undefined || this.spillFailed) return;
    if (!this.spill) {
      this.spill = Spill.open(this.limits.spill, this.limits);
      this.spillFailed = this.spill === undefined;
      this.spill?.push(this.head.subarray(0, Math.min(before, this.limits.head)));
      this.spill?.push(this.ring.content());
    }
    this.spill?.push(chunk);
  }

  /** Ends the collection; the file is complete then. */
  finish(): Finished {
    const head = this.head.subarray(0, Math.min(this.bytes, this.limits.head));
    const tail = this.ring.content();
    const left = this.bytes - head.length - tail.length;
    if (left <= 0) return this.whole(Buffer.concat([head, tail]));
    this.spill?.close();
    const { file = "", size = 0, taken = 0 } = this.spill ?? {};
    if (size > 0 && taken === this.bytes && size <= longestRead) return this.reread(file);
    const spill = size > 0 ? { spill: file, ...(taken < this.bytes && { kept: taken }) } : {};
    return { output: this.cut(head, tail), bytes: this.bytes, ...spill, ...(size === 0 && { lost: true as const }) };
  }

  /** Nothing was cut; a report of tests that passed is folded, where the file can hold it whole. */
  private whole(bytes: Buffer): Finished {
    const all = this.limits.head + this.limits.tail;
    const output = plainOutput(within(textOf(bytes, false, false), all, "first"));
    const folded = this.limits.spill === undefined ? output : worthFolding(output);
    if (folded === output) return { output, bytes: this.bytes };
    if (output.length < leastKept) return { output: folded, unfolded: output, bytes: this.bytes };
    this.spill = Spill.open(this.limits.spill ?? "", this.limits);
    this.spill?.push(bytes);
    this.spill?.close();
    if (!this.spill || this.spill.taken < this.bytes || this.spill.size === 0) return { output, bytes: this.bytes };
    return { output: folded, bytes: this.bytes, spill: this.spill.file };
  }

  private reread(file: string): Finished {
    const plain = plainOutput(readFileSync(file, "utf8"));
    const output = cutOutput(worthFolding(plain), this.limits);
    if (output !== plain) return { output, bytes: this.bytes, spill: file };
    // Only colours made it long.
    rmSync(file, { force: true });
    return { output, bytes: this.bytes };
  }

  private cut(head: Buffer, tail: Buffer): string {
    const room = { head: this.limits.head * shownOfCut, tail: this.limits.tail * shownOfCut };
    const first = headTail(plainOutput(textOf(head, false, true)), Math.floor(room.head), 0).head;
    const rest = plainOutput(textOf(tail, true, false));
    const cut = headTail(rest, 0, Math.floor(room.tail));
    const last = cut.left > 0 ? cut.tail : rest;
    const left = this.bytes - Buffer.byteLength(first) - Buffer.byteLength(last);
    return `${first.endsWith("\n") || first === "" ? first : `${first}\n`}[… ${left} bytes left out …]\n${last}`;
  }
}

function worthFolding(text: string): string {
  const most = Math.min(text.length - leastSaved, text.length * mostLeft);
  if (most <= 0) return text;
  const folded = foldedOutput(text);
  return folded.length <= most ? folded : text;
}
