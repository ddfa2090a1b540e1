// What is known of an arm without asking it: what a person set, what was found out, what stands in the list.
import type { Settings } from "../../io/config/settings.ts";
import type { Effort } from "../../protocol/effort.ts";
import type { Endpoint } from "../contract/endpoints.ts";
import { knownModel } from "../contract/known-models.ts";
import { freePrice, type Price, priceOf } from "../contract/pricing.ts";
import type { Capabilities, Finding } from "../contract/card.ts";
import { contextOf } from "./context.ts";
import { effortsOf } from "./efforts.ts";
import { likelyCapabilities, writesPatches } from "./likely.ts";

interface ArmFacts {
  name: string;
  contextTokens: number;
  maxOutput: number;
  /** Levels of effort that may be asked for. */
  efforts: readonly Effort[];
  /** Trained on the patches of `apply_patch`: it is offered those, and others exact replacements. */
  patches: boolean;
  price?: Price;
}

const usualOutput = 32_768;

/** `finding`: what an earlier look has told. */
export function armFacts(
  endpoint: Endpoint,
  model: string,
  settings: Pick<Settings, "prices">,
  finding: Finding | undefined,
): ArmFacts {
  const name = `${endpoint.name}/${model}`;
  const known = knownModel(name) ?? knownModel(`${endpoint.type}/${model}`);
  const free = endpoint.near !== "away" && !settings.prices[name];
  const price = free ? freePrice : (priceOf(name, settings) ?? listedPrice(finding));
  const { type, baseUrl } = endpoint;
  const { reasoning } = capabilitiesOf(endpoint, model, finding);
  return {
    name,
    contextTokens: contextOf(endpoint, known?.contextWindow, finding),
    maxOutput: known?.maxOutput ?? finding?.maxOutput ?? usualOutput,
    patches: writesPatches(model),
    efforts: effortsOf({ type, model, baseUrl, reasoning }),
    ...(price && { price }),
  };
}

/** A vendor's own model reasons where its name says so, whether or not it showed that when it was not asked to. */
export function capabilitiesOf({ type }: Pick<Endpoint, "type">, model: string, finding: Finding | undefined) {
  const likely = likelyCapabilities(type, model);
  const told: Capabilities | undefined = finding?.capabilities;
  if (!told) return likely;
  const vendor = type === "anthropic" || type === "openai" || type === "google";
  return vendor ? { ...told, reasoning: told.reasoning || likely.reasoning } : told;
}

function listedPrice(finding: Finding | undefined): Price | undefined {
  if (!finding?.price) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input } = finding.price;
  const asOf = new Date(finding.at).toISOString().slice(0, 10);
  return { input, output, cacheRead, cacheWrite, asOf, from: "server" };
}
