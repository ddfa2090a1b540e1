// One choice of an arm, with everything that led to it. Pure: the same input and draws give the same choice.
import type { Classification, Exclusion, RouterProfile, ScoredArm } from "../../protocol/router.ts";
import type { Candidate, CandidateProgram, Needs } from "./candidate.ts";
import { type Beta, meanOf } from "./distribution.ts";
import { feasible } from "./feasible.ts";
import { expectedQuality } from "./heuristic.ts";
import { believed, enough, focused, type Seen, seen, type Trust } from "./posterior.ts";
import { propensities } from "./propensity.ts";
import { beta, type Random } from "./random.ts";
import { costOf, type CostParts, scoreOf, type Warmth } from "./score.ts";
import { slownessOf } from "./latency.ts";
import { traitsOf } from "./task-types.ts";

export interface Wish {
  work: Classification;
  candidates: readonly Candidate[];
  needs: Needs;
  profile: RouterProfile;
  /** What was seen of the arm in this kind of work, faded to now. */
  seen(arm: string): Seen;
  trust?: Trust;
  /** The most by which slowness divides a score, less 1: 0 (or nothing) weighs no time. */
  latencyWeight?: number;
  warm?: Warmth | undefined;
  /** It wins whatever it costs; only privacy stands above it. */
  pin?: string | undefined;
}

interface WeighedArm extends ScoredArm {
  belief: Beta;
}

export interface ArmDecision {
  /** Undefined when nothing can be asked. */
  chosen: string | undefined;
  /** One clause for people. */
  why: string;
  /** Best expected score first. */
  candidates: WeighedArm[];
  excluded: Exclusion[];
}

interface Weighed {
  candidate: Candidate;
  belief: Beta;
  heuristic: number;
  observations: number;
  costs: CostParts;
  /** What its slowness multiplies its weighted cost by; absent: nothing. */
  slow?: number;
}

export function decide(wish: Wish, random: Random): ArmDecision {
  const { arms, excluded } = feasible(wish.candidates, wish.needs, wish.profile);
  const fit = wish.pin === undefined ? worthAsking(arms, wish) : pinned(wish, arms, excluded);
  const scored = score(fit.arms, wish, random);
  const out = [...excluded.filter(({ arm }) => !fit.arms.some((one) => one.arm === arm)), ...fit.excluded];
  const best = scored.reduce<WeighedArm | undefined>(
    (top, each) => (top === undefined || each.drawn > top.drawn ? each : top),
    undefined,
  );
  const candidates = scored.toSorted((left, right) => right.score - left.score);
  return { chosen: best?.arm, why: best ? whyText(best, candidates, wish) : noneText(out), candidates, excluded: out };
}

/** The order in which the others would be asked after `failed`: best expected score first, those that are too poor last. */
export function fallbacks({ candidates, excluded }: ArmDecision, failed: ReadonlySet<string>): string[] {
  const poor = excluded.filter(({ code }) => code === "quality");
  return [...candidates, ...poor].map(({ arm }) => arm).filter((arm) => !failed.has(arm));
}

function pinned({ pin, candidates }: Wish, arms: readonly Candidate[], excluded: readonly Exclusion[]) {
  const found = candidates.find(({ arm }) => arm === pin);
  const barred = excluded.some(({ arm, code }) => arm === pin && code === "privacy");
  const others = arms
    .filter(({ arm }) => arm !== pin)
    .map(({ arm }) => ({ arm, code: "pin", reason: `${pin} was named` }));
  return { arms: found && !barred ? [found] : [], excluded: others };
}

/** Leaves out what has shown itself too poor for the work, unless nothing else is left; forgetting brings it back. */
function worthAsking(arms: readonly Candidate[], wish: Wish): { arms: Candidate[]; excluded: Exclusion[] } {
  const { least } = traitsOf[wish.work.type];
  const poor = arms.flatMap((candidate) => {
    const counts = wish.seen(candidate.arm);
    if (seen(counts) < enough) return [];
    const mean = meanOf(believed(expectedQuality(candidate, wish.work), counts, wish.trust));
    return mean < least ? [{ arm: candidate.arm, mean }] : [];
  });
  if (poor.length === arms.length) return { arms: [...arms], excluded: [] };
  const excluded = poor.map(({ arm, mean }) => ({
    arm,
    code: "quality",
    reason: `${mean.toFixed(2)} is below the ${least.toFixed(2)} that ${spoken(wish.work.type)} needs`,
  }));
  return { arms: arms.filter(({ arm }) => !poor.some((one) => one.arm === arm)), excluded };
}

