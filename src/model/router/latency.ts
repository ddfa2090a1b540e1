// How long an arm takes to answer, from its latest answers, and what that weighs. Pure.

/** One whole answer: to its first token, to its end, and its tokens. */
export interface TimedAnswer {
  firstMs: number;
  ms: number;
  output: number;
}

export interface Latency {
  answers: number;
  /** Medians, and of the whole answer the time within which nine of ten came. */
  firstMs: number;
  medianMs: number;
  p90Ms: number;
  /** Median of what an answer of usual length takes: arms that were given longer work are not slower for that. */
  paceMs: number;
}

const usualTokens = 400;
/** Below that, a rate of tokens says nothing. */
const leastTokens = 20;
/** Nobody feels a difference below that, and on a busy machine it is chance. */
const leastPaceMs = 1_000;
/** Fewer answers say nothing of an arm's pace. */
export const enoughAnswers = 5;

const paceOf = ({ firstMs, ms, output }: TimedAnswer): number =>
  firstMs + (Math.max(0, ms - firstMs) / Math.max(leastTokens, output)) * usualTokens;

/** Undefined where nothing was measured. */
export function latencyOf(answers: readonly TimedAnswer[]): Latency | undefined {
  if (answers.length === 0) return undefined;
  const whole = answers.map(({ ms }) => ms);
  return {
    answers: answers.length,
    firstMs: quantile(
      answers.map(({ firstMs }) => firstMs),
      0.5,
    ),
    medianMs: quantile(whole, 0.5),
    p90Ms: quantile(whole, 0.9),
    paceMs: quantile(answers.map(paceOf), 0.5),
  };
}

/** The smallest value that this share of all does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/**
 * From 0 for the fastest to almost 1 for one that takes for ever: 0.5 takes twice as long as the fastest. An arm that was not
 * measured counts as the middle one of those that were.
 */
export function slownessOf(paces: readonly (number | undefined)[]): number[] {
  const known = paces.filter((pace) => pace !== undefined).map((pace) => Math.max(leastPaceMs, pace));
  const fastest = Math.min(...known);
  const slow = (pace: number): number => 1 - fastest / Math.max(leastPaceMs, pace);
  const middle = known.length === 0 ? 0 : slow(quantile(known, 0.5));
  return paces.map((pace) => (pace === undefined ? middle : slow(pace)));
}
