// What every adapter is given, and what they share apart from their wire formats.
import { request as send } from "../../io/net/client.ts";
import { NetFailure } from "../../io/net/failure.ts";
import { readText } from "../../io/net/fetch.ts";
import { scrubbed } from "../../guard/firewall/scrubbed.ts";
import type { ModelRequest } from "../../protocol/request.ts";
import { type Counterpart, faultOfConnection, faultOfReply, unreadable, webPage } from "./faults.ts";
import { modelList } from "./model-list.ts";
import type { ToldLimits } from "./told.ts";
import type { ModelInfo, Scrubbed } from "./provider.ts";

/** Where and as whom to connect. */
export interface Connection {
  /** Configuration name, `openai`. */
  name: string;
  baseUrl: string;
  key: string | undefined;
  /** What to do when the key is refused: one sentence. */
  keyRemedy: string;
  headers: Record<string, string>;
  local: boolean;
  /** Notes what answers say of the server's limits. */
  told?: ToldLimits;
  /** Longest silence in ms; default 300,000. */
  idleMs?: number;
}

export const counterpart = (connection: Connection): Counterpart => ({
  name: connection.name,
  host: new URL(connection.baseUrl).host,
  keyRemedy: connection.keyRemedy,
});

/** The request inside; anything but the firewall's own token is a bug. */
export function openScrubbed(token: Scrubbed): ModelRequest {
  const request = scrubbed.open(token);
  if (!request) throw new TypeError("a provider was given a request that the firewall has not scrubbed");
  return request;
}

/** Throws a WireFault. */
export async function listModels(
  connection: Connection,
  at: { path: string; headers: Record<string, string> },
  signal: AbortSignal,
): Promise<ModelInfo[]> {
  const about = counterpart(connection);
  try {
    const reply = await send({
      url: `${connection.baseUrl}${at.path}`,
      method: "GET",
      headers: { accept: "application/json", ...at.headers, ...connection.headers },
      signal,
      idleMs: 15_000,
    });
    const body = await readText(reply.body);
    if (reply.status >= 300) throw faultOfReply({ status: reply.status, headers: reply.headers, body }, about);
    const models = modelList(body);
    if (models) return models;
    throw /^\s*</.test(body) ? webPage(about) : unreadable(about, "it is not a list of models.");
  } catch (error) {
    throw error instanceof NetFailure ? faultOfConnection(error, about) : error;
  }
}
