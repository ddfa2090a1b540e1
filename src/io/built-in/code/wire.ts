// JSON-RPC over the streams of a language server: a head with the length, then the message.
import type { Readable, Writable } from "node:stream";
import { anyError, withFallback } from "../../../base/fallback.ts";

interface Message {
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message?: string };
}

const longest = 64 * 1024 * 1024;
const longestHead = 4_096;

export class LateAnswer extends Error {
  override readonly name = "LateAnswer";
}

interface Asked {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** `told`: notifications of the server; `asked`: its own requests, which are answered with what comes back. */
interface Listener {
  told(method: string, params: unknown): void;
  asked(method: string, params: unknown): unknown;
  /** It sent what nobody can read. */
  broken(why: string): void;
}

export class Wire {
  readonly #output: Writable;
  readonly #on: Listener;
  readonly #waiting = new Map<number, Asked>();
  #kept: Buffer[] = [];
  #size = 0;
  #wanted: number | undefined;
  #next = 1;
  #over: string | undefined;

  constructor(input: Readable, output: Writable, on: Listener) {
    this.#output = output;
    this.#on = on;
    output.on("error", () => undefined);
    input.on("data", (chunk: Buffer) => this.#read(chunk));
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Rejects with a LateAnswer after `ms`; the server is told that nobody waits any more. */
  request<T>(method: string, params: unknown, ms: number): Promise<T> {
    if (this.#over !== undefined) return Promise.reject(new Error(this.#over));
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    const timer = setTimeout(() => {
      this.#waiting.delete(id);
      this.notify("$/cancelRequest", { id });
      reject(new LateAnswer(`The language server did not answer ${method} within ${Math.ceil(ms / 1000)} seconds.`));
    }, ms);
    this.#send({ id, method, params });
    return promise.finally(() => clearTimeout(timer)) as Promise<T>;
  }

  /** Whoever waits hears why nothing comes. */
  end(why: string): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    this.#kept = [];
    for (const { reject } of this.#waiting.values()) reject(new Error(why));
    this.#waiting.clear();
  }

  #send(message: object): void {
    if (this.#over !== undefined || !this.#output.writable) return;
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.#output.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  #read(chunk: Buffer): void {
    if (this.#over !== undefined) return;
    this.#kept.push(chunk);
    this.#size += chunk.length;
    if (this.#wanted !== undefined && this.#size < this.#wanted) return;
    let all = Buffer.concat(this.#kept);
    for (;;) {
      if (this.#wanted === undefined) {
        const end = all.indexOf("\r\n\r\n");
        if (end < 0) {
          if (all.length > longestHead) return this.#on.broken("It sent no message.");
          break;
        }
        const length = Number(/content-length: *(\d+)/i.exec(all.toString("latin1", 0, end))?.[1] ?? Number.NaN);
        if (!(length <= longest)) return this.#on.broken("It sent a message that is too long.");
        this.#wanted = length;
        all = all.subarray(end + 4);
      }
      if (all.length < this.#wanted) break;
      const body = all.toString("utf8", 0, this.#wanted);
      all = all.subarray(this.#wanted);
      this.#wanted = undefined;
      const message = withFallback<undefined, Message>(undefined, anyError, () => JSON.parse(body) as Message);
      if (message) this.#take(message);
    }
    this.#kept = [all];
    this.#size = all.length;
  }

  #take({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      if (id === undefined || id === null) this.#on.told(method, params);
      else this.#send({ id, result: this.#on.asked(method, params) ?? null });
      return;
    }
    const asked = this.#waiting.get(Number(id));
    this.#waiting.delete(Number(id));
    if (error) asked?.reject(new Error(`The language server refuses: ${String(error.message).slice(0, 300)}`));
    else asked?.resolve(result ?? null);
  }
}
