// What another policy would have earned, from the log of what was chosen, how likely, and what came of it.
import type { ReplayEstimate } from "../../protocol/router.ts";

/** One judged decision. */
export interface Logged {
  type: string;
  chosen: string;
  /** By arm; those that could not be chosen are absent. */
  propensities: Readonly<Record<string, number>>;
  reward: number;
}

/** How likely it would have chosen each arm. */
export type Policy = (logged: Logged) => Readonly<Record<string, number>>;

/** A choice that was almost impossible would count for everything that came of it: no more than this. */
const mostWeight = 20;

/** Self-normalised, with clipped weights; the interval by the delta method. Value NaN where nothing speaks for it. */
export function replay(name: string, log: readonly Logged[], policy: Policy): ReplayEstimate {
  const weights = log.map((logged) => {
    const likely = logged.propensities[logged.chosen] ?? 0;
    const wanted = policy(logged)[logged.chosen] ?? 0;
    return likely > 0 ? Math.min(mostWeight, wanted / likely) : 0;
  });
  const total = sum(weights);
  const squares = sum(weights.map((weight) => weight ** 2));
  const value = sum(weights.map((weight, at) => weight * (log[at]?.reward ?? 0))) / total;
  const variance = sum(weights.map((weight, at) => (weight * ((log[at]?.reward ?? 0) - value)) ** 2)) / total ** 2;
  const half = 1.96 * Math.sqrt(variance);
  return {
    policy: name,
    value,
    interval: [Math.max(0, value - half), Math.min(1, value + half)],
    effective: squares > 0 ? total ** 2 / squares : 0,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const asLogged: Policy = ({ propensities }) => propensities;

export const always =
  (arm: string): Policy =>
  ({ propensities }) =>
    arm in propensities ? { [arm]: 1 } : {};

export const evenly: Policy = ({ propensities }) => {
  const arms = Object.keys(propensities);
  return Object.fromEntries(arms.map((arm) => [arm, 1 / arms.length]));
};

/** The estimates that people look at: as it was, evenly, and each arm alone, as far as enough decisions speak for them. */
export function replayAll(log: readonly Logged[], least = 10): ReplayEstimate[] {
  const arms = [...new Set(log.map(({ chosen }) => chosen))].sort();
  const all = [
    replay("as chosen", log, asLogged),
    replay("evenly", log, evenly),
    ...arms.map((arm) => replay(`always ${arm}`, log, always(arm))),
  ];
  return all.filter(({ effective }) => effective >= least);
}
