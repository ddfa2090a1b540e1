import { createFetch } from "../../io/net/fetch.ts";
import type { Connection } from "../connection.ts";
import { type Counterpart, faultOfReply, unreadable, webPage } from "../faults.ts";

/**
 * The fetch of one provider. Refuses web pages and error objects that come with a good status, before they are taken
 * for an empty stream.
 */
export function sdkFetch(
  about: Counterpart,
  { idleMs, told }: Pick<Connection, "idleMs" | "told">,
): typeof globalThis.fetch {
  const fetch = createFetch({
    watch: (bytes, signal) => (signal ? tails.get(signal)?.add(bytes) : undefined),
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  return async (input, init) => {
    const response = await fetch(input, init);
    told?.take((header) => response.headers.get(header));
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || !/text\/html|application\/json/i.test(type)) return response;
    const body = await response.text();
    if (/text\/html/i.test(type)) throw webPage(about);
    throw /"error"/.test(body)
      ? faultOfReply({ status: 0, headers: {}, body }, about)
      : unreadable(about, "it is one JSON object, not a stream.");
  };
}

/** Remembers the end of a body, to tell whether the vendor's last word was in it. */
export class Tail {
  readonly #word: string | undefined;
  #text = "";

  constructor(word: string | undefined) {
    this.#word = word;
  }

  add(bytes: Uint8Array): void {
    if (this.#word === undefined) return;
    this.#text = (this.#text + Buffer.from(bytes.subarray(-64)).toString("latin1")).slice(-64);
  }

  get seen(): boolean {
    return this.#word !== undefined && this.#text.includes(this.#word);
  }
}

const tails = new WeakMap<AbortSignal, Tail>();

/** A model of a provider package is built once (its schemas are dear); its signal tells one call from another. */
export const watchTail = (signal: AbortSignal, tail: Tail): void => {
  tails.set(signal, tail);
};
