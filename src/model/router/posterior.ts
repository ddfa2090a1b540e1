// What was seen of an arm in one kind of work, as counts that fade: with every judged piece of work, and with time.
import type { Beta } from "./distribution.ts";

/** `at` and `round`: when it was counted last, by the clock and by the judged pieces of work of any kind. */
export interface Counts {
  good: number;
  bad: number;
  /** Everything ever counted, unfaded. */
  n: number;
  at: number;
  round: number;
}

export interface Moment {
  at: number;
  round: number;
}

export interface Fading {
  /** What is left after one more judged piece of work, whatever its kind and whoever did it. */
  perRound: number;
  /** Milliseconds after which half is left. */
  halfLifeMs: number;
}

const day = 86_400_000;

/** Tuned by `npm run bench -- router` on other seeds and scenarios than it reports. */
export const defaultFading: Fading = { perRound: 0.995, halfLifeMs: 45 * day };

export const nothingSeen: Counts = { good: 0, bad: 0, n: 0, at: 0, round: 0 };

/** Never more than 1: a clock that was set back fades nothing. */
function leftOf(since: Moment, now: Moment, { perRound, halfLifeMs }: Fading): number {
  const rounds = Math.max(0, now.round - since.round);
  const ms = Math.max(0, now.at - since.at);
  return perRound ** rounds * 0.5 ** (ms / halfLifeMs);
}

export function faded(counts: Counts, now: Moment, fading: Fading = defaultFading): Counts {
  const left = leftOf(counts, now, fading);
  return { ...counts, good: counts.good * left, bad: counts.bad * left, ...now };
}

export interface Reward {
  /** From 0 to 1. */
  reward: number;
  /** How much it counts for, relative to one observation. */
  weight: number;
}

export function counted(counts: Counts, { reward, weight }: Reward, now: Moment, fading = defaultFading): Counts {
  const before = faded(counts, now, fading);
  return {
    ...before,
    good: before.good + weight * reward,
    bad: before.bad + weight * (1 - reward),
    n: before.n + 1,
  };
}

/** Takes back what was counted at `then`, as far as it has not faded. */
export function takenBack(
  counts: Counts,
  wrong: Reward & { then: Moment },
  now: Moment,
  fading = defaultFading,
): Counts {
  const before = faded(counts, now, fading);
  const left = leftOf(wrong.then, now, fading) * wrong.weight;
  return {
    ...before,
    good: Math.max(0, before.good - left * wrong.reward),
    bad: Math.max(0, before.bad - left * (1 - wrong.reward)),
    n: Math.max(0, before.n - 1),
  };
}

export const seen = ({ good, bad }: Pick<Counts, "good" | "bad">): number => good + bad;

/** Fewer than this, and the heuristic outweighs them. */
export const enough = 5;
const heuristicShare = 0.3;

/** What the arm did in other kinds of work, faded: how many, and by how much it was better than expected there, summed up. */
export interface Elsewhere {
  count: number;
  surplus: number;
}

/** What was seen of an arm or a strategy in one kind of work, faded to now. */
export interface Seen {
  good: number;
  bad: number;
  elsewhere?: Elsewhere;
}

export interface Trust {
  /** Observations of other kinds of work until they count as much as what was expected beforehand. */
  doubt: number;
  /** Observations that they stand for at most. */
  most: number;
  /** How much narrower beliefs are drawn from than they are: more means less is tried. */
  focus: number;
}

/** Tuned like the fading. */
export const defaultTrust: Trust = { doubt: 12, most: 8, focus: 6 };

/**
 * What is believed: the heuristic, moved by what the arm did elsewhere, weighs as five observations until there are
 * five, then at most three tenths of the whole and never more than those five.
 */
export function believed(heuristic: number, { good, bad, elsewhere }: Seen, trust: Trust = defaultTrust): Beta {
  const observations = good + bad;
  const share = (heuristicShare / (1 - heuristicShare)) * observations;
  const strength = observations < enough ? enough : Math.min(enough, share);
  const count = elsewhere?.count ?? 0;
  const moved = heuristic + (elsewhere?.surplus ?? 0) / (count + trust.doubt);
  const mean = Math.min(0.97, Math.max(0.03, moved));
  // Seen elsewhere is seen, too: it gives way to what was seen here.
  const more = (trust.most * count) / (count + trust.most + observations);
  return { a: (strength + more) * mean + good, b: (strength + more) * (1 - mean) + bad };
}

/** What is drawn from instead of the belief. */
export const focused = ({ a, b }: Beta, { focus }: Trust = defaultTrust): Beta => ({ a: a * focus, b: b * focus });

/** What was seen in other kinds of work: `expected` is the heuristic there. */
export function elsewhereOf(others: readonly { good: number; bad: number; expected: number }[]): Elsewhere {
  const count = others.reduce((sum, { good, bad }) => sum + good + bad, 0);
  const surplus = others.reduce((sum, { good, bad, expected }) => sum + good - expected * (good + bad), 0);
  return { count, surplus };
}
