// How much of a model's window is used for what. All from the window's size, so that it is the same in every process.

/** What a person can set, in tokens. */
export interface ContextSettings {
  /** Tool results that stay in full; older ones become a line each. 0: all stay. */
  recentResults: number;
  /** Files that are read again after a compaction. 0: none. */
  restored: number;
  /** Whether the model hears, too, that little of its window is left. */
  tellModel?: boolean;
}

/** In tokens. */
export interface WindowLimits {
  window: number;
  /** Compact when less than this is left. */
  reserve: number;
  /** Say so when less than this is left. */
  warn: number;
  /** Older tool results are masked down to `low` when there are more than `high`. */
  results: { low: number; high: number };
  /** All results of one round; what is more of each becomes its head and tail. */
  round: number;
  /** What of the newest messages stays as it is. */
  tail: number;
  /** The person's own words in what is left out. */
  words: number;
  files: { all: number; each: number };
}

/** Bytes of most texts. Wherever the same result is needed every time, this is reckoned with and not what was measured. */
export const bytesPerToken = 4;

const leastReserve = 13_000;
const shares = { reserve: 0.25, warn: 0.35, results: 0.12, round: 0.3, tail: 0.15, overflowTail: 0.08, words: 0.08 };
/**
 * A step of masking costs what is left of the cached prefix once, and makes every later request smaller. With prices of a
 * tenth for what is cached and five quarters for what is written to the cache, three comes cheapest for results of usual size.
 */
const stepFactor = 3;
const mostWords = 8_000;
const eachFile = 5_000;

/** Of a window below 26,000 tokens half is reserved at most: 13,000 would leave no room to work in. */
export function windowLimits(window: number, { recentResults, restored }: ContextSettings): WindowLimits {
  const share = (part: number): number => Math.floor(window * part);
  const reserve = Math.min(Math.max(share(shares.reserve), leastReserve), share(0.5));
  const low = recentResults === 0 ? Number.POSITIVE_INFINITY : Math.min(recentResults, share(shares.results));
  const all = Math.min(restored, share(0.1));
  return {
    ...{ window, reserve },
    warn: Math.max(share(shares.warn), reserve + share(0.05)),
    results: { low, high: low * stepFactor },
    round: share(shares.round),
    tail: share(shares.tail),
    words: Math.min(mostWords, share(shares.words)),
    files: { all, each: Math.min(eachFile, all) },
  };
}

/** After a server refused a request as too long nobody knows how long it may be: less of the end stays. */
export const overflowTail = ({ window }: WindowLimits): number => Math.floor(window * shares.overflowTail);
