// What makes a plan impossible leads back to planning, with the reason and what was tried; a person signs the new plan.
import { telling } from "../healing/telling.ts";
import type { StateOutcome, Work } from "../work/work.ts";
import { Repository } from "../world/git.ts";

const most = 5;
const longestAttempt = 6000;

export async function replan(work: Work, why: string): Promise<StateOutcome> {
  const { plan, replanned = [], worktree, envelope } = work.task;
  if (!plan || !envelope) return { to: "FAILED", detail: why };
  if (replanned.length >= most)
    return { to: "FAILED", detail: `It was planned anew ${most} times. The last time: ${why}` };
  const tried = worktree ? await attemptOf(work, envelope.base.commit) : "";
  await work.closePlace();
  return {
    to: "PLANNING",
    patch: {
      replanned: [...replanned, why],
      attempt: tried.slice(0, longestAttempt),
      planBefore: plan,
      ...{ amendments: [], locks: [], evidence: [], sentBack: [], unproved: [], unmoved: [], warnings: [], repairs: 0 },
    },
    detail: `to be planned anew: ${why.split("\n")[0]}`,
  };
}

/** What a mission says that finds the plan impossible, as the last thing that it says. */
export const saysReplan = (text: string): string | undefined => /^\s*Replan:\s*(\S[^]*)$/m.exec(text)?.[1]?.trim();

/** The work as it is, committed or not, against the base. */
async function attemptOf({ place }: Work, base: string): Promise<string> {
  const repository = new Repository(place.folder);
  await repository.run(["add", "--all", "--intent-to-add"]);
  const diff = await repository.run(["diff", base]);
  await repository.run(["reset", "--quiet"]);
  return telling(diff, longestAttempt);
}
