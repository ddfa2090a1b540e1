// Which arms can do the work at all; every other one with the first reason why not.
import type { Exclusion, RouterProfile } from "../../protocol/router.ts";
import type { Candidate, Needs } from "./candidate.ts";

interface Hurdle {
  code: string;
  /** A clause, when the arm does not take it. */
  fails(candidate: Candidate, needs: Needs, profile: RouterProfile): string | undefined;
}

/** Privacy first: what may not be asked is told before what could not be. */
const hurdles: readonly Hurdle[] = [
  {
    code: "privacy",
    fails: (candidate, { localOnly }) => (localOnly === undefined ? undefined : away(candidate, localOnly)),
  },
  {
    code: "profile",
    fails: (candidate, _needs, profile) => (profile === "local" ? away(candidate, "profile local") : undefined),
  },
  { code: "program", fails: ({ program }) => program?.barred },
  {
    code: "tier",
    fails: ({ arm }, { among }) => (among && !among.arms.has(arm) ? `not one of ${among.name}` : undefined),
  },
  {
    code: "capability.tools",
    fails: ({ capabilities }, { tools }) => (tools && !capabilities.tools ? "cannot call tools" : undefined),
  },
  {
    code: "capability.images",
    fails: ({ capabilities }, { images }) => (images && !capabilities.images ? "cannot see images" : undefined),
  },
  {
    code: "capability.reasoning",
    fails: ({ capabilities }, { reasoning }) => (reasoning && !capabilities.reasoning ? "does not reason" : undefined),
  },
  {
    code: "context",
    fails: ({ contextTokens }, needs) =>
      contextTokens < needs.contextTokens
        ? `reads ${tokens(contextTokens)} of the ${tokens(needs.contextTokens)} that are needed`
        : undefined,
  },
  { code: "down", fails: ({ down }) => down },
  {
    code: "pool",
    fails: ({ scarcity, poolNote }) => (Number.isFinite(scarcity) ? undefined : (poolNote ?? "its pool is empty")),
  },
  {
    code: "price",
    fails: ({ price, program }, { budget }) =>
      budget && !price && program?.run === undefined ? "its price is unknown" : undefined,
  },
  { code: "budget", fails: overBudget },
];

function away({ local, networkHost }: Candidate, why: string): string | undefined {
  if (local) return undefined;
  return networkHost === undefined
    ? `not local: ${why}`
    : `not local: ${why}, and it is at ${networkHost}, which model.local_hosts does not name`;
}

const tokens = (count: number): string => `${Math.round(count / 1000)}k tokens`;

/** Micro-dollars: dollars per million tokens are that per token. */
const firstCall = ({ price, contextTokens }: { price: Candidate["price"]; contextTokens: number }): number =>
  price ? contextTokens * price.input + leastAnswer * price.output : 0;

const leastAnswer = 512;

const usd = (micro: number): string => `${(micro / 1e6).toFixed(2)} USD`;

function overBudget(candidate: Candidate, { budget, contextTokens }: Needs): string | undefined {
  const run = candidate.program?.run;
  if (budget && run !== undefined)
    return run > budget.left ? `a run of it usually costs ${usd(run)}, more than ${budget.name}` : undefined;
  if (!budget || !candidate.price) return undefined;
  const bound = firstCall({ price: candidate.price, contextTokens });
  return bound > budget.left ? `one call could exceed ${budget.name}` : undefined;
}

interface Feasible {
  arms: Candidate[];
  excluded: Exclusion[];
}

export function feasible(candidates: readonly Candidate[], needs: Needs, profile: RouterProfile): Feasible {
  const arms: Candidate[] = [];
  const excluded: Exclusion[] = [];
  for (const candidate of candidates) {
    const found = firstFailed(candidate, needs, profile);
    if (found) excluded.push({ arm: candidate.arm, ...found });
    else arms.push(candidate);
  }
  return { arms, excluded };
}

function firstFailed(candidate: Candidate, needs: Needs, profile: RouterProfile) {
  for (const { code, fails } of hurdles) {
    const reason = fails(candidate, needs, profile);
    if (reason !== undefined) return { code, reason };
  }
  return undefined;
}
