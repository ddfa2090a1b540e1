// How long a task works: per state and in all. The clock stands still while a person is awaited.
export interface ClockLimits {
  stateMs: number;
  capMs: number;
}

export class TaskClock {
  readonly #limits: ClockLimits;
  readonly #now: () => number;
  readonly #over: (what: "state" | "task", limitMs: number) => void;
  #spentBefore: number;
  #spentInState = 0;
  #runningSince: number | undefined;
  #waiting = 0;
  #stateMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    limits: ClockLimits,
    spentMs: number,
    now: () => number,
    over: (what: "state" | "task", limitMs: number) => void,
  ) {
    this.#limits = limits;
    this.#stateMs = limits.stateMs;
    this.#now = now;
    this.#over = over;
    this.#spentBefore = spentMs;
  }

  get spentMs(): number {
    return Math.round(this.#spentBefore + this.#spentInState + this.#since());
  }

  /** `stateMs`: longer than usual, for what is known to take long. */
  enterState(stateMs = this.#limits.stateMs): void {
    this.#stateMs = stateMs;
    this.#hold();
    this.#spentBefore += this.#spentInState;
    this.#spentInState = 0;
    if (this.#waiting === 0) this.#start();
  }

  /** Room for something that may take this long, as far as the task's own time allows. What was added; 0: it fits. */
  reserve(ms: number): number {
    const before = this.#stateMs;
    const left = this.#limits.capMs - this.#spentBefore;
    this.#stateMs = Math.max(before, Math.min(left, this.#spentInState + this.#since() + ms));
    if (this.#stateMs > before && this.#waiting === 0) this.#start();
    return this.#stateMs - before;
  }

  /** A person is awaited; several may be at once. */
  wait(): void {
    this.#waiting += 1;
    this.#hold();
  }

  goOn(): void {
    this.#waiting = Math.max(0, this.#waiting - 1);
    if (this.#waiting === 0) this.#start();
  }

  stop(): void {
    this.#hold();
  }

  #since(): number {
    return this.#runningSince === undefined ? 0 : Math.max(0, this.#now() - this.#runningSince);
  }

  #hold(): void {
    clearTimeout(this.#timer);
    this.#spentInState += this.#since();
    this.#runningSince = undefined;
  }

  #start(): void {
    this.#hold();
    this.#runningSince = this.#now();
    const inState = this.#stateMs - this.#spentInState;
    const inAll = this.#limits.capMs - this.#spentBefore - this.#spentInState;
    const what = inAll < inState ? "task" : "state";
    const limit = what === "task" ? this.#limits.capMs : this.#stateMs;
    this.#timer = setTimeout(() => this.#over(what, limit), Math.max(0, Math.min(inState, inAll, 2 ** 31 - 1)));
    this.#timer.unref();
  }
}
