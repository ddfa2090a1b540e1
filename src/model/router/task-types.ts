// What each kind of work is worth, and how good is good enough for it. Numbers of design E.
import type { TaskType } from "../../protocol/router.ts";

/** Qualities from 0 to 1: below `least` an arm is not used, from `acceptable` on it will do, beyond `target` little is gained. */
export interface Bar {
  least: number;
  acceptable: number;
  target: number;
}

interface TaskTypeTraits extends Bar {
  value: number;
  /** How much a model gains here by being large, and by reasoning. */
  depth: number;
}

type Numbers = readonly [value: number, least: number, acceptable: number, target: number, depth: number];

const row = ([value, least, acceptable, target, depth]: Numbers): TaskTypeTraits => ({
  ...{ value, least, acceptable, target, depth },
});

export const traitsOf: Record<TaskType, TaskTypeTraits> = {
  boilerplate: row([0.6, 0.4, 0.55, 0.7, 0.3]),
  generation: row([1, 0.45, 0.6, 0.75, 0.7]),
  refactor: row([0.9, 0.5, 0.65, 0.78, 0.8]),
  review: row([1.1, 0.55, 0.68, 0.8, 0.9]),
  unit_test: row([0.8, 0.45, 0.6, 0.75, 0.6]),
  planning: row([1.4, 0.6, 0.72, 0.82, 1.2]),
  orchestration: row([1.5, 0.65, 0.75, 0.83, 1.2]),
  security_review: row([2, 0.7, 0.78, 0.84, 1.3]),
  debug: row([1.2, 0.5, 0.65, 0.78, 1]),
  explain: row([0.7, 0.4, 0.55, 0.72, 0.4]),
};

/** What a quality is worth: little while it will not do, in full up to the target, half of what goes beyond. Strictly rising. */
export function worthOf(quality: number, { acceptable, target }: Bar): number {
  if (quality < acceptable) return quality ** 2 / acceptable;
  return quality <= target ? quality : target + (quality - target) / 2;
}

/** The reverse of `worthOf`, within 0 and 1. */
export function qualityOf(worth: number, { acceptable, target }: Bar): number {
  if (worth <= 0) return 0;
  if (worth < acceptable) return Math.sqrt(worth * acceptable);
  return Math.min(1, worth <= target ? worth : target + (worth - target) * 2);
}

/** Whoever does it changes files. */
export const editing: readonly TaskType[] = ["boilerplate", "generation", "refactor", "unit_test", "debug"];
