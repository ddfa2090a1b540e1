// What the adapters over provider packages share: they differ in a model factory and a few rules.
import { readText } from "../../io/net/fetch.ts";
import { request as send } from "../../io/net/client.ts";
import { NetFailure } from "../../io/net/failure.ts";
import { scrubbed } from "../../guard/firewall/scrubbed.ts";
import type { ModelRequest } from "../../protocol/request.ts";
import { type Counterpart, faultOfConnection, faultOfReply, unreadable, webPage } from "../faults.ts";
import { modelList } from "../model-list.ts";
import type { ModelInfo, Provider, Scrubbed } from "../provider.ts";
import { sdkFetch } from "./fetch.ts";
import { type PromptRules, toPrompt, toTools } from "./prompt.ts";
import { streamSdk } from "./stream.ts";
import type { SdkModel, SdkOptions, SdkProviderOptions } from "./types.ts";

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
  /** Longest silence in ms; default 300,000. */
  idleMs?: number;
}

export interface SdkAdapter {
  rules: PromptRules;
  options?: SdkProviderOptions;
  model: (id: string, fetch: typeof globalThis.fetch) => Promise<SdkModel>;
  models: { path: string; headers: Record<string, string> };
  lastWord?: string;
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

export function sdkProvider(connection: Connection, adapter: SdkAdapter): Provider {
  const about = counterpart(connection);
  const fetch = sdkFetch(about, connection.idleMs);
  const models = new Map<string, Promise<SdkModel>>();
  const modelFor = (id: string): Promise<SdkModel> => {
    const model = models.get(id) ?? adapter.model(id, fetch);
    models.set(id, model);
    return model;
  };
  return {
    name: connection.name,
    vendor: adapter.rules.vendor,
    local: connection.local,
    stream(token, signal) {
      const request = openScrubbed(token);
      return streamSdk({
        vendor: adapter.rules.vendor,
        about,
        model: modelFor(request.model),
        options: callOptions(request, adapter),
        signal,
        ...(adapter.lastWord === undefined ? {} : { lastWord: adapter.lastWord }),
      });
    },
    models: (signal) => listModels(connection, adapter.models, signal),
  };
}

function callOptions(request: ModelRequest, adapter: SdkAdapter): SdkOptions {
  const tools = toTools(request, adapter.rules);
  return {
    prompt: toPrompt(request, adapter.rules),
    maxOutputTokens: request.maxOutputTokens,
    ...(tools.length > 0 ? { tools } : {}),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(adapter.options ? { providerOptions: adapter.options } : {}),
  };
}

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
