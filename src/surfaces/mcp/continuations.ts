// Calls in the middle of which a server asked for something: a client goes on with one by a word that nobody can guess,
// once, and with the same tool and arguments.
import { canonical } from "../../base/canonical.ts";

interface Kept {
  /** The call that the next one goes on with. */
  call: string;
  /** What the server wants to hear again. */
  state?: string;
}

const most = 200;
const longestMs = 10 * 60 * 1000;

export class Continuations {
  readonly #kept = new Map<string, Kept & { request: string; at: number }>();

  keep(kept: Kept, request: object): string {
    const word = crypto.randomUUID();
    this.#kept.set(word, { ...kept, request: canonical(request), at: Date.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > most && oldest !== undefined) this.#kept.delete(oldest);
    return word;
  }

  take(word: unknown, request: object): Kept | undefined {
    const found = typeof word === "string" ? this.#kept.get(word) : undefined;
    if (!found || found.request !== canonical(request) || found.at < Date.now() - longestMs) return undefined;
    this.#kept.delete(word as string);
    return found;
  }
}
