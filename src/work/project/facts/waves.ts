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

/**
 * No plan is in the wave of one that it depends on or shares a file with. A plan that names no files may touch any, so it
 * shares files with all. Of two that share a file, the one that comes first in the list is first.
 */
export function wavesOf(plans: readonly Ordered[], settings: ReadSettings): Waves {
  const order = ordered(plans);
  const waveOf = new Map<string, number>();
  const overlaps: Overlap[] = [];
  const before = new Map<string, Set<string>>();
  const touched = order.map(touchedBy);
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
  const placed = new Set(order.map(({ id }) => id));
  const stuck = plans.filter(({ id }) => !placed.has(id)).map(({ id }) => id);
  return { waveOf: inSequence(order, waveOf, settings), stuck, overlaps };
}

/** Each after those that it depends on; otherwise as they were given. */
function ordered(plans: readonly Ordered[]): Ordered[] {
  const order: Ordered[] = [];
  const known = new Set(plans.map(({ id }) => id));
  const placed = new Set<string>();
  let left = [...plans];
  for (;;) {
    const next = left.find(({ after }) => after.every((id) => placed.has(id) || !known.has(id)));
    if (!next) return order;
    order.push(next);
    placed.add(next.id);
    left = left.filter((plan) => plan !== next);
  }
}

/** Waves that are too small for work side by side, or all of them, become one wave for each plan. */
function inSequence(
  order: readonly Ordered[],
  waveOf: ReadonlyMap<string, number>,
  settings: ReadSettings,
): Map<string, number> {
  const parallel = settings["parallelization.enabled"] && settings["parallelization.plan_level"];
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
  exact: Set<string>;
  open: string[];
}

const anything = "*";

/** Case is not told apart on every file system. */
function touchedBy({ files }: Ordered): Touched | undefined {
  if (!files) return undefined;
  const touched: Touched = { exact: new Set(), open: [] };
  for (const file of files) {
    const parts = file.replaceAll("\\", "/").toLowerCase().split("/");
    const clean = parts.filter((part) => part !== "" && part !== ".").join("/");
    const star = clean.search(/[*?[{]/);
    if (star < 0) touched.exact.add(clean);
    else touched.open.push(clean.slice(0, star));
  }
  return touched;
}

/** The same file, a folder and what is in it, or a pattern whose fixed beginning leads to the other. */
function commonFile(one: Touched | undefined, other: Touched | undefined): string | undefined {
  if (!one || !other) return anything;
  return exactIn(one, other) ?? exactIn(other, one) ?? openIn(one, other) ?? openIn(other, one);
}

/** A path of the one that the other names itself, or by a folder around it. */
function exactIn(one: Touched, other: Touched): string | undefined {
  for (const file of one.exact) {
    if (other.exact.has("")) return file;
    for (let end = file.length; end > 0; end = file.lastIndexOf("/", end - 1)) {
      if (other.exact.has(file.slice(0, end))) return file;
    }
  }
  return undefined;
}

function openIn(one: Touched, other: Touched): string | undefined {
  for (const start of one.open) {
    for (const file of other.exact) {
      if (file.startsWith(start) || start.startsWith(`${file}/`) || file === "") return `${start}*`;
    }
    for (const second of other.open) if (second.startsWith(start) || start.startsWith(second)) return `${start}*`;
  }
  return undefined;
}
