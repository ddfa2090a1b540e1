// What a pool allows, what of it is used, and whether one more call fits: decided from numbers alone.
import type { PoolSettings } from "../../io/config/settings.ts";
import type { Draw, PoolUse } from "../../io/store/pools.ts";

export interface Pool {
  name: string;
  limits: PoolSettings;
}

/** One limit of a pool, as it stands. */
export interface Standing {
  /** `10 requests per minute` */
  limit: string;
  /** From 0 (empty) to 1. */
  free: number;
  /** ms since 1970; when it will be whole again. */
  resetAt: number;
  /** Of a day or longer, which nobody would just wait for. */
  long: boolean;
}

/** Why a call has to wait, and until when; undefined: it never fits. */
export interface Blocked {
  pool: string;
  limit: string;
  until: number | undefined;
}

const minuteMs = 60_000;
/** Calls that are under way end at any moment, and may have held more than they used. */
const lookAgainMs = 500;

interface Dimension {
  limit: (settings: PoolSettings) => number | undefined;
  window: "minute" | "day" | "month";
  of: keyof Draw;
  words: (limit: number) => string;
}

const number = (value: number): string => value.toLocaleString("en-US");
const micro = (dollars: number | undefined): number | undefined =>
  dollars === undefined ? undefined : Math.round(dollars * 1e6);

const dimensions: readonly Dimension[] = [
  { limit: ({ rpm }) => rpm, window: "minute", of: "requests", words: (most) => `${number(most)} requests per minute` },
  { limit: ({ rpd }) => rpd, window: "day", of: "requests", words: (most) => `${number(most)} requests per day` },
  { limit: ({ tpm }) => tpm, window: "minute", of: "tokens", words: (most) => `${number(most)} tokens per minute` },
  { limit: ({ tpd }) => tpd, window: "day", of: "tokens", words: (most) => `${number(most)} tokens per day` },
  {
    limit: (settings) => settings.tokens_per_month,
    window: "month",
    of: "tokens",
    words: (most) => `${number(most)} tokens per month`,
  },
  {
    limit: (settings) => micro(settings.usd_per_day),
    window: "day",
    of: "micro",
    words: (most) => `${most / 1e6} USD per day`,
  },
  {
    limit: (settings) => micro(settings.usd_per_month),
    window: "month",
    of: "micro",
    words: (most) => `${most / 1e6} USD per month`,
  },
];

export function standings({ limits }: Pool, use: PoolUse, now: number): Standing[] {
  return dimensions.flatMap((dimension) => {
    const most = dimension.limit(limits);
    if (most === undefined) return [];
    const oldest = use.recent[0]?.at ?? now;
    const resetAt = dimension.window === "minute" ? oldest + minuteMs : boundary(dimension.window, now);
    const free = most === 0 ? 0 : Math.max(0, 1 - used(dimension, use) / most);
    return [{ limit: dimension.words(most), free, resetAt, long: dimension.window !== "minute" }];
  });
}

/** The limit that `amount` does not fit any more: of several the one that takes longest. */
export function blockedBy({ name, limits }: Pool, use: PoolUse, amount: Draw, now: number): Blocked | undefined {
  let found: Blocked | undefined;
  for (const dimension of dimensions) {
    const most = dimension.limit(limits);
    if (most === undefined || used(dimension, use) + amount[dimension.of] <= most) continue;
    const until = amount[dimension.of] > most ? undefined : roomAt(dimension, { most, use, amount, now });
    const blocked = { pool: name, limit: dimension.words(most), until };
    if (until === undefined) return blocked;
    if (found?.until === undefined || until > found.until) found = blocked;
  }
  return found;
}

const used = ({ window, of }: Dimension, use: PoolUse): number =>
  window === "minute" ? use.recent.reduce((sum, draw) => sum + draw[of], 0) : use[window][of];

interface Asked {
  most: number;
  use: PoolUse;
  amount: Draw;
  now: number;
}

function roomAt(dimension: Dimension, { most, use, amount, now }: Asked): number {
  const { window, of } = dimension;
  let rest = used(dimension, use) + amount[of];
  if (use.open[of] > 0 && rest - use.open[of] <= most) return now + lookAgainMs;
  if (window !== "minute") return boundary(window, now);
  for (const draw of use.recent) {
    rest -= draw[of];
    if (rest <= most) return draw.at + minuteMs;
  }
  return now + minuteMs;
}

/** The next day or month, UTC. */
function boundary(window: "day" | "month", now: number): number {
  const at = new Date(now);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  return window === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
}

/** Whether an arm draws from it: `provider/model`, a beginning of it with a final `*`, or all of a provider. */
export const drawsFrom = ({ limits }: Pool, arm: string): boolean =>
  limits.arms.some((pattern) =>
    pattern.endsWith("*") ? arm.startsWith(pattern.slice(0, -1)) : arm === pattern || arm.startsWith(`${pattern}/`),
  );
