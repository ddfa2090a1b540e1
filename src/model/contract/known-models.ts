// What is known of models: data. Prices are list prices in USD per million tokens as published on `pricesAsOf`;
// `prices."provider/model"` in the configuration overrides them and adds what is missing.

export const pricesAsOf = "2025-12-15";

interface KnownPrice {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
  long?: { above: number; inputFactor: number; outputFactor: number };
}
interface KnownModel {
  /** `provider/model`, matching dated editions of it too; with a final `*`, everything that starts so. */
  arm: string;
  contextWindow: number;
  maxOutput: number;
  price?: KnownPrice;
}

const anthropic = (input: number, output: number): KnownPrice => ({
  input,
  output,
  cacheRead: round(input / 10),
  cacheWrite: round(input * 1.25),
});
const plain = (input: number, output: number, cacheRead: number): KnownPrice => ({ input, output, cacheRead });
const gemini = (input: number, output: number, cacheRead: number): KnownPrice => ({
  ...plain(input, output, cacheRead),
  long: { above: 200_000, inputFactor: 2, outputFactor: 1.5 },
});
function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
const row = (arm: string, contextWindow: number, maxOutput: number, price?: KnownPrice): KnownModel => ({
  arm,
  contextWindow,
  maxOutput,
  ...(price ? { price } : {}),
});

export const knownModels: readonly KnownModel[] = [
  row("anthropic/claude*", 200_000, 64_000),
  row("anthropic/claude-opus-4-6", 200_000, 128_000, anthropic(5, 25)),
  row("anthropic/claude-opus-4-5", 200_000, 64_000, anthropic(5, 25)),
  row("anthropic/claude-opus-4-1", 200_000, 32_000, anthropic(15, 75)),
  row("anthropic/claude-opus-4", 200_000, 32_000, anthropic(15, 75)),
  row("anthropic/claude-sonnet-4-6", 200_000, 64_000, anthropic(3, 15)),
  row("anthropic/claude-sonnet-4-5", 200_000, 64_000, anthropic(3, 15)),
  row("anthropic/claude-sonnet-4", 200_000, 64_000, anthropic(3, 15)),
  row("anthropic/claude-haiku-4-5", 200_000, 64_000, anthropic(1, 5)),
  row("anthropic/claude-3-haiku", 200_000, 4_096, anthropic(0.25, 1.25)),
  row("openai/gpt-5*", 400_000, 128_000),
  row("openai/gpt-5", 400_000, 128_000, plain(1.25, 10, 0.125)),
  row("openai/gpt-5-mini", 400_000, 128_000, plain(0.25, 2, 0.025)),
  row("openai/gpt-5-nano", 400_000, 128_000, plain(0.05, 0.4, 0.005)),
  row("openai/gpt-5-codex", 400_000, 128_000, plain(1.25, 10, 0.125)),
  row("openai/gpt-5.1", 400_000, 128_000, plain(1.25, 10, 0.125)),
  row("openai/gpt-5.2", 400_000, 128_000, plain(1.75, 14, 0.175)),
  row("openai/gpt-4.1", 1_047_576, 32_768, plain(2, 8, 0.5)),
  row("openai/gpt-4.1-mini", 1_047_576, 32_768, plain(0.4, 1.6, 0.1)),
  row("openai/gpt-4.1-nano", 1_047_576, 32_768, plain(0.1, 0.4, 0.025)),
  row("openai/gpt-4o", 128_000, 16_384, plain(2.5, 10, 1.25)),
  row("openai/gpt-4o-mini", 128_000, 16_384, plain(0.15, 0.6, 0.075)),
  row("openai/o3", 200_000, 100_000, plain(2, 8, 0.5)),
  row("openai/o4-mini", 200_000, 100_000, plain(1.1, 4.4, 0.275)),
  row("google/gemini*", 1_048_576, 65_536),
  row("google/gemini-3-pro-preview", 1_048_576, 65_536, gemini(2, 12, 0.2)),
  row("google/gemini-2.5-pro", 1_048_576, 65_536, gemini(1.25, 10, 0.125)),
  row("google/gemini-2.5-flash", 1_048_576, 65_536, plain(0.3, 2.5, 0.03)),
  row("google/gemini-2.5-flash-lite", 1_048_576, 65_536, plain(0.1, 0.4, 0.01)),
  row("mistral/*", 128_000, 32_768),
  row("mistral/devstral-medium-2507", 128_000, 32_768, plain(0.4, 2, 0.4)),
  row("mistral/mistral-medium-2508", 128_000, 32_768, plain(0.4, 2, 0.4)),
  row("mistral/codestral-2508", 256_000, 32_768, plain(0.3, 0.9, 0.3)),
];

const edition = /^-(\d{8}|\d{4}-\d{2}-\d{2}|\d{3}|latest)$/;
const fits = (arm: string, known: KnownModel): boolean =>
  known.arm.endsWith("*")
    ? arm.startsWith(known.arm.slice(0, -1))
    : arm === known.arm || (arm.startsWith(known.arm) && edition.test(arm.slice(known.arm.length)));

/** The row for the model itself, else the longest of its family. */
export function knownModel(arm: string): KnownModel | undefined {
  const fitting = knownModels.filter((known) => fits(arm, known));
  const own = fitting.find((known) => !known.arm.endsWith("*"));
  return own ?? fitting.toSorted((left, right) => right.arm.length - left.arm.length)[0];
}
