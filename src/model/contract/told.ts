// What a provider says of its own limits in the headers of its answers.

interface ToldLimit {
  limit: number;
  remaining: number;
  /** ms since 1970. */
  resetAt: number;
}
export interface Told {
  at: number;
  requests?: ToldLimit;
  /** Of several kinds of tokens the scarcest. */
  tokens?: ToldLimit;
  /** Not before then, says the answer to a request that was refused. */
  retryAt?: number;
}

type Get = (header: string) => string | null | undefined;
type Names = readonly [limit: string, remaining: string, reset: string];

const openai = (what: string): Names => [
  `x-ratelimit-limit-${what}`,
  `x-ratelimit-remaining-${what}`,
  `x-ratelimit-reset-${what}`,
];
const anthropic = (what: string): Names => [
  `anthropic-ratelimit-${what}-limit`,
  `anthropic-ratelimit-${what}-remaining`,
  `anthropic-ratelimit-${what}-reset`,
];
const plain: Names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

const requestNames = [openai("requests"), anthropic("requests"), plain];
const tokenNames = [openai("tokens"), ...["tokens", "input-tokens", "output-tokens"].map(anthropic)];

/** Undefined when the headers say nothing of it. */
export function toldBy(get: Get, now: number): Told | undefined {
  const read = (names: readonly Names[]): ToldLimit[] => names.flatMap((each) => limitOf(each, get, now) ?? []);
  const [requests] = read(requestNames);
  const tokens = read(tokenNames).toSorted((left, right) => share(left) - share(right))[0];
  if (!requests && !tokens) return undefined;
  return { at: now, ...(requests && { requests }), ...(tokens && { tokens }) };
}

const share = ({ limit, remaining }: ToldLimit): number => remaining / limit;

function limitOf([limitName, remainingName, resetName]: Names, get: Get, now: number): ToldLimit | undefined {
  const given = get(remainingName);
  if (given == null) return undefined;
  const [remaining, limit] = [Number(given), Number(get(limitName) ?? "")];
  const resetAt = momentOf(get(resetName) ?? "", now);
  if (!Number.isFinite(remaining) || !(limit > 0) || resetAt === undefined) return undefined;
  return { limit, remaining: Math.min(limit, Math.max(0, remaining)), resetAt };
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Larger numbers of seconds are moments, not waits. */
const earliestMoment = 1e9;

/** `6m0s`, `17ms`, `12` (seconds), a moment in seconds or milliseconds since 1970, or a date. */
export function momentOf(text: string, now: number): number | undefined {
  const given = text.trim();
  if (/^\d+(\.\d+)?$/.test(given)) {
    const value = Number(given);
    if (value >= earliestMoment * 1000) return value;
    return value >= earliestMoment ? value * 1000 : now + value * 1000;
  }
  if (/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(given)) {
    const parts = given.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g);
    return [...parts].reduce((sum, [, value, unit]) => sum + Number(value) * (units[unit ?? ""] ?? 0), now);
  }
  const date = Date.parse(given);
  return Number.isFinite(date) ? date : undefined;
}

/** What providers have told so far; each adapter notes it for its own connection. */
export class ToldLimits {
  #told: Told | undefined;

  take(get: Get): void {
    this.#told = toldBy(get, Date.now()) ?? this.#told;
  }

  /** What has come since it was asked last. */
  news(): Told | undefined {
    const told = this.#told;
    this.#told = undefined;
    return told;
  }
}
