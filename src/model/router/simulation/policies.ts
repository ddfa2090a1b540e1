// Ways of choosing that are compared: the router itself, and what others do. All see the same tasks and rewards.
import { type RouterProfile, type TaskType, taskTypes } from "../../../protocol/router.ts";
import type { Candidate } from "../candidate.ts";
import { decide } from "../decide.ts";
import { expectedQuality, usualQuality } from "../heuristic.ts";
import {
  counted,
  type Counts,
  defaultFading,
  defaultTrust,
  elsewhereOf,
  faded,
  type Fading,
  nothingSeen,
  type Trust,
} from "../posterior.ts";
import type { Random } from "../random.ts";
import { costOf, scoreOf } from "../score.ts";
import type { Task, World } from "./worlds.ts";

export interface Choice {
  arm: number;
  /** By arm; absent where nothing was drawn. */
  propensities?: Readonly<Record<string, number>>;
}

interface SimulatedPolicy {
  choose(round: number): Choice;
  /** What came of it, from 0 to 1. */
  learn(round: number, arm: number, reward: number): void;
}

export type MakePolicy = (world: World, random: Random, profile: RouterProfile) => SimulatedPolicy;

const utilityOf = (candidate: Candidate, task: Task, quality: number, profile: RouterProfile): number =>
  scoreOf(quality, task.type, costOf(candidate, task, { profile }).weightedCost);

const largest = (values: readonly number[]): number => values.indexOf(Math.max(...values));

export const routerPolicy =
  (fading: Fading = defaultFading, trust: Trust = defaultTrust): MakePolicy =>
  (world, random, profile) => {
    const counts = new Map<string, Counts>();
    let judged = 0;
    const keyOf = (type: TaskType, arm: string) => `${type} ${arm}`;
    const now = () => ({ at: 0, round: judged });
    const needs = { tools: true, images: false, reasoning: false, contextTokens: 8_000 };
    const fresh = (type: TaskType, arm: string) => faded(counts.get(keyOf(type, arm)) ?? nothingSeen, now(), fading);
    const seenOf = (type: TaskType, arm: string) => {
      const candidate = world.arms.find((each) => each.arm === arm);
      const others = taskTypes
        .filter((each) => each !== type && counts.has(keyOf(each, arm)))
        .map((each) => ({ ...fresh(each, arm), expected: candidate ? usualQuality(candidate, each) : 0 }));
      return { ...fresh(type, arm), elsewhere: elsewhereOf(others) };
    };
    return {
      choose(round) {
        const task = taskAt(world, round);
        const wish = {
          work: { ...task, by: "words" as const, because: "" },
          ...{ candidates: world.arms, needs, profile },
          ...{ trust, seen: (arm: string) => seenOf(task.type, arm) },
        };
        const { chosen, candidates } = decide(wish, random);
        const propensities = Object.fromEntries(candidates.map((each) => [each.arm, each.propensity]));
        return { arm: world.arms.findIndex(({ arm }) => arm === chosen), propensities };
      },
      learn(round, arm, reward) {
        const { type } = taskAt(world, round);
        const key = keyOf(type, world.arms[arm]?.arm ?? "");
        judged += 1;
        counts.set(key, counted(counts.get(key) ?? nothingSeen, { reward, weight: 1 }, now(), fading));
      },
    };
  };

export function taskAt({ tasks }: World, round: number): Task {
  const task = tasks[round];
  if (!task) throw new RangeError(`the world ends before round ${round}`);
  return task;
}

/** Knows the truth of each round. */
export const oracle: MakePolicy = (world, _random, profile) => ({
  choose: (round) => ({ arm: largest(truths(world, round, profile)) }),
  learn: () => undefined,
});

export const truths = (world: World, round: number, profile: RouterProfile): number[] =>
  world.arms.map((candidate, arm) => utilityOf(candidate, taskAt(world, round), world.quality(arm, round), profile));

/** The one arm that turns out best over the whole time: nobody can know it beforehand. */
export const bestFixed: MakePolicy = (world, _random, profile) => {
  const sums = world.arms.map((_, arm) =>
    world.tasks.reduce((sum, _task, round) => sum + (truths(world, round, profile)[arm] ?? 0), 0),
  );
  const arm = largest(sums);
  return { choose: () => ({ arm }), learn: () => undefined };
};

/** The same for each kind of work. */
export const bestFixedByType: MakePolicy = (world, _random, profile) => {
  const sums = new Map<TaskType, number[]>();
  for (const [round, { type }] of world.tasks.entries()) {
    const before = sums.get(type) ?? world.arms.map(() => 0);
    sums.set(
      type,
      truths(world, round, profile).map((value, arm) => value + (before[arm] ?? 0)),
    );
  }
  return { choose: (round) => ({ arm: largest(sums.get(taskAt(world, round).type) ?? [0]) }), learn: () => undefined };
};

/** Always the best by the mean of its last twenty results in the kind of work; the heuristic until there are any. */
export const greedy: MakePolicy = (world, _random, profile) => {
  const seen = new Map<string, number[]>();
  const last = 20;
  const keyOf = (type: TaskType, arm: number) => `${type} ${arm}`;
  return {
    choose(round) {
      const task = taskAt(world, round);
      const values = world.arms.map((candidate, arm) => {
        const own = seen.get(keyOf(task.type, arm)) ?? [];
        const expected = expectedQuality(candidate, { ...task, by: "words", because: "" });
        const mean = own.length === 0 ? expected : own.reduce((sum, each) => sum + each, 0) / own.length;
        return utilityOf(candidate, task, mean, profile);
      });
      return { arm: largest(values) };
    },
    learn(round, arm, reward) {
      const key = keyOf(taskAt(world, round).type, arm);
      seen.set(key, [...(seen.get(key) ?? []), reward].slice(-last));
    },
  };
};

export const roundRobin: MakePolicy = (world) => ({
  choose: (round) => ({ arm: round % world.arms.length }),
  learn: () => undefined,
});

/** By what is expected beforehand, without learning anything. */
export const heuristicOnly: MakePolicy = (world, _random, profile) => ({
  choose(round) {
    const task = taskAt(world, round);
    const values = world.arms.map((candidate) =>
      utilityOf(candidate, task, expectedQuality(candidate, { ...task, by: "words", because: "" }), profile),
    );
    return { arm: largest(values) };
  },
  learn: () => undefined,
});

export const policies: Readonly<Record<string, MakePolicy>> = {
  oracle,
  router: routerPolicy(),
  "best fixed by kind": bestFixedByType,
  "best fixed": bestFixed,
  greedy,
  "heuristic only": heuristicOnly,
  "round-robin": roundRobin,
};
