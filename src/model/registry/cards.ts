// From what is configured, known and found out about an arm to its card.
import type { ProviderType, Settings } from "../../io/config/settings.ts";
import type { Endpoint } from "../endpoints.ts";
import { drawsFrom, type Pool } from "../pools/limits.ts";
import type { ArmCard, Capabilities, Finding } from "./card.ts";
import { armFacts } from "./facts.ts";

interface CardSources {
  settings: Pick<Settings, "prices">;
  pools: readonly Pool[];
  finding?: Finding | undefined;
}

export function cardOf(endpoint: Endpoint, model: string, { settings, pools, finding }: CardSources): ArmCard {
  const name = `${endpoint.name}/${model}`;
  return {
    ...armFacts(endpoint, model, settings, finding?.contextTokens),
    provider: endpoint.name,
    kind: endpoint.near === "here" ? "local" : "api",
    capabilities: finding?.capabilities ?? likelyCapabilities(endpoint.type, model),
    pools: pools.filter((pool) => drawsFrom(pool, name)).map((pool) => pool.name),
    ...(finding?.probed && { probedAt: finding.at }),
  };
}

const seeing =
  /^(claude|gpt-[45]|o[134]|gemini|pixtral|llava|qwen\d?(\.\d)?-?vl|gemma3|llama3\.2-vision|mistral-(medium|small))/i;
const thinking =
  /^(gpt-5|o[134]|gemini-(2\.5|3)|claude-(opus|sonnet)-4|claude-haiku-4|qwen3|deepseek-r|magistral|gpt-oss)/i;
const withoutTools = /(^|-)(base|instruct-v0\.1)$|^(llava|gemma:|codellama|phi(:|$))/i;

/** By its name, until somebody has looked or tried. */
export function likelyCapabilities(type: ProviderType, model: string): Capabilities {
  const vendor = type === "anthropic" || type === "openai" || type === "google";
  const bare = model.slice(model.lastIndexOf("/") + 1);
  return { tools: !withoutTools.test(bare), images: vendor || seeing.test(bare), reasoning: thinking.test(bare) };
}
