// How long a turn may take: by the stack that it works on, longer while something is being done, never beyond the cap.

export interface ClockLimits {
  startMs: number;
  /** Nothing extends beyond it. */
  capMs: number;
}

/** Done this lately, something counts as under way: it gets as long again. */
const heartbeatMs = 5 * 60_000;
/** Room for what comes after a long command: reading its result. */
const afterwardsMs = 60_000;
/** A longer timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

export const minutes = (ms: number): string => {
  const number = Math.max(1, Math.round(ms / 60_000));
  return `${number} minute${number === 1 ? "" : "s"}`;
};

interface ClockEvents {
  over(): void;
  /** Every extension is told. */
  extended(text: string): void;
}

export class TurnClock {
  readonly #limits: ClockLimits;
  readonly #events: ClockEvents;
  readonly #started = performance.now();
  #limitMs: number;
  #stirredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: ClockLimits, events: ClockEvents) {
    this.#limits = limits;
    this.#events = events;
    this.#limitMs = Math.min(limits.startMs, limits.capMs);
    this.#wind();
  }

  /** A command begins that may take this long: the turn's end does not cut it off where the cap leaves room. */
  begins(ms: number): void {
    const needed = this.#now() + ms + afterwardsMs;
    if (needed > this.#limitMs) this.#extend(needed, "for a command that may take so long");
  }

  /** Something was done. */
  stirs(): void {
    this.#stirredAt = this.#now();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #now(): number {
    return performance.now() - this.#started;
  }

  #wind(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ring(), Math.min(longestTimerMs, Math.max(0, this.#limitMs - this.#now())));
    this.#timer.unref();
  }

  #ring(): void {
    const now = this.#now();
    if (now < this.#limitMs) this.#wind();
    else if (now - this.#stirredAt >= heartbeatMs || !this.#extend(now + heartbeatMs, "as work goes on"))
      this.#events.over();
  }

  /** False when nothing is left to give. */
  #extend(wanted: number, why: string): boolean {
    const limit = Math.min(wanted, this.#limits.capMs);
    if (limit <= this.#limitMs) return false;
    const more = limit - this.#limitMs;
    this.#limitMs = limit;
    this.#wind();
    const cap = minutes(this.#limits.capMs);
    this.#events.extended(
      `The turn may take ${minutes(more)} more, ${minutes(limit)} in all, ${why} (at most ${cap}: limits.turn_minutes).`,
    );
    return true;
  }
}
