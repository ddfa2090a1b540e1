// Any vendor's list of models, as it comes: names, windows, prices, and what each can do, where the server says so.
import type { ModelInfo } from "./provider.ts";
import type { Capabilities, ListedPrice } from "./card.ts";

/** Undefined when the text is none. */
export function modelList(body: string): ModelInfo[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const list = Array.isArray(parsed) ? parsed : (field(parsed, "data") ?? field(parsed, "models"));
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((entry: unknown) => {
    const id = field(entry, "id") ?? field(entry, "model") ?? field(entry, "name");
    return typeof id === "string" ? [{ id: id.replace(/^models\//, ""), ...factsOf(entry) }] : [];
  });
}

/** A server may have loaded a model with less than it could read: that is what holds. */
const windows = [
  ...["loaded_context_length", "n_ctx", "context_length", "context_window", "max_model_len", "inputTokenLimit"],
  ...["max_input_tokens", "max_context_length", "n_ctx_train"],
];
const outputs = ["max_completion_tokens", "outputTokenLimit", "max_output_tokens"];

function factsOf(entry: unknown): Omit<ModelInfo, "id"> {
  const places = [entry, field(entry, "meta"), field(entry, "top_provider")];
  const contextWindow = firstTokens(places, windows);
  const maxOutput = firstTokens(places, outputs);
  const price = priceOf(field(entry, "pricing"));
  const capabilities = capabilitiesOf(entry);
  return {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutput !== undefined && { maxOutput }),
    ...(price && { price }),
    ...(capabilities && { capabilities }),
  };
}

const firstTokens = (places: readonly unknown[], names: readonly string[]): number | undefined =>
  names
    .flatMap((name) => places.map((place) => field(place, name)))
    .find((value): value is number => typeof value === "number" && Number.isFinite(value) && value > 0);

/** Per million tokens. */
const mostDollars = 100_000;

/** OpenRouter: dollars per token, as text; Together: dollars per million tokens, as numbers. Undefined where it varies. */
function priceOf(pricing: unknown): ListedPrice | undefined {
  const perToken = field(pricing, "prompt") !== undefined;
  const amount = (name: string): number | undefined => {
    const given = field(pricing, name);
    const value = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
    if (typeof value !== "number" || !(value >= 0)) return undefined;
    const dollars = perToken ? Math.round(value * 1e12) / 1e6 : value;
    // What no model can cost is no price.
    return dollars <= mostDollars ? Math.abs(dollars) : undefined;
  };
  const [input, output] = perToken ? [amount("prompt"), amount("completion")] : [amount("input"), amount("output")];
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = amount(perToken ? "input_cache_read" : "cached_input");
  const cacheWrite = perToken ? amount("input_cache_write") : undefined;
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

/** OpenRouter's parameters, or Mistral's capabilities. */
function capabilitiesOf(entry: unknown): Capabilities | undefined {
  const parameters = field(entry, "supported_parameters");
  if (Array.isArray(parameters)) {
    const inputs = field(field(entry, "architecture"), "input_modalities");
    return {
      tools: parameters.includes("tools"),
      images: Array.isArray(inputs) && inputs.includes("image"),
      reasoning: parameters.includes("reasoning") || parameters.includes("reasoning_effort"),
    };
  }
  const said = field(entry, "capabilities");
  const [tools, images] = [field(said, "function_calling"), field(said, "vision")];
  if (typeof tools !== "boolean") return undefined;
  return { tools, images: images === true, reasoning: field(said, "reasoning") === true };
}

const field = (value: unknown, name: string): unknown =>
  value !== null && typeof value === "object" && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
