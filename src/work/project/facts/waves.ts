// Which plans of a phase may be worked on at once. Computed from what they depend on and which files they name.
import type { Plan } from "../formats/plan.ts";
import type { ReadSettings } from "./settings.ts";

export interface Overlap {
  first: string;
  second: string;
  file: string;
}

export interface Waves {
  /** By the id of the plan, from 1. Without those that wait for themselves. */
  waveOf: Map<string, number>;
  /** Plans of a cycle, or that wait for one. */
  stuck: string[];
  /** Plans that nothing but a common file keeps apart. */
  overlaps: Overlap[];
}

export type Ordered = Pick<Plan, "id" | "files"> & { after: readonly string[] };

/** Each plan is compared with all before it. More than that of one phase are worked on one after the other. */
const mostCompared = 500;

/**
 * No plan is in the wave of one that it depends on or shares a file with. A plan that names no files may touch any, so it
 * shares files with all. Of two that share a file, the one that comes first in the list is first.
 */
export function wavesOf(plans: readonly Ordered[], settings: ReadSettings): Waves {
  const order = ordered(plans);
  const placed = new Set(order.map(({ id }) => id));
  const stuck = plans.filter(({ id }) => !placed.has(id)).map(({ id }) => id);
  if (order.length > mostCompared)
    return { waveOf: new Map(order.map(({ id }, at) => [id, at + 1])), stuck, overlaps: [] };
  const waveOf = new Map<string, number>();
  const overlaps: Overlap[] = [];
  const before = new Map<string, Set<string>>();
  const touched = allTouched(order);
  for (const [at, plan] of order.entries()) {
    const reached = new Set(plan.after.flatMap((id) => [id, ...(before.get(id) ?? [])]));
    let wave = Math.max(0, ...plan.after.map((id) => waveOf.get(id) ?? 0)) + 1;
    for (const [place, earlier] of order.slice(0, at).entries()) {
      const file = commonFile(touched[place], touched[at]);
      if (file === undefined) continue;
      wave = Math.max(wave, (waveOf.get(earlier.id) ?? 0) + 1);
      if (!reached.has(earlier.id)) overlaps.push({ first: earlier.id, second: plan.id, file });
    }
    before.set(plan.id, reached);
    waveOf.set(plan.id, wave);
  }
  return { waveOf: inSequence(order, waveOf, settings), stuck, overlaps };
}

/** Each after those that it depends on; otherwise as they were given. */
function ordered(plans: readonly Ordered[]): Ordered[] {
  const places = new Map(plans.map(({ id }, at) => [id, at]));
  const waiting = plans.map(({ after }) => new Set(after.filter((id) => places.has(id))).size);
  const followers = new Map<string, number[]>();
  for (const [at, { after }] of plans.entries())
    for (const id of new Set(after)) {
      const found = followers.get(id);
      if (found) found.push(at);
      else followers.set(id, [at]);
    }
  // Latest first, so that the next one is the last.
  const ready = [...plans.keys()].filter((at) => waiting[at] === 0).reverse();
  const order: Ordered[] = [];
  for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
    const plan = plans[at];
    if (!plan) break;
    order.push(plan);
    const freed = followers.get(plan.id) ?? [];
    followers.delete(plan.id);
    for (const next of freed) {
      waiting[next] = (waiting[next] ?? 0) - 1;
      if (waiting[next] === 0) ready.splice(firstBelow(ready, next), 0, next);
    }
  }
  return order;
}

/** Where `value` belongs in numbers that fall. */
function firstBelow(falling: readonly number[], value: number): number {
  let [low, high] = [0, falling.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((falling[middle] ?? 0) > value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Waves that are too small for work side by side, or all of them, become one wave for each plan. */
function inSequence(
  order: readonly Ordered[],
  waveOf: ReadonlyMap<string, number>,
  settings: ReadSettings,
): Map<string, number> {
  const parallel =
    settings["parallelization.enabled"] && settings["parallelization.plan_level"] && settings["workflow.use_worktrees"];
  const least = parallel ? settings["parallelization.min_plans_for_parallel"] : Number.POSITIVE_INFINITY;
  const made = new Map<string, number>();
  let number = 0;
  for (const wave of [...new Set(waveOf.values())].toSorted((a, b) => a - b)) {
    const plans = order.filter(({ id }) => waveOf.get(id) === wave);
    for (const [at, { id }] of plans.entries()) {
      if (at === 0 || plans.length < least) number += 1;
      made.set(id, number);
    }
  }
  return made;
}

/** What a plan touches: files and folders by their whole path, and patterns by their fixed beginning. */
interface Touched {
  exact: ReadonlySet<string>;
  /** Sorted, as is `all`. */
  open: readonly string[];
  /** Both, so that what begins with something stands where that would stand. */
  all: readonly string[];
}

const anything = "*";

/** Of all plans of a phase together. Each is compared with each other, so a plan that names more may touch anything. */
const mostPaths = 5_000;

function allTouched(order: readonly Ordered[]): (Touched | undefined)[] {
  let left = mostPaths;
  return order.map(({ files }) => {
    if (files && files.length <= left) {
      left -= files.length;
      return touchedBy(files);
    }
    return undefined;
  });
}

/** Case is not told apart on every file system. */
function touchedBy(files: readonly string[]): Touched {
  const exact = new Set<string>();
  const open = new Set<string>();
  for (const file of files) {
    const parts = file.replaceAll("\\", "/").toLowerCase().split("/");
    const clean = parts.filter((part) => part !== "" && part !== ".").join("/");
    const star = clean.search(/[*?[{]/);
    if (star < 0) exact.add(clean);
    else open.add(clean.slice(0, star));
  }
  return { exact, open: [...open].toSorted(), all: [...exact, ...open].toSorted() };
}

/** The same file, a folder and what is in it, or a pattern whose fixed beginning leads to the other. */
function commonFile(one: Touched | undefined, other: Touched | undefined): string | undefined {
  if (!one || !other) return anything;
  return exactIn(one, other) ?? exactIn(other, one) ?? openIn(one, other) ?? openIn(other, one);
}

/** A path of the one that the other names itself, or by a folder around it. */
function exactIn(one: Touched, other: Touched): string | undefined {
  for (const file of one.exact) if (isNamed(file, other)) return file;
  return undefined;
}

function isNamed(file: string, { exact }: Touched): boolean {
  if (exact.size === 0) return false;
  if (exact.has("")) return true;
  for (let end = file.length; end > 0; end = file.lastIndexOf("/", end - 1)) {
    if (exact.has(file.slice(0, end))) return true;
  }
  return false;
}

function openIn(one: Touched, other: Touched): string | undefined {
  for (const start of one.open) {
    const next = other.all[firstFrom(other.all, start)];
    if (next?.startsWith(start) || isNamed(start, other)) return `${start}*`;
  }
  return undefined;
}

/** The place of the first text that does not stand before `start`. */
function firstFrom(sorted: readonly string[], start: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
