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
  for (const [at, plan] of order.entries()) {
    const reached = new Set(plan.after.flatMap((id) => [id, ...(before.get(id) ?? [])]));
    let wave = Math.max(0, ...plan.after.map((id) => waveOf.get(id) ?? 0)) + 1;
    for (const earlier of order.slice(0, at)) {
      const file = commonFile(earlier, plan);
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

function commonFile(one: Ordered, other: Ordered): string | undefined {
  if (!one.files || !other.files) return "*";
  for (const file of one.files) for (const second of other.files) if (touches(file, second)) return file;
  return undefined;
}

/** The same file, a folder and what is in it, or a pattern whose fixed beginning holds the other. */
function touches(one: string, other: string): boolean {
  const [a, b] = [fixedPart(one), fixedPart(other)];
  const inside = (folder: typeof a, path: string) =>
    path.startsWith(folder.open ? folder.text : `${folder.text}/`) || folder.text === path || folder.text === "";
  return inside(a, b.text) || inside(b, a.text);
}

/** `open`: what follows may begin in the middle of a name. Case is not told apart on every file system. */
function fixedPart(file: string): { text: string; open: boolean } {
  const clean = file
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/{2,}/g, "/")
    .toLowerCase();
  const star = clean.search(/[*?[{]/);
  return star < 0 ? { text: clean.replace(/\/$/, ""), open: false } : { text: clean.slice(0, star), open: true };
}