function weigh(candidate: Candidate, wish: Wish): Weighed {
  const heuristic = expectedQuality(candidate, wish.work);
  const counts = wish.seen(candidate.arm);
  const costs = costOf(candidate, wish.work, { profile: wish.profile, warm: wish.warm });
  return { candidate, heuristic, observations: seen(counts), belief: believed(heuristic, counts, wish.trust), costs };
}

/** What is slower than the fastest counts as dearer, by the weight at most. */
function inTime(weighed: readonly Weighed[], weight: number): Weighed[] {
  const slowness = slownessOf(weighed.map(({ candidate }) => candidate.paceMs));
  return weighed.map((each, at) => {
    const slow = 1 + weight * (slowness[at] ?? 0);
    return slow === 1
      ? each
      : { ...each, slow, costs: { ...each.costs, weightedCost: each.costs.weightedCost * slow } };
  });
}

function score(arms: readonly Candidate[], wish: Wish, random: Random): WeighedArm[] {
  const { type } = wish.work;
  const weighed = inTime(
    arms.map((candidate) => weigh(candidate, wish)),
    wish.latencyWeight ?? 0,
  );
  const likely = propensities(
    weighed.map(({ belief, costs }) => ({ belief: focused(belief, wish.trust), weightedCost: costs.weightedCost })),
    type,
  );
  const draw = (belief: Beta): number => {
    const { a, b } = focused(belief, wish.trust);
    return beta(a, b, random);
  };
  return weighed.map(({ candidate, belief, heuristic, observations, costs, slow }, at) => ({
    arm: candidate.arm,
    quality: meanOf(belief),
    heuristic,
    observations,
    belief,
    ...costs,
    scarcity: candidate.scarcity,
    score: scoreOf(meanOf(belief), type, costs.weightedCost),
    drawn: scoreOf(draw(belief), type, costs.weightedCost),
    propensity: likely[at] ?? 0,
    ...(slow !== undefined && { slow }),
    ...(candidate.program && { program: shown(candidate.program) }),
  }));
}

const shown = ({ run, seen: runs }: CandidateProgram) => ({ ...(run !== undefined && { run }), seen: runs });

/** As people say it. */
export const spoken = (type: Classification["type"]): string => type.replace("_", " ");

function whyText(chosen: ScoredArm, candidates: readonly ScoredArm[], { pin, work, warm }: Wish): string {
  const kind = spoken(work.type);
  if (pin !== undefined) return "as it was named";
  if (candidates.length === 1) return `${kind}, and nothing else can take it`;
  if (candidates[0] !== chosen) {
    const count = Math.round(chosen.observations);
    const known = count === 0 ? "nothing is known yet" : `${count} seen so far`;
    return `${kind}, tried against ${candidates[0]?.arm} to learn how good it is: ${known}`;
  }
  const quality = chosen.quality.toFixed(2);
  const others = candidates.filter((each) => each !== chosen);
  if (warm?.arm === chosen.arm && others.some((each) => unswitched(each, work.type) > chosen.score))
    return `${kind}, as its cache is warm`;
  const seenText = chosen.observations < enough ? `expected ${quality}` : `${quality} as seen`;
  const best = others.every((each) => each.quality <= chosen.quality);
  const cheapest = others.every((each) => each.cost > chosen.cost);
  const how = cheapest
    ? best
      ? "the best and the cheapest"
      : "good enough and the cheapest"
    : best
      ? "the best"
      : "the best for its cost";
  return `${kind}, ${how} (quality ${seenText})`;
}

/** What it would score if no cache were lost. */
const unswitched = ({ quality, cost, switching, weightedCost }: ScoredArm, type: Classification["type"]): number =>
  scoreOf(quality, type, cost > 0 ? weightedCost * (1 - (0.5 * switching) / cost) : weightedCost);

function noneText(excluded: readonly Exclusion[]): string {
  if (excluded.length === 0) return "no model is set up";
  const some = excluded.slice(0, 3).map(({ arm, reason }) => `${arm}: ${reason}`);
  return some.join("; ") + (excluded.length > 3 ? `; and ${excluded.length - 3} more` : "");
}
