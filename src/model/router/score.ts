// Value × quality against weighted cost × scarcity: what a choice is worth.
import type { Classification, RouterProfile } from "../../protocol/router.ts";
import { blended, type Candidate } from "./candidate.ts";
import { qualityOf, traitsOf, worthOf } from "./task-types.ts";

/** How much money matters, from 0 (not at all) to 1 (as much as quality). */
const costWeights: Record<RouterProfile, number> = {
  inherit: 0.2,
  quality: 0.04,
  balanced: 0.2,
  budget: 0.6,
  local: 0.2,
};

/** Dollars per million tokens that count as 1: a middle model's price. */
const middlePrice = 3;
/** Nobody would use an arm more happily because its price is unknown. */
const unknownPrice = 6;
/** Reading a prefix anew takes time where it costs no money: dollars per million tokens. */
const readingAnew = 0.1;

export interface Warmth {
  arm: string;
  /** Tokens of the prefix that its cache holds. */
  tokens: number;
}

/** Tokens that a piece of work takes, in and out. */
const volume = ({ complexity }: Pick<Classification, "complexity">): number => 8_000 + 40_000 * complexity;
/** Of work of usual difficulty. */
export const usualVolume = volume({ complexity: 0.3 });

/** Dollars per million tokens of the work itself: a program of another agent's reads far more than that. */
const priceOfWork = ({ price, program }: Candidate): number =>
  program?.run !== undefined ? program.run / usualVolume : price ? blended(price) : unknownPrice;

export interface CostParts {
  /** Relative to a middle model: price × scarcity, and what leaving the warm cache costs. */
  cost: number;
  switching: number;
  weightedCost: number;
}

export function costOf(
  candidate: Candidate,
  work: Pick<Classification, "type" | "complexity">,
  around: { profile: RouterProfile; warm?: Warmth | undefined; times?: number },
): CostParts {
  const { price, scarcity } = candidate;
  const { warm, times = 1 } = around;
  const own = (priceOfWork(candidate) / middlePrice) * times;
  const lost = warm && warm.arm !== candidate.arm ? warm.tokens : 0;
  const premium = Math.max(readingAnew, price ? price.input - price.cacheRead : unknownPrice / 2);
  const switching = (lost * premium) / (volume(work) * middlePrice);
  const cost = own * scarcity + switching;
  const weight = weightOf(around.profile, work);
  // Scarcity counts for arms without a price, too: by what it keeps others from.
  const shortage = price && blended(price) > 0 ? 1 : 1 + weight * (scarcity - 1);
  return { cost, switching, weightedCost: weighted(cost, weight) * Math.max(0.5, shortage) };
}

/** Dear work bears dear arms; hard work, too. */
export const weightOf = (profile: RouterProfile, work: Pick<Classification, "type" | "complexity">): number =>
  costWeights[profile] / (traitsOf[work.type].value * (0.75 + 0.5 * work.complexity));

export const weighted = (cost: number, weight: number): number =>
  Math.max(0.05, 1 + Math.min(0.95, weight) * (cost - 1));

/** Strictly rising in quality, strictly falling in weighted cost. */
export const scoreOf = (quality: number, type: Classification["type"], weightedCost: number): number =>
  (traitsOf[type].value * worthOf(quality, traitsOf[type])) / weightedCost;

/** The quality that has this score, within 0 and 1. */
export const qualityAt = (score: number, type: Classification["type"], weightedCost: number): number =>
  qualityOf((score * weightedCost) / traitsOf[type].value, traitsOf[type]);
