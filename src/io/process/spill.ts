// The whole text of a long output, in a file. Secrets are taken out of it piece by piece, before it is written.
import { isUtf8 } from "node:buffer";
import { closeSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";
import { makePrivateFolder } from "../places/places.ts";

interface SpillLimits {
  spillLimit: number;
  redact?: (text: string) => string;
}

/** So much is looked at together, and ends with a line where it has any. */
const pieceBytes = 64 * 1024;
/** A line, or a key in armour, that is longer is looked at in parts. */
const longestHeld = 1024 * 1024;
const begins = "-----BEGIN ";
const ends = "-----END ";

/** Appends to a file until its limit; a full disk ends the spilling, not the process. */
export class Spill {
  readonly #limits: SpillLimits;
  #descriptor: number | undefined;
  #held: Buffer[] = [];
  #heldBytes = 0;
  readonly file: string;
  /** Bytes of the file. */
  size = 0;
  /** Bytes of the output that it stands for. */
  taken = 0;

  private constructor(file: string, limits: SpillLimits, descriptor: number) {
    this.file = file;
    this.#limits = limits;
    this.#descriptor = descriptor;
  }

  /** Undefined when the file cannot be made: output is then kept in part only. */
  static open(file: string, limits: SpillLimits): Spill | undefined {
    return withFallback(undefined, anyError, () => {
      makePrivateFolder(path.dirname(file));
      return new Spill(file, limits, openSync(file, "wx", 0o600));
    });
  }

  push(chunk: Buffer): void {
    const room = Math.min(chunk.length, this.#limits.spillLimit - this.taken);
    if (this.#descriptor === undefined || room <= 0) return;
    this.taken += room;
    // The chunk's memory may be used again for the next one.
    this.#held.push(Buffer.from(chunk.subarray(0, room)));
    this.#heldBytes += room;
    if (this.#heldBytes >= pieceBytes) this.#write(false);
  }

  close(): void {
    this.#write(true);
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #write(all: boolean): void {
    if (this.#descriptor === undefined || this.#heldBytes === 0) return;
    const bytes = Buffer.concat(this.#held);
    const until = all ? bytes.length : wholePart(bytes);
    if (until === 0) return;
    this.#held = until < bytes.length ? [bytes.subarray(until)] : [];
    this.#heldBytes = bytes.length - until;
    try {
      const piece = clean(bytes.subarray(0, until), this.#limits.redact);
      for (let written = 0; written < piece.length; )
        written += writeSync(this.#descriptor, piece, written, piece.length - written);
      this.size += piece.length;
    } catch {
      closeSync(this.#descriptor);
      this.#descriptor = undefined;
    }
  }
}

/** Up to where the bytes can be looked at by themselves: the end of a line, before a key that has not ended. */
function wholePart(bytes: Buffer): number {
  if (bytes.length >= longestHeld) return bytes.length;
  const line = bytes.lastIndexOf(10) + 1;
  const key = bytes.lastIndexOf(begins);
  const open = key >= 0 && bytes.indexOf(ends, key) < 0;
  return open ? Math.min(line, bytes.lastIndexOf(10, key) + 1) : line;
}

const mark = /(«secret:[a-z-]{1,40}:[0-9a-f]{10}»)/;

/** Bytes that are no text stay as they are around what was found. */
function clean(bytes: Buffer, redact: SpillLimits["redact"]): Buffer {
  if (!redact) return bytes;
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  const text = bytes.toString(encoding);
  const redacted = redact(text);
  if (redacted === text) return bytes;
  const pieces = redacted.split(mark).map((piece, index) => Buffer.from(piece, index % 2 === 1 ? "utf8" : encoding));
  return Buffer.concat(pieces);
}
