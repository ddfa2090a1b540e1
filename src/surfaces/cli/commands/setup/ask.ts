// Questions of the set-up, one line each. The end of the input or Ctrl-C ends all of it.
import { askYes, readLine, readSecret } from "../../host/ask.ts";
import type { Context } from "../../host/context.ts";

/** Thrown when the person leaves; what was answered before is kept. */
export class Left extends Error {}

export class Asker {
  readonly #context: Context;
  readonly #left = new AbortController();

  constructor(context: Context) {
    this.#context = context;
  }

  leave(): void {
    this.#left.abort();
  }

  /** Rejects with `Left` when the person leaves before the work is done. */
  async unlessLeft<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#left;
    const left = Promise.withResolvers<never>();
    const leaves = () => left.reject(new Left());
    signal.addEventListener("abort", leaves, { once: true });
    if (signal.aborted) leaves();
    try {
      return await Promise.race([work, left.promise]);
    } finally {
      signal.removeEventListener("abort", leaves);
    }
  }

  /** Enter alone is `usual`. */
  async line(question: string, usual: string): Promise<string> {
    const line = await this.#read(`${question} [${usual}] `);
    if (line === undefined) throw new Left();
    return line.trim() === "" ? usual : line.trim();
  }

  async yes(question: string, usual: boolean): Promise<boolean> {
    const answer = await askYes(this.#context, question, usual, (text) => this.#read(text));
    if (answer === undefined) throw new Left();
    return answer;
  }

  #read(text: string): Promise<string | undefined> {
    return this.unlessLeft(readLine(this.#context, text, this.#left.signal));
  }

  async secret(question: string): Promise<string> {
    const secret = await this.unlessLeft(readSecret(this.#context, question));
    if (secret === undefined) throw new Left();
    return secret.trim();
  }
}
