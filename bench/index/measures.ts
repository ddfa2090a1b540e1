// How well ranked lists find what was looked for, with the interval in which the truth lies for nineteen draws of twenty.
export interface Measure {
  first: number;
  five: number;
  ten: number;
  reciprocal: number;
}

export const rankOf = (files: readonly string[], right: ReadonlySet<string>): number =>
  files.findIndex((file) => right.has(file)) + 1;

/** Ranks from 1; 0: not found. */
export function measured(ranks: readonly number[]): Measure {
  const share = (most: number) => ranks.filter((rank) => rank > 0 && rank <= most).length / Math.max(1, ranks.length);
  const reciprocal = ranks.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / Math.max(1, ranks.length);
  return { first: share(1), five: share(5), ten: share(10), reciprocal };
}

/** Of whole packages, which are drawn anew: sentences of one are alike. */
export function interval(
  byPackage: readonly (readonly number[])[],
  of: (ranks: readonly number[]) => number,
): [number, number] {
  let state = 7;
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const values = Array.from({ length: 1_000 }, () =>
    of(byPackage.flatMap(() => byPackage[Math.floor(draw() * byPackage.length)] ?? [])),
  ).toSorted((a, b) => a - b);
  return [values[25] ?? 0, values[974] ?? 0];
}
