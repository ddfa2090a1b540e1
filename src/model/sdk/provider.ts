// What the adapters over provider packages share: they differ in a model factory and a few rules.
import type { ModelRequest } from "../../protocol/request.ts";
import { type Connection, counterpart, listModels, openScrubbed } from "../contract/connection.ts";
import type { Provider } from "../contract/provider.ts";
import type { AskEffort } from "./effort.ts";
import { sdkFetch } from "./fetch.ts";
import { type PromptRules, toPrompt, toTools } from "./prompt.ts";
import { streamSdk } from "./stream.ts";
import type { SdkModel, SdkOptions, SdkProviderOptions } from "./types.ts";

interface SdkAdapter {
  rules: PromptRules;
  options?: SdkProviderOptions;
  effort: AskEffort;
  model: (id: string, fetch: typeof globalThis.fetch) => Promise<SdkModel>;
  models: { path: string; headers: Record<string, string> };
}

export function sdkProvider(connection: Connection, adapter: SdkAdapter): Provider {
  const about = counterpart(connection);
  const fetch = sdkFetch(about, connection);
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
    limits: () => connection.told?.news(),
    stream(token, signal) {
      const request = openScrubbed(token);
      return streamSdk({
        vendor: adapter.rules.vendor,
        about,
        model: modelFor(request.model),
        options: callOptions(request, adapter),
        request,
        signal,
      });
    },
    models: (signal) => listModels(connection, adapter.models, signal),
  };
}

function callOptions(request: ModelRequest, adapter: SdkAdapter): SdkOptions {
  const tools = toTools(request, adapter.rules);
  const { effort } = request;
  const asked = effort && adapter.effort({ ...request, effort });
  const providerOptions = merged(adapter.options, asked?.options);
  return {
    prompt: toPrompt(request, adapter.rules),
    maxOutputTokens: asked?.maxOutputTokens ?? request.maxOutputTokens,
    ...(tools.length > 0 ? { tools } : {}),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(providerOptions ? { providerOptions } : {}),
  };
}

function merged(
  left: SdkProviderOptions | undefined,
  right: SdkProviderOptions | undefined,
): SdkProviderOptions | undefined {
  if (!left || !right) return left ?? right;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries([...names].map((name) => [name, { ...left[name], ...right[name] }]));
}
