// Which arms the router chooses among, and what it knows of each, without asking any of them but a running Ollama.
import { classifyHost } from "../../base/address.ts";
import type { Settings } from "../../io/config/settings.ts";
import { type Endpoint, endpoints } from "../../model/endpoints.ts";
import { knownModel } from "../../model/known-models.ts";
import { pulledModels } from "../../model/ollama-check.ts";
import { freePrice, priceOf } from "../../model/pricing.ts";
import type { Candidate, Tier } from "../../model/router/candidate.ts";
import { tierOf } from "../../model/router/heuristic.ts";
import type { TaskType } from "../../protocol/router.ts";
import type { ownTiers } from "./words.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Wanted = Pick<Settings, "model" | "providers" | "prices" | "router">;

/** Of a vendor's own address these are asked for, besides the one that it is set to: one of each size. */
const offered: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5"],
  openai: ["gpt-5-nano", "gpt-5-mini", "gpt-5.1"],
  google: ["gemini-2.5-flash-lite", "gemini-2.5-flash", "gemini-2.5-pro"],
};

const patienceMs = 500;

/** By name, in the order of the configuration. */
export async function candidatesOf(settings: Wanted, env: Environment): Promise<Candidate[]> {
  const all = endpoints(settings, env);
  const named = [...settings.router.arms, ...Object.values(settings.router.tiers).flat()];
  const names = settings.router.arms.length > 0 ? named : [...(await found(all)), ...named];
  return [...new Set(names)].flatMap((name) => {
    const slash = name.indexOf("/");
    const endpoint = all.get(slash < 0 ? name : name.slice(0, slash));
    const model = slash < 0 ? endpoint?.defaultModel : name.slice(slash + 1);
    return endpoint && model ? [candidateOf(endpoint, model, settings)] : [];
  });
}

async function found(all: ReadonlyMap<string, Endpoint>): Promise<string[]> {
  const lists = await Promise.all([...all.values()].map((endpoint) => modelsOf(endpoint)));
  return lists.flat();
}

async function modelsOf(endpoint: Endpoint): Promise<string[]> {
  const names = (models: readonly string[]) => models.map((model) => `${endpoint.name}/${model}`);
  if (endpoint.type === "ollama") return names(await pulled(endpoint));
  if (!endpoint.chosen || endpoint.type === "recorded") return [];
  const own = endpoint.defaultModel ? [endpoint.defaultModel] : [];
  const isVendor = endpoint.needsKey && (endpoint.settings.base_url ?? "") === "";
  return names([...own, ...((isVendor ? offered[endpoint.type] : undefined) ?? [])]);
}

async function pulled(endpoint: Endpoint): Promise<string[]> {
  try {
    const models = await pulledModels(endpoint.baseUrl, patienceMs);
    return models.map(({ id }) => id).filter((id) => !/embed|rerank/i.test(id));
  } catch {
    return endpoint.chosen && endpoint.defaultModel ? [endpoint.defaultModel] : [];
  }
}

function candidateOf(endpoint: Endpoint, model: string, settings: Wanted): Candidate {
  const arm = `${endpoint.name}/${model}`;
  const known = knownModel(arm) ?? knownModel(`${endpoint.type}/${model}`);
  const local = isLocal(endpoint);
  const price = local && !settings.prices[arm] ? freePrice : priceOf(arm, settings);
  const window = endpoint.settings.num_ctx ?? (endpoint.type === "ollama" ? 16_384 : (known?.contextWindow ?? 128_000));
  return {
    arm,
    tier: tierOf(arm, price),
    local,
    capabilities: capabilitiesOf(endpoint, model),
    contextTokens: window,
    maxOutput: known?.maxOutput ?? 32_768,
    ...(price && { price: { input: price.input, output: price.output, cacheRead: price.cacheRead } }),
    scarcity: 1,
    strengths: strengthsOf(model),
  };
}

function isLocal({ baseUrl }: Endpoint): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const place = classifyHost(new URL(baseUrl).hostname);
  return place === "loopback" || place === "private" || place === "link-local";
}

const seeing =
  /^(claude|gpt-[45]|o[134]|gemini|pixtral|llava|qwen\d?(\.\d)?-?vl|gemma3|llama3\.2-vision|mistral-(medium|small))/i;
const thinking =
  /^(gpt-5|o[134]|gemini-(2\.5|3)|claude-(opus|sonnet)-4|claude-haiku-4|qwen3|deepseek-r|magistral|gpt-oss)/i;
const withoutTools = /(^|-)(base|instruct-v0\.1)$|^(llava|gemma:|codellama|phi(:|$))/i;

function capabilitiesOf({ type }: Endpoint, model: string): Candidate["capabilities"] {
  const vendor = type === "anthropic" || type === "openai" || type === "google";
  const bare = model.slice(model.lastIndexOf("/") + 1);
  return { tools: !withoutTools.test(bare), images: vendor || seeing.test(bare), reasoning: thinking.test(bare) };
}

const coding: readonly TaskType[] = ["generation", "refactor", "unit_test", "debug"];
const strengthsOf = (model: string): readonly TaskType[] =>
  /codex|coder|devstral|codestral/i.test(model) ? coding : [];

const tiersNear: Record<Tier, readonly Tier[]> = {
  small: ["small", "medium", "large"],
  medium: ["medium", "large", "small"],
  large: ["large", "medium", "small"],
};
const tierWords: Record<(typeof ownTiers)[number], Tier> = {
  ...{ small: "small", fast: "small", medium: "medium", large: "large", best: "large" },
};

/** Arms of a tier: as configured, else by size; where there is none of that size, of the nearest one. */
export function armsOfTier(word: string, candidates: readonly Candidate[], { router }: Pick<Settings, "router">) {
  const own = Object.hasOwn(router.tiers, word) ? router.tiers[word] : undefined;
  if (own) return new Set(own);
  const tier = tierWords[word as (typeof ownTiers)[number]] ?? "medium";
  for (const near of tiersNear[tier]) {
    const arms = candidates.filter((candidate) => candidate.tier === near);
    if (arms.length > 0) return new Set(arms.map(({ arm }) => arm));
  }
  return new Set<string>();
}
