// How likely each candidate is to be drawn best, by quadrature: the same every time, to a thousandth.
import type { TaskType } from "../../protocol/router.ts";
import { type Beta, cumulative } from "./distribution.ts";
import { qualityAt, scoreOf } from "./score.ts";

interface Contender {
  belief: Beta;
  weightedCost: number;
}

const cells = 128;

/** Sums to 1. */
export function propensities(contenders: readonly Contender[], type: TaskType): number[] {
  if (contenders.length <= 1) return contenders.map(() => 1);
  const top = Math.max(...contenders.map(({ weightedCost }) => scoreOf(1, type, weightedCost)));
  const below = contenders.map(({ belief, weightedCost }) => {
    const share = cumulative(belief);
    // Cells are narrow near the bottom, where weak candidates crowd.
    return Array.from({ length: cells + 1 }, (_, at) =>
      share(qualityAt(top * (at / cells) ** 1.5, type, weightedCost)),
    );
  });
  const raw = contenders.map((_, own) => {
    let sum = 0;
    for (let cell = 0; cell < cells; cell += 1) {
      const [low = 0, high = 0] = [below[own]?.[cell], below[own]?.[cell + 1]];
      if (high > low) sum += (high - low) * othersBelow(below, own, cell);
    }
    return sum;
  });
  const total = raw.reduce((sum, each) => sum + each, 0);
  return raw.map((each) => each / total);
}

function othersBelow(below: readonly (readonly number[])[], own: number, cell: number): number {
  let product = 1;
  for (const [at, shares] of below.entries())
    if (at !== own) product *= ((shares[cell] ?? 0) + (shares[cell + 1] ?? 0)) / 2;
  return product;
}
