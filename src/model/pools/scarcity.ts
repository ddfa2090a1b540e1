// How much dearer an arm counts as its pools empty: the router weighs it against price and quality.
import type { Standing } from "./limits.ts";

const hour = 3_600_000;

/** 1/free^k; infinite when empty. What is given away unused within the hour is worth taking: then half. */
export function multiplier({ free, resetAt, long }: Standing, k: number, now: number): number {
  if (free <= 0) return Number.POSITIVE_INFINITY;
  if (long && free > 0.3 && resetAt - now < hour) return 0.5;
  return 1 / free ** k;
}

/** Of an arm that draws from several limits the scarcest counts; 1 where there is none. */
export function scarcest(standings: readonly Standing[], k: number, now: number): number {
  if (standings.length === 0) return 1;
  return Math.max(...standings.map((standing) => multiplier(standing, k, now)));
}
