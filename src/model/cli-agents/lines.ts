// From output as it comes to lines of JSON: pieces are joined, what is no JSON object is left out, nothing grows without bound.
import { anyError, withFallback } from "../../base/fallback.ts";
import type { Fields } from "./events.ts";

/** A tool's whole result may stand in one line; longer ones are skipped. */
const longestLine = 4 * 1024 * 1024;
/** Kept of what is no JSON: a program that fails says why there. */
const keptNoise = 4_000;

export class JsonLines {
  #held = "";
  #skipping = false;
  #noise = "";

  push(text: string): Fields[] {
    const lines = text.split("\n");
    const found: Fields[] = [];
    for (const [at, piece] of lines.entries()) {
      if (!this.#skipping) this.#held += piece;
      if (this.#held.length > longestLine) {
        this.#held = "";
        this.#skipping = true;
      }
      if (at === lines.length - 1) break;
      const line = this.#skipping ? undefined : this.#read(this.#held);
      if (line) found.push(line);
      this.#held = "";
      this.#skipping = false;
    }
    return found;
  }

  /** Nothing more comes: the last line may have no end. */
  end(): Fields[] {
    const line = this.#skipping ? undefined : this.#read(this.#held);
    this.#held = "";
    return line ? [line] : [];
  }

  /** The end of what was said beside the stream. */
  get noise(): string {
    return this.#noise.trim();
  }

  #read(line: string): Fields | undefined {
    const text = line.trim();
    if (text === "") return undefined;
    const value = text.startsWith("{") ? parsed(text) : undefined;
    if (value) return value;
    this.#noise = `${this.#noise}${text}\n`.slice(-keptNoise);
    return undefined;
  }
}

const parsed = (text: string): Fields | undefined =>
  withFallback(undefined, anyError, () => JSON.parse(text) as Fields);
