// A tree of money. What is spent below a node counts against it, and what may be spent is held before it is, so that
// whatever runs at the same time, nothing below exceeds what is above.

export type BudgetKind = "month" | "day" | "session" | "phase" | "task" | "wave" | "subagent";

/** Micro-dollars; undefined is no limit. A function is asked at each reservation: a policy may lower it meanwhile. */
type BudgetLimit = number | undefined | (() => number | undefined);

interface BudgetPlace {
  kind: BudgetKind;
  id: string;
}

/** The node that has no more than `left` micro-dollars. */
export interface Refusal {
  refused: BudgetPlace;
  left: number;
}

/** Money that is held until it is spent or given back. */
export interface Reservation {
  /** Micro-dollars that are held now. */
  readonly held: number;
  /** Holds `bound` altogether; a refusal changes nothing. */
  grow(bound: number): Refusal | undefined;
  /** A part of it was spent, or more than all of it; the rest stays held. */
  spend(actual: number): void;
  /** What it has really cost; the rest is given back. Once only, as `release`. */
  commit(actual: number): void;
  release(): void;
}

export interface BudgetNode extends BudgetPlace {
  /** The least that is left of this node and of all above it, in micro-dollars; infinite where nothing limits. */
  left(): number;
  /** Whether this node or one above it has a limit. */
  limited(): boolean;
  /** Whether all limits that hold here are fettle's own defaults: an unknown price is told then, and not refused. */
  usual(): boolean;
  /** Spent below this node. */
  spent(): number;
  /**
   * A session and a task draw from above call by call. For a wave or a subagent with a limit as much of it as there is
   * left is set aside at once, until `close`.
   */
  child(kind: BudgetKind, id: string, limit: BudgetLimit, spentBefore?: number): BudgetNode;
  reserve(bound: number): Reservation | Refusal;
  /** Gives back what is set aside for it and was not spent. */
  close(): void;
}

/** What all processes of the user share: month and day. Everything in micro-dollars. */
export interface SharedMoney {
  limited(): boolean;
  /** True while no money limit was set by anybody: those in force are fettle's own defaults. */
  usual?(): boolean;
  left(): number;
  /** Holds `more` than now, in one step with looking whether there is as much; less than nothing gives back. */
  hold(more: number): Refusal | undefined;
}

export const isRefusal = (answer: Reservation | Refusal): answer is Refusal => "refused" in answer;

const asked = (limit: BudgetLimit): number | undefined => (typeof limit === "function" ? limit() : limit);

/** What a node draws from: the node above, or what was set aside of it. */
interface Source {
  limited(): boolean;
  usual(): boolean;
  left(): number;
  reserve(bound: number): Reservation | Refusal;
  close(): void;
}

class Node implements BudgetNode {
  readonly kind: BudgetKind;
  readonly id: string;
  readonly #limit: BudgetLimit;
  readonly #above: Source;
  #spent: number;
  #held = 0;

  constructor(place: BudgetPlace, limit: BudgetLimit, above: Source, spentBefore: number) {
    this.kind = place.kind;
    this.id = place.id;
    this.#limit = limit;
    this.#above = above;
    this.#spent = spentBefore;
  }

