// Of several results of the same work, which one is taken, or among which somebody has to judge. Pure.

export interface Entry {
  /** What tests or a check said of it; absent: nothing is known. */
  passed?: boolean;
  /** The same for results that are the same. */
  outcome: string;
}

/** By their numbers. `none`: all that were checked failed, and all were. */
export type Standing = { taken: number } | { among: number[] } | { none: true };

/** What passed comes before what nobody knows of; what failed is never taken. */
export function standing(entries: readonly Entry[]): Standing {
  const numbers = (wanted: boolean | undefined) => entries.flatMap(({ passed }, at) => (passed === wanted ? [at] : []));
  const passing = numbers(true);
  const open = passing.length > 0 ? passing : numbers(undefined);
  const [first] = open;
  if (first === undefined) return { none: true };
  const different = open.filter((each, at) => open.findIndex((other) => same(entries, each, other)) === at);
  return different.length === 1 ? { taken: first } : { among: different };
}

const same = (entries: readonly Entry[], one: number, other: number): boolean =>
  entries[one]?.outcome === entries[other]?.outcome;
