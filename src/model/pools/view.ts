// How full what an arm draws from is, for people and for the router.
import type { PoolUse } from "../../io/store/pools.ts";
import { type Pool, type Standing, standings } from "./limits.ts";
import { scarcest } from "./scarcity.ts";
import type { Told } from "../contract/told.ts";

export interface PoolView {
  name: string;
  /** What says so: the person, or the provider's answers. */
  from: "configuration" | "provider";
  /** Of its scarcest limit, from 0 to 1. */
  free: number;
  /** How much dearer it counts; infinite when empty. */
  scarcity: number;
  limits: Standing[];
}

const usualScarcity = 2;
/** No provider limits for longer, and what is told may be any number. */
const longestMs = 40 * 86_400_000;

export const viewOf = (pool: Pool, use: PoolUse, now: number): PoolView =>
  view({ name: pool.name, from: "configuration" }, standings(pool, use, now), {
    k: pool.limits.scarcity ?? usualScarcity,
    now,
  });

export const viewOfTold = (arm: string, told: Told, now: number): PoolView =>
  view({ name: arm, from: "provider" }, toldStandings(told, now), { k: usualScarcity, now });

function view(
  which: Pick<PoolView, "name" | "from">,
  limits: Standing[],
  { k, now }: { k: number; now: number },
): PoolView {
  return { ...which, free: Math.min(1, ...limits.map(({ free }) => free)), scarcity: scarcest(limits, k, now), limits };
}

/** Of a limit whose moment has come nothing is known but that it is whole again. */
function toldStandings({ requests, tokens, retryAt }: Told, now: number): Standing[] {
  const bounded = (moment: number): number => Math.min(moment, now + longestMs);
  const known = [
    { name: "requests", told: requests },
    { name: "tokens", told: tokens },
  ].flatMap(({ name, told }) =>
    told === undefined
      ? []
      : [
          {
            limit: `${told.limit.toLocaleString("en-US")} ${name}`,
            free: now >= told.resetAt ? 1 : told.remaining / told.limit,
            resetAt: bounded(told.resetAt),
            long: false,
          },
        ],
  );
  const refused = retryAt !== undefined && retryAt > now;
  return refused ? [...known, { limit: "asked to wait", free: 0, resetAt: bounded(retryAt), long: false }] : known;
}
