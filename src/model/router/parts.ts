// Who takes which part where several arms do one piece of work. Pure.
import type { ScoredArm } from "../../protocol/router.ts";
import type { Random } from "./random.ts";

type Known = Pick<ScoredArm, "arm" | "quality" | "cost" | "score" | "program">;

/** Another agent's program takes no part: it does whole turns by itself. */
export const models = <T extends Pick<ScoredArm, "program">>(arms: readonly T[]): T[] =>
  arms.filter(({ program }) => program === undefined);

export interface Pair {
  cheap: string;
  strong: string;
}

const rank = (key: "quality" | "cost" | "score", sign: 1 | -1) => (left: Known, right: Known) =>
  sign * (left[key] - right[key]);
const byName = (left: Known, right: Known): number => (left.arm < right.arm ? -1 : 1);

/** The best one, and the cheapest of the others; undefined where that saves nothing, as the best is cheaper than all others. */
export function pairOf(arms: readonly Known[]): Pair | undefined {
  const [strong, ...others] = models(arms).toSorted(
    (left, right) => rank("quality", -1)(left, right) || rank("cost", -1)(left, right) || byName(left, right),
  );
  const [cheap] = others.toSorted(
    (left, right) => rank("cost", 1)(left, right) || rank("quality", -1)(left, right) || byName(left, right),
  );
  return strong && cheap && cheap.cost <= strong.cost ? { cheap: cheap.arm, strong: strong.arm } : undefined;
}

const mostAuthors = 3;

/** Two or three: the chosen one, and those that promise most besides it. */
export function authorsOf(arms: readonly Known[], chosen: string): string[] {
  const others = models(arms)
    .filter(({ arm }) => arm !== chosen)
    .toSorted(rank("score", -1));
  return [chosen, ...others.map(({ arm }) => arm)].slice(0, mostAuthors);
}

/** The best of those that have written nothing of it; where all have, the best of all. */
export function judgeOf(arms: readonly Known[], authors: readonly string[]): string | undefined {
  const best = models(arms).toSorted(rank("quality", -1));
  return (best.find(({ arm }) => !authors.includes(arm)) ?? best[0])?.arm;
}

interface Labelled<T> {
  label: string;
  item: T;
}

/** In an order of chance, under letters: who judges cannot tell whose is whose, nor does the place tell. */
export function blind<T>(items: readonly T[], random: Random): Labelled<T>[] {
  const left = [...items];
  const drawn: T[] = [];
  while (left.length > 0) drawn.push(...left.splice(Math.min(left.length - 1, Math.floor(random() * left.length)), 1));
  return drawn.map((item, at) => ({ label: String.fromCharCode(65 + at), item }));
}
