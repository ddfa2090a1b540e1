// A cascade within a task: what a mission has made fails, and the best arm goes on with it.
import { spoken } from "../../../../model/router/decide.ts";
import { pairOf } from "../../../../model/router/parts.ts";
import type { Course } from "../choice/log.ts";

/** Undefined: it stays with the one that began it, as no better one can be asked. */
export function reliefFor({ plan }: Course, from: string): string | undefined {
  const best = pairOf(plan.decision.candidates)?.strong;
  return best === from ? undefined : best;
}

export const reliefText = ({ plan }: Course, { from, to }: { from: string; to: string }): string =>
  `${spoken(plan.work.type)}: ${to} goes on, as what ${from} has made fails (cascade).`;
