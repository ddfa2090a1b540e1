import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";

/** One file that only grows. What was appended since the last `settle` can be taken back. */
export class Appender {
  readonly file: string;
  private readonly descriptor: number;
  private undo: number | undefined;
  private unflushed = false;
  private closed = false;

  constructor(file: string) {
    this.file = file;
    this.descriptor = openSync(file, "a+", 0o600);
  }

  /** Size in bytes; undefined when the file was deleted under our hands. */
  size(): number | undefined {
    const facts = fstatSync(this.descriptor);
    return facts.nlink === 0 ? undefined : facts.size;
  }

  /** Outlives the process when it returns, and a power cut after the next `flush`. */
  append(bytes: Buffer): void {
    this.undo ??= fstatSync(this.descriptor).size;
    this.unflushed = true;
    let written = 0;
    while (written < bytes.length) written += writeSync(this.descriptor, bytes, written);
  }

  /** `othersToo`: what another process has appended as well. */
  flush(othersToo = false): void {
    if (this.unflushed || othersToo) fdatasyncSync(this.descriptor);
    this.unflushed = false;
  }

  /** The same while this process goes on. What closes the file flushes it first. */
  flushBeside(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.descriptor, (error) => (error && !this.closed ? reject(error) : resolve()));
    });
  }

  settle(): void {
    this.undo = undefined;
  }

  takeBack(): void {
    if (this.undo !== undefined) this.cut(this.undo);
    this.undo = undefined;
  }

  cut(size: number): void {
    ftruncateSync(this.descriptor, size);
    fdatasyncSync(this.descriptor);
  }

  /** Removes a last line without a line end, as a crash leaves it. */
  cutUnfinishedLine(): void {
    let size = this.size() ?? 0;
    const byte = Buffer.alloc(1);
    const before = size;
    while (size > 0 && readSync(this.descriptor, byte, 0, 1, size - 1) === 1 && byte[0] !== 10) size -= 1;
    if (size < before) this.cut(size);
  }

  close(): void {
    this.closed = true;
    closeSync(this.descriptor);
  }
}
