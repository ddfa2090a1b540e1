// A provider table is complete when its type is known and what the type needs is there.
import { keyText } from "./keys.ts";
import { configFault } from "./layers.ts";
import type { Merged } from "./merge.ts";
import { type ProviderType } from "./settings.ts";
import { providerTypes } from "./settings-table.ts";

/** Providers that fettle knows by name need neither type nor address; model/endpoints.ts has their addresses. */
const knownTypes: Readonly<Record<string, ProviderType>> = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  ollama: "ollama",
  openrouter: "openai-compatible",
  mistral: "openai-compatible",
  together: "openai-compatible",
};

/** Throws a Fault that names the table and what it lacks. */
export function completeProviders(merged: Merged): void {
  for (const [name, provider] of Object.entries(merged.settings.providers)) {
    const lacks = (key: string, meaning: string) => missing(merged, ["providers", name, key], meaning);
    const known = Object.hasOwn(knownTypes, name) ? knownTypes[name] : undefined;
    if (provider.type === undefined && known) provider.type = known;
    if (provider.type === undefined) throw lacks("type", `one of ${providerTypes.join(", ")}`);
    if (provider.type === "openai-compatible" && known !== provider.type && !provider.base_url) {
      throw lacks("base_url", "the address of its API, such as http://localhost:8000/v1");
    }
    if (provider.type === "recorded" && !provider.recording) throw lacks("recording", "the file that it plays");
  }
  for (const [name, pool] of Object.entries(merged.settings.pools)) {
    if (!pool.arms?.length) throw missing(merged, ["pools", name, "arms"], 'who draws from it, such as ["openai/*"]');
  }
  for (const [arm, price] of Object.entries(merged.settings.prices)) {
    for (const part of ["input", "output"] as const) {
      if (price[part] === undefined) throw missing(merged, ["prices", arm, part], "US dollars per million tokens");
    }
  }
}

function missing(merged: Merged, path: readonly string[], meaning: string) {
  const table = keyText(path.slice(0, -1));
  const origin = [...merged.origins].find(([text]) => text.startsWith(`${table}.`))?.[1]() ?? "configuration";
  return configFault("incomplete", `${table} has no ${path.at(-1)} (${origin}).`, `Add ${keyText(path)}: ${meaning}.`);
}
