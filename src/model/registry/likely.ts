// What a model can do by its name, until somebody has looked or tried.
import type { ProviderType } from "../../io/config/settings.ts";
import type { Capabilities } from "../contract/card.ts";

const seeing =
  /^(claude|gpt-[4-9]|o[134]|gemini|pixtral|llava|qwen\d?(\.\d)?-?vl|gemma3|llama3\.2-vision|mistral-(medium|small))/i;
const thinking =
  /^(gpt-[5-9](?!.*-chat)|o[134]|gemini-(2\.5|[3-9])|claude-(opus|sonnet|haiku|fable)-[4-9]|claude-3[-.]7|qwen-?3|deepseek-r|magistral|gpt-oss)/i;
const withoutTools = /(^|-)(base|instruct-v0\.1)$|^(llava|gemma:|codellama|phi(:|$))/i;

export function likelyCapabilities(type: ProviderType, model: string): Capabilities {
  const vendor = type === "anthropic" || type === "openai" || type === "google";
  const bare = model.slice(model.lastIndexOf("/") + 1);
  return { tools: !withoutTools.test(bare), images: vendor || seeing.test(bare), reasoning: thinking.test(bare) };
}

const patching = /^(gpt-(4\.1|[5-9]|oss)|o[34](-|$)|codex)/i;

export const writesPatches = (model: string): boolean => patching.test(model.slice(model.lastIndexOf("/") + 1));
