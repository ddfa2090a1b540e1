// Plays policies in worlds and counts what they missed. Rewards are drawn; regret is counted by the truth.
import type { RouterProfile, Simulation, SimulationRow } from "../../../protocol/router.ts";
import { seededRandom } from "../random.ts";
import type { Logged } from "../replay.ts";
import { costOf } from "../score.ts";
import { type MakePolicy, policies, taskAt, truths } from "./policies.ts";
import { type ScenarioName, type World, worldOf } from "./worlds.ts";

export interface Played {
  /** What the best arm would have had more, summed up to each round. */
  regrets: number[];
  /** What the best arm would have had in all. */
  best: number;
  quality: number;
  cost: number;
  log: Logged[];
}

interface PlayOptions {
  seed: number;
  profile: RouterProfile;
  /** Share of the work of which nobody learns what became of it. */
  unjudged: number;
}

/** The same seed plays the same. */
export function play(world: World, make: MakePolicy, { seed, profile, unjudged }: PlayOptions): Played {
  const policy = make(world, seededRandom(seed + 1), profile);
  // Of their own, so that all policies meet the same luck.
  const luck = seededRandom(seed + 2);
  const played: Played = { regrets: [], best: 0, quality: 0, cost: 0, log: [] };
  let regret = 0;
  for (let round = 0; round < world.tasks.length; round += 1) {
    const { arm, propensities } = policy.choose(round);
    const values = truths(world, round, profile);
    const best = Math.max(...values);
    regret += best - (values[arm] ?? 0);
    const quality = world.quality(arm, round);
    const [drawn, judged] = [luck(), luck()];
    const reward = drawn < quality ? 1 : 0;
    if (judged >= unjudged) policy.learn(round, arm, reward);
    const candidate = world.arms[arm];
    played.regrets.push(regret);
    played.best += best;
    played.quality += quality / world.tasks.length;
    if (candidate) played.cost += costOf(candidate, taskAt(world, round), { profile }).cost / world.tasks.length;
    if (propensities && candidate && judged >= unjudged)
      played.log.push({ type: taskAt(world, round).type, chosen: candidate.arm, propensities, reward });
  }
  return played;
}

export interface SimulationWish {
  scenario: ScenarioName;
  rounds: number;
  arms: number;
  seeds: readonly number[];
  profile: RouterProfile;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean and 95 % of it. */
export function spread(values: readonly number[]): { mean: number; interval: [number, number] } {
  const mean = meanOf(values);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1);
  const half = 1.96 * Math.sqrt(variance / values.length);
  return { mean, interval: [mean - half, mean + half] };
}

/** A third of the work is judged by nobody. */
export const unjudgedShare = 1 / 3;

/** Every policy in the same worlds; least regret first. */
export function simulate(
  { scenario, rounds, arms, seeds, profile }: SimulationWish,
  among: Readonly<Record<string, MakePolicy>> = policies,
): Simulation {
  const worlds = seeds.map((seed) => ({ seed, world: worldOf(scenario, { rounds, arms, seed }) }));
  const rows = Object.entries(among).map(([policy, make]) => {
    const all = worlds.map(({ seed, world }) => play(world, make, { seed, profile, unjudged: unjudgedShare }));
    return rowOf(policy, all);
  });
  return { scenario, rounds, arms, seeds: seeds.length, rows: rows.sort((left, right) => left.regret - right.regret) };
}

function rowOf(policy: string, all: readonly Played[]): SimulationRow {
  const { mean, interval } = spread(all.map(({ regrets }) => regrets.at(-1) ?? 0));
  return {
    policy,
    regret: mean,
    interval,
    share: meanOf(all.map(({ regrets, best }) => (regrets.at(-1) ?? 0) / best)),
    quality: meanOf(all.map(({ quality }) => quality)),
    cost: meanOf(all.map(({ cost }) => cost)),
  };
}
