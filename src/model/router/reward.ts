// From what a piece of work came to, to what the router learns of it. Verified outcomes only: nothing is said by the arm itself.
import type { RouterOutcome, TaskType } from "../../protocol/router.ts";
import type { Reward } from "./posterior.ts";

interface OutcomeTraits extends Reward {
  /** A stronger outcome takes the place of a weaker one, and one of equal rank that came before it. */
  rank: number;
}

/** What a person says outweighs what was done with the change, that outweighs checks, and those outweigh circumstances. */
export const outcomeTraits: Record<RouterOutcome, OutcomeTraits> = {
  good: { reward: 1, weight: 2, rank: 5 },
  bad: { reward: 0, weight: 2, rank: 5 },
  evidence: { reward: 1, weight: 1.5, rank: 4 },
  unproved: { reward: 0, weight: 1, rank: 4 },
  kept: { reward: 1, weight: 1, rank: 3 },
  discarded: { reward: 0, weight: 1, rank: 3 },
  rewound: { reward: 0, weight: 1, rank: 3 },
  passed: { reward: 1, weight: 1, rank: 2 },
  // Tests that nobody has seen red may pass whatever is done.
  green: { reward: 1, weight: 0.25, rank: 1.5 },
  failing: { reward: 0.15, weight: 1, rank: 2 },
  escalated: { reward: 0.2, weight: 0.5, rank: 2 },
  stuck: { reward: 0, weight: 1, rank: 1 },
  failed: { reward: 0, weight: 0.5, rank: 1 },
};

/** True when `next` says more than what was known. */
export const replaces = (known: RouterOutcome | undefined, next: RouterOutcome): boolean =>
  known === undefined || (known !== next && outcomeTraits[next].rank >= outcomeTraits[known].rank);

export const rewardOf = (outcome: RouterOutcome): Reward => {
  const { reward, weight } = outcomeTraits[outcome];
  return { reward, weight };
};

/** A plan is as good as what is built on it: its arm hears of that, unless somebody judges the plan itself. */
export const attributedLater = (type: TaskType): boolean => type === "planning" || type === "orchestration";

/** Whether an outcome of the work itself counts for a kind whose worth shows later. */
export const judgesItself = (outcome: RouterOutcome): boolean =>
  outcomeTraits[outcome].rank === 5 || outcomeTraits[outcome].rank === 1;
