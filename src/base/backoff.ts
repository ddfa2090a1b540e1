/** How long to wait before trying again. All in ms. */
export interface Backoff {
  first: number;
  /** Of any one wait, the server's own wish included. */
  most: number;
}

/**
 * Before try `attempt` (2 is the first repetition): what the server asked for, else a doubling wait, half of it random
 * so that many clients do not return at once. `random` is in [0, 1).
 */
export function backoffDelay(backoff: Backoff, attempt: number, random: number, asked?: number): number {
  if (asked !== undefined) return Math.min(Math.max(0, asked), backoff.most);
  const full = Math.min(backoff.most, backoff.first * 2 ** (attempt - 2));
  return Math.round(full / 2 + (full / 2) * random);
}
