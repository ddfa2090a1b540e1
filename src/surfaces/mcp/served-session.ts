// One session of another agent: the client that acts for it, its calls, and the servers that are passed on to it.
import type { Client } from "../../protocol/client.ts";
import { Gateway } from "./gateway.ts";
import type { ServerHost } from "./host.ts";
import { ServedCalls } from "./served-calls.ts";

export class ServedSession {
  readonly client: Client;
  readonly calls: ServedCalls;
  readonly gateway: Gateway | undefined;
  readonly #following: Promise<void>;

  constructor({ log, words, passing }: ServerHost, client: Client) {
    this.client = client;
    this.calls = new ServedCalls({ log, words, client });
    this.gateway = passing && new Gateway(passing, this.calls, log);
    this.#following = this.calls.follow();
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.#following;
  }
}