  left(): number {
    return Math.max(0, Math.min(this.#own(), this.#above.left()));
  }

  limited(): boolean {
    return asked(this.#limit) !== undefined || this.#above.limited();
  }

  usual(): boolean {
    const own = this.kind !== "session" && asked(this.#limit) !== undefined;
    return !own && this.#above.usual();
  }

  spent(): number {
    return this.#spent;
  }

  child(kind: BudgetKind, id: string, limit: BudgetLimit, spentBefore = 0): BudgetNode {
    const aside = kind === "wave" || kind === "subagent" ? asked(limit) : undefined;
    const above = aside === undefined ? this.#source() : setAside(this, Math.max(0, aside - spentBefore));
    return new Node({ kind, id }, limit, above, spentBefore);
  }

  reserve(bound: number): Reservation | Refusal {
    const short = this.#short(bound);
    if (short) return short;
    const above = this.#above.reserve(bound);
    if (isRefusal(above)) return above;
    this.#held += bound;
    return this.#reservation(above);
  }

  close(): void {
    this.#above.close();
  }

  #own(): number {
    const limit = asked(this.#limit);
    return limit === undefined ? Number.POSITIVE_INFINITY : limit - this.#spent - this.#held;
  }

  #short(more: number): Refusal | undefined {
    const left = this.#own();
    // Nothing is always there to be had, unless a limit was lowered below what is gone.
    return more > left ? { refused: { kind: this.kind, id: this.id }, left: Math.max(0, left) } : undefined;
  }

  #source(): Source {
    return {
      limited: () => this.limited(),
      usual: () => this.usual(),
      left: () => this.left(),
      reserve: (bound) => this.reserve(bound),
      close: () => undefined,
    };
  }

  #reservation(above: Reservation): Reservation {
    const hold = (held: number): void => {
      this.#held += held - above.held;
    };
    const spend = (actual: number): void => {
      const rest = Math.max(0, above.held - actual);
      hold(rest);
      this.#spent += actual;
      above.spend(actual);
    };
    const release = (): void => {
      hold(0);
      above.release();
    };
    return {
      get held() {
        return above.held;
      },
      grow: (bound) => {
        const short = this.#short(bound - above.held);
        if (short) return short;
        const before = above.held;
        const refused = above.grow(bound);
        if (!refused) this.#held += bound - before;
        return refused;
      },
      spend,
      commit: (actual) => {
        spend(actual);
        release();
      },
      release,
    };
  }
}

/** Of what a parent has, up to `wanted` is held for one child, whatever its siblings do meanwhile. */
function setAside(parent: BudgetNode, wanted: number): Source {
  let got = parent.reserve(wanted);
  let short: Refusal | undefined;
  // Another process may take of it in between.
  for (let tries = 0; isRefusal(got) && tries < 3; tries += 1) {
    short = got;
    got = parent.reserve(got.left);
  }
  if (isRefusal(got)) return closedSource(got);
  const whole = got;
  let used = 0;
  const left = (): number => whole.held - used;
  return {
    limited: () => true,
    usual: () => false,
    left: () => Math.max(0, Math.min(left(), parent.left() + whole.held)),
    reserve(bound) {
      // What is above may have been lowered below what is gone since this was set aside.
      const above = parent.reserve(0);
      if (isRefusal(above)) return above;
      if (bound > left()) return { refused: short?.refused ?? { kind: parent.kind, id: parent.id }, left: left() };
      used += bound;
      let held = bound;
      const hold = (next: number): void => {
        used += next - held;
        held = next;
      };
      const spend = (actual: number): void => {
        hold(Math.max(0, held - actual));
        whole.spend(actual);
      };
      return {
        get held() {
          return held;
        },
        grow: (next) => {
          if (next - held > left()) return { refused: { kind: parent.kind, id: parent.id }, left: left() };
          hold(next);
          return undefined;
        },
        spend,
        commit: (actual) => {
          spend(actual);
          hold(0);
        },
        release: () => hold(0),
      };
    },
    close: () => whole.release(),
  };
}

const closedSource = (refusal: Refusal): Source => ({
  limited: () => true,
  usual: () => false,
  left: () => 0,
  reserve: (bound) => (bound > 0 ? refusal : nothing()),
  close: () => undefined,
});

const nothing = (): Reservation => ({
  held: 0,
  grow: () => undefined,
  spend: () => undefined,
  commit: () => undefined,
  release: () => undefined,
});

/** The top of a process's tree, below which sessions stand: the day, and the month around it. */
export function openBudget(shared: SharedMoney): BudgetNode {
  const source: Source = {
    limited: () => shared.limited(),
    usual: () => shared.usual?.() === true,
    left: () => shared.left(),
    reserve(bound) {
      const refused = bound > 0 ? shared.hold(bound) : undefined;
      if (refused) return refused;
      let held = bound;
      const hold = (next: number): Refusal | undefined => {
        if (next === held) return undefined;
        const short = shared.hold(next - held);
        if (!short) held = next;
        return short;
      };
      const spend = (actual: number): void => void hold(Math.max(0, held - actual));
      return {
        get held() {
          return held;
        },
        grow: hold,
        spend,
        commit: () => void hold(0),
        release: () => void hold(0),
      };
    },
    close: () => undefined,
  };
  return new Node({ kind: "day", id: "today" }, undefined, source, 0);
}
