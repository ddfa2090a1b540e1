// Which arms the router chooses among, and what it knows of each, without asking any of them but a running Ollama.
import type { Settings } from "../../../io/config/settings.ts";
import { type Endpoint, endpoints } from "../../../model/contract/endpoints.ts";
import { pulledModels } from "../../../model/ollama-check.ts";
import type { PoolView } from "../../../model/pools/view.ts";
import { cardOf } from "../../../model/registry/cards.ts";
import { findingOf } from "../../../model/registry/findings.ts";
import type { Candidate, Tier } from "../../../model/router/candidate.ts";
import { tierOf } from "../../../model/router/heuristic.ts";
import type { TaskType } from "../../../protocol/router.ts";
import { commandLineAgents } from "../cards/command-line-agents.ts";
import type { RoutingContext } from "./context.ts";
import { programCandidate } from "./programs.ts";
import type { ownTiers } from "./choice/words.ts";

/** Of a vendor's own address these are asked for, besides the one that it is set to: one of each size. */
const offered: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5"],
  openai: ["gpt-5-nano", "gpt-5-mini", "gpt-5.1"],
  google: ["gemini-2.5-flash-lite", "gemini-2.5-flash", "gemini-2.5-pro"],
};

const patienceMs = 500;

/** By name, in the order of the configuration. */
export async function candidatesOf(around: RoutingContext): Promise<Candidate[]> {
  const { settings, env } = around;
  const all = endpoints(settings, env);
  const named = [...settings.router.arms, ...Object.values(settings.router.tiers).flat()];
  const programs = settings.router.cli ? commandLineAgents(env).map(({ model }) => model) : [];
  const names =
    settings.router.arms.length > 0 ? [...named, ...programs] : [...(await found(all)), ...programs, ...named];
  const candidates = [...new Set(names)].map(async (name): Promise<Candidate[]> => {
    const slash = name.indexOf("/");
    const endpoint = all.get(slash < 0 ? name : name.slice(0, slash));
    const model = slash < 0 ? endpoint?.defaultModel : name.slice(slash + 1);
    if (!endpoint) return await programCandidate(name, around);
    return model ? [candidateOf(endpoint, model, around)] : [];
  });
  return (await Promise.all(candidates)).flat();
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

/** What it takes from the registry, and from the pools that all processes share. */
function candidateOf(
  endpoint: Endpoint,
  model: string,
  { settings, findings, pools, pace }: RoutingContext,
): Candidate {
  const arm = `${endpoint.name}/${model}`;
  const card = cardOf(endpoint, model, { settings, pools: [], finding: findingOf(arm, findings) });
  const { price, capabilities, contextTokens, maxOutput } = card;
  const [scarcest] = pools.views(arm).toSorted((left, right) => right.scarcity - left.scarcity);
  return {
    ...{ arm, capabilities, contextTokens, maxOutput },
    tier: tierOf(arm, price),
    local: card.kind === "local",
    ...(endpoint.near === "network" && { networkHost: new URL(endpoint.baseUrl).hostname }),
    ...(price && { price: { input: price.input, output: price.output, cacheRead: price.cacheRead } }),
    scarcity: scarcest?.scarcity ?? 1,
    ...(scarcest && { poolNote: `the pool ${scarcest.name} is empty${fullAgain(scarcest)}` }),
    paceMs: pace(arm),
    strengths: strengthsOf(model),
  };
}

function fullAgain({ limits }: PoolView): string {
  const empty = limits.filter(({ free }) => free <= 0).map(({ resetAt }) => resetAt);
  return empty.length === 0
    ? ""
    : ` until ${new Date(Math.max(...empty)).toISOString().slice(0, 16).replace("T", " ")} UTC`;
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
