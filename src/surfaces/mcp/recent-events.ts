// What was sent over a session's streams last, for a client that takes one up again where it broke.
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

type Send = Parameters<EventStore["replayEventsAfter"]>[1]["send"];

const mostEvents = 1_000;
const mostCharacters = 8_000_000;

interface Kept {
  stream: string;
  message: JSONRPCMessage;
  size: number;
}

/** What no longer fits is forgotten, the oldest first. */
export class RecentEvents implements EventStore {
  readonly #kept = new Map<number, Kept>();
  #size = 0;
  #last = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#last += 1;
    const size = JSON.stringify(message).length;
    this.#kept.set(this.#last, { stream, message, size });
    this.#size += size;
    for (const [at, old] of this.#kept) {
      if (this.#kept.size <= mostEvents && this.#size <= mostCharacters) break;
      this.#kept.delete(at);
      this.#size -= old.size;
    }
    return String(this.#last);
  }

  async getStreamIdForEventId(event: string): Promise<string | undefined> {
    return this.#kept.get(Number(event))?.stream;
  }

  async replayEventsAfter(event: string, { send }: { send: Send }): Promise<string> {
    const stream = this.#kept.get(Number(event))?.stream ?? "";
    for (const [at, { stream: of, message }] of this.#kept)
      if (at > Number(event) && of === stream) await send(String(at), message);
    return stream;
  }
}
