// Lines of a person while something works: answers where a question is open, else said on their own.
import { createInterface, type Interface } from "node:readline";
import type { CliInput } from "../host.ts";

export class Lines {
  readonly #lines: Interface;
  #waiting: ((line: string | undefined) => void) | undefined;
  #ended = false;

  /** `said` gets what was typed while nothing was asked. */
  constructor(input: CliInput, said: (line: string) => void) {
    this.#lines = createInterface({ input, terminal: false });
    this.#lines.on("line", (line) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting) waiting(line);
      else if (line.trim() !== "") said(line.trim());
    });
    this.#lines.once("close", () => {
      this.#ended = true;
      this.#waiting?.(undefined);
    });
  }

  /** Undefined at the end of the input. */
  next(): Promise<string | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  close(): void {
    this.#lines.close();
  }
}
