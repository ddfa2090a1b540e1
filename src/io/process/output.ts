// Output in constant memory: the head, a ring for the tail, and the whole text in a file once it exceeds both.
import { Spill } from "./spill.ts";

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
  finish(): { output: string; bytes: number; spill?: string; kept?: number } {
    this.spill?.close();
    const head = this.head.subarray(0, Math.min(this.bytes, this.limits.head));
    const tail = this.ring.content();
    const left = this.bytes - head.length - tail.length;
    if (left <= 0) {
      const whole = textOf(Buffer.concat([head, tail]), false, false);
      return { output: within(whole, this.limits.head + this.limits.tail, "first"), bytes: this.bytes };
    }
    const { file = "", size = 0, taken = 0 } = this.spill ?? {};
    const output =
      within(textOf(head, false, true), this.limits.head, "first") +
      `\n[… ${left} bytes left out …]\n` +
      within(textOf(tail, true, false), this.limits.tail, "last");
    const spill = size > 0 ? { spill: file, ...(taken < this.bytes && { kept: taken }) } : {};
    return { output, bytes: this.bytes, ...spill };
  }
}
