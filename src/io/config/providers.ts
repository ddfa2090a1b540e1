// A provider table is complete when its type is known and what the type needs is there.
import { configFault } from "./layers.ts";
import type { Merged } from "./merge.ts";
import { type ProviderType, providerTypes } from "./settings.ts";

const namedLikeTheirType = new Set<string>(["openai", "anthropic", "google", "ollama"]);

export function completeProviders(merged: Merged): void {
  for (const [name, provider] of Object.entries(merged.settings.providers)) {
    if (provider.type === undefined && namedLikeTheirType.has(name)) provider.type = name as ProviderType;
    if (provider.type === undefined) throw missing(merged, name, "type", `one of ${providerTypes.join(", ")}`);
    if (provider.type === "openai-compatible" && !provider.base_url) {
      throw missing(merged, name, "base_url", "the address of its API, such as http://localhost:8000/v1");
    }
    if (provider.type === "recorded" && !provider.recording) {
      throw missing(merged, name, "recording", "the file that it plays");
    }
  }
  for (const [arm, price] of Object.entries(merged.settings.prices)) {
    for (const part of ["input", "output"] as const) {
      if (price[part] === undefined) throw missing(merged, arm, part, "US dollars per million tokens", "prices");
    }
  }
}

function missing(merged: Merged, name: string, key: string, meaning: string, section = "providers") {
  const table = `${section}.${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}`;
  const origin = [...merged.origins].find(([text]) => text.startsWith(`${table}.`))?.[1] ?? "configuration";
  return configFault("incomplete", `${table} has no ${key} (${origin}).`, `Add ${table}.${key}: ${meaning}.`);
}
