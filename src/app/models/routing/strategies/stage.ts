// What each strategy is given to let several arms do one turn, and what it says of that.
import { someOf } from "../../../../base/some-of.ts";
import type { ArmChoice } from "../../../../engine/arm-choice.ts";
import { escapeLine } from "../../../../base/escape.ts";
import { strategyCost } from "../../../../model/router/strategies.ts";
import type { RouterOutcome, StrategyName } from "../../../../protocol/router.ts";
import type { Course } from "../choice/log.ts";
import type { Staff } from "../choice/crew.ts";

type Decision = Course["plan"]["decision"];

export interface Stage {
  course: Course;
  staff: Staff;
  /** The arm itself or, where it turns out that it cannot be asked, the next one. */
  usable(arm: string): Promise<ArmChoice | undefined>;
  tell(text: string, level?: "info" | "warning"): void;
  /** The arm has done the turn's work from here on; who did before it came to `outcome`, or to nothing that is known. */
  handOver(arm: string, outcome?: RouterOutcome): void;
  /** What the arm did in this turn has come to that, whether it was taken or not. */
  judged(arm: string, outcome: RouterOutcome): void;
}

/** `a, b and c`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** As many as a line bears; whoever names a file may not write lines of ours. */
export const fileNames = (names: readonly string[], most = 8): string => someOf(names.map(escapeLine), most);

/** What a strategy is about to do, told before it does. */
export function announced(strategy: StrategyName, what: string, { candidates, chosen = "" }: Decision): string {
  const alone = candidates.find(({ arm }) => arm === chosen)?.cost ?? 0;
  const all = strategyCost(strategy, candidates, chosen);
  if (all < 0.01) return `${what} (${strategy}).`;
  if (alone < 0.01) return `${what} (${strategy}; ${chosen} alone would cost nothing).`;
  return `${what} (${strategy}, about ${rounded(all / alone)} times the price of ${chosen} alone).`;
}

/** Two digits: it is an estimate. */
const rounded = (times: number): string => String(Number(times.toPrecision(2)));
