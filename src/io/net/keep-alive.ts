// Lines that only say that a connection lives: comments and pings of server-sent events, empty lines.
import { NetFailure } from "./failure.ts";

const saysNothing =
  /^(?:\s*|:.*|event: ?(?:ping|keep-?alive|heartbeat)|id:.*|retry:.*|data:\s*(?:\{\s*"type"\s*:\s*"ping"\s*\})?)$/i;
/** They may stretch the longest silence to so many times itself. */
const stretch = 3;
/** A chunk of this size, or a line that is longer, says something. */
const longest = 1024;

/** Ends an answer that keeps the connection alive and says nothing. */
export class KeepAlive {
  readonly #host: string;
  readonly #mostMs: number;
  readonly #clock: () => number;
  #line = "";
  #since: number;

  constructor(host: string, idleMs: number, clock: () => number = () => performance.now()) {
    this.#host = host;
    this.#mostMs = idleMs * stretch;
    this.#clock = clock;
    this.#since = clock();
  }

  /** What is wrong, once there was nothing else for too long. */
  add(chunk: Buffer): NetFailure | undefined {
    if (!this.#isQuiet(chunk)) {
      this.#since = this.#clock();
      return undefined;
    }
    const ms = this.#clock() - this.#since;
    if (ms <= this.#mostMs) return undefined;
    const seconds = Math.round(this.#mostMs / 100) / 10;
    return new NetFailure("stalled", `${this.#host} has sent only signs of life for ${seconds} s, and no data.`);
  }

  #isQuiet(chunk: Buffer): boolean {
    if (chunk.length > longest) {
      this.#line = "";
      return false;
    }
    const lines = (this.#line + chunk.toString("latin1")).split(/\r?\n/);
    const rest = lines.pop() ?? "";
    // Of a comment no more than its sign is kept, however long it gets.
    this.#line = rest.startsWith(":") ? ":" : rest;
    const talks = rest.length > longest && !rest.startsWith(":");
    if (talks) this.#line = "";
    return !talks && lines.every((line) => saysNothing.test(line));
  }
}
