// What is known of an arm without asking it: what a person set, what was found out, what stands in the list.
import type { Settings } from "../../io/config/settings.ts";
import type { Endpoint } from "../endpoints.ts";
import { knownModel } from "../known-models.ts";
import { freePrice, type Price, priceOf } from "../pricing.ts";
import { contextOf } from "./context.ts";

interface ArmFacts {
  name: string;
  contextTokens: number;
  maxOutput: number;
  price?: Price;
}

const usualOutput = 32_768;

/** `found`: the context that an earlier look has told. */
export function armFacts(
  endpoint: Endpoint,
  model: string,
  settings: Pick<Settings, "prices">,
  found: number | undefined,
): ArmFacts {
  const name = `${endpoint.name}/${model}`;
  const known = knownModel(name) ?? knownModel(`${endpoint.type}/${model}`);
  const price = endpoint.near !== "away" && !settings.prices[name] ? freePrice : priceOf(name, settings);
  return {
    name,
    contextTokens: contextOf(endpoint, known?.contextWindow, found),
    maxOutput: known?.maxOutput ?? usualOutput,
    ...(price && { price }),
  };
}
