// A provider table is complete when its type is known and what the type needs is there.
import { keyText } from "./keys.ts";
import { configFault } from "./layers.ts";
import type { Merged } from "./merge.ts";
import { type ProviderType, providerTypes } from "./settings.ts";

const namedLikeTheirType = new Set<string>(["openai", "anthropic", "google", "ollama"]);

/** Throws a Fault that names the table and what it lacks. */
export function completeProviders(merged: Merged): void {
  for (const [name, provider] of Object.entries(merged.settings.providers)) {
    const lacks = (key: string, meaning: string) => missing(merged, ["providers", name, key], meaning);
    if (provider.type === undefined && namedLikeTheirType.has(name)) provider.type = name as ProviderType;
    if (provider.type === undefined) throw lacks("type", `one of ${providerTypes.join(", ")}`);
    if (provider.type === "openai-compatible" && !provider.base_url) {
      throw lacks("base_url", "the address of its API, such as http://localhost:8000/v1");
    }
    if (provider.type === "recorded" && !provider.recording) throw lacks("recording", "the file that it plays");
  }
  for (const [arm, price] of Object.entries(merged.settings.prices)) {
    for (const part of ["input", "output"] as const) {
      if (price[part] === undefined) throw missing(merged, ["prices", arm, part], "US dollars per million tokens");
    }
  }
}

function missing(merged: Merged, path: readonly string[], meaning: string) {
  const table = keyText(path.slice(0, -1));
  const origin = [...merged.origins].find(([text]) => text.startsWith(`${table}.`))?.[1] ?? "configuration";
  return configFault("incomplete", `${table} has no ${path.at(-1)} (${origin}).`, `Add ${keyText(path)}: ${meaning}.`);
}
