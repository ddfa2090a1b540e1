// Money: micro-dollars per call. One USD per million tokens is one micro-dollar per token.
import type { PriceSettings, Settings } from "../../io/config/settings.ts";
import type { Usage } from "../../protocol/message.ts";
import { knownModel, pricesAsOf } from "./known-models.ts";

/** US dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Requests with more input than this cost `factor` times as much, in and out. */
  long?: { above: number; inputFactor: number; outputFactor: number };
  /** The day of the published list that it stands in; absent: a person has set it. */
  asOf?: string;
  /** The model's own server lists it, as of that day. */
  from?: "server";
}

export const freePrice: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const isFree = ({ input, output, cacheRead, cacheWrite }: Price): boolean =>
  input + output + cacheRead + cacheWrite === 0;

/** What a person has set, else the table's; undefined when nobody knows. */
export function priceOf(arm: string, settings: Pick<Settings, "prices">): Price | undefined {
  const own = settings.prices[arm];
  if (own) return fromSettings(own);
  const known = knownModel(arm)?.price;
  if (!known) return undefined;
  const { input, output, cacheRead = input, cacheWrite = input, long } = known;
  return { input, output, cacheRead, cacheWrite, asOf: pricesAsOf, ...(long ? { long } : {}) };
}

const fromSettings = ({ input, output, cache_read, cache_write }: PriceSettings): Price => ({
  input,
  output,
  cacheRead: cache_read ?? input,
  cacheWrite: cache_write ?? input,
});

/** Micro-dollars, rounded up; null when the price is unknown. */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  if (!price) return null;
  const { input, output } = factors(usage.input, price);
  const plain = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  const paidInput = plain * price.input + usage.cacheRead * price.cacheRead + usage.cacheWrite * price.cacheWrite;
  return Math.ceil(round(paidInput * input + usage.output * price.output * output));
}

/** The most that a call can cost, in micro-dollars. */
export function boundOf(inputTokens: number, maxOutput: number, price: Price): number {
  const { input, output } = factors(inputTokens, price);
  const dearest = Math.max(price.input, price.cacheRead, price.cacheWrite);
  return Math.ceil(round(inputTokens * dearest * input + maxOutput * price.output * output));
}

const factors = (inputTokens: number, { long }: Price) =>
  long && inputTokens > long.above ? { input: long.inputFactor, output: long.outputFactor } : { input: 1, output: 1 };

/** Binary fractions (3 * 0.1) must not become a whole micro-dollar more. */
const round = (micro: number): number => Math.round(micro * 1e6) / 1e6;
