// One session of another agent: the client that acts for it, and its calls.
import type { Client } from "../../protocol/client.ts";
import type { ServerHost } from "./host.ts";
import { ServedCalls } from "./served-calls.ts";

export class ServedSession {
  readonly client: Client;
  readonly calls: ServedCalls;
  readonly #following: Promise<void>;

  constructor({ log, words }: ServerHost, client: Client) {
    this.client = client;
    this.calls = new ServedCalls({ log, words, client });
    this.#following = this.calls.follow();
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.#following;
  }
}
