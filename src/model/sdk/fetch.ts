import { createFetch } from "../../io/net/fetch.ts";
import type { Connection } from "../contract/connection.ts";
import { type Counterpart, faultOfReply, unreadable, webPage } from "../contract/faults.ts";

/**
 * The fetch of one provider. Refuses web pages and error objects that come with a good status, before they are taken
 * for an empty stream.
 */
export function sdkFetch(
  about: Counterpart,
  { idleMs, told }: Pick<Connection, "idleMs" | "told">,
): typeof globalThis.fetch {
  const fetch = createFetch(idleMs === undefined ? {} : { idleMs });
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
