import type { CliOutput } from "./host.ts";

const enough = 1 << 20;

/**
 * Writes to a stream once per tick, waits when its reader is slow, and falls silent when the reader is gone.
 */
export class Output {
  readonly #stream: CliOutput;
  readonly #shown: (text: string) => string;
  #waiting: string[] = [];
  #size = 0;
  #scheduled = false;
  #blocked = false;
  #gone = false;
  #idle: (() => void)[] = [];

  /** `shown`: what becomes of all that is written. */
  constructor(stream: CliOutput, shown: (text: string) => string = (text) => text) {
    this.#stream = stream;
    this.#shown = shown;
    stream.on("error", (error: NodeJS.ErrnoException) => this.#fail(error));
  }

  get gone(): boolean {
    return this.#gone;
  }

  write(text: string): void {
    if (this.#gone || text === "") return;
    this.#waiting.push(text);
    this.#size += text.length;
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#drain();
    });
  }

  line(text = ""): void {
    this.write(`${text}\n`);
  }

  /** Resolves at once unless more is waiting than a slow reader should cost in memory. */
  async ready(): Promise<void> {
    if (this.#size > enough) await this.flush();
  }

  /** Resolves when everything has been handed to the system, or the reader is gone. */
  async flush(): Promise<void> {
    this.#drain();
    if (!this.#blocked && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #drain(): void {
    if (this.#blocked || this.#gone || this.#waiting.length === 0) return;
    const text = this.#shown(this.#waiting.join(""));
    this.#waiting = [];
    this.#size = 0;
    this.#blocked = true;
    this.#stream.write(text, () => {
      this.#blocked = false;
      if (this.#waiting.length > 0) this.#drain();
      else this.#settle();
    });
  }

  #fail(error: NodeJS.ErrnoException): void {
    this.#gone = true;
    this.#waiting = [];
    this.#size = 0;
    this.#blocked = false;
    this.#settle();
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED" && error.code !== "EIO") throw error;
  }

  #settle(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
