// What was learned, and what is learned from here on. Incognito reads and writes nothing; a store that cannot be used is told.
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { type CountsRow, type DecisionRow, openRouterStore, type RouterStore } from "../../io/store/router.ts";
import { counted, faded, nothingSeen, takenBack } from "../../model/router/posterior.ts";
import { replaces, rewardOf } from "../../model/router/reward.ts";
import type { RouterOutcome, StrategyName, TaskType } from "../../protocol/router.ts";
import type { Program } from "../program.ts";

export type Seen = (key: string) => { good: number; bad: number };

const neverSeen: Seen = () => nothingSeen;

export class RouterMemory {
  readonly #program: Pick<Program, "incognito" | "places">;
  #store: RouterStore | undefined;
  /** Why it works without a store, and what was set aside. */
  readonly #notices = new Set<string>();
  #unusable = false;

  constructor(program: Pick<Program, "incognito" | "places">) {
    this.#program = program;
  }

  /** What there is to tell people that they were not told yet. */
  news(): string[] {
    const news = [...this.#notices];
    this.#notices.clear();
    return news;
  }

  /** Undefined where nothing may be, or can be, remembered. */
  store(): RouterStore | undefined {
    if (this.#program.incognito || this.#unusable) return undefined;
    this.#store ??= this.#try(() => openRouterStore(path.join(this.#program.places.state, "router.db")));
    return this.#store;
  }

  seen(kind: "arm" | "strategy", type: TaskType): Seen {
    const found = this.#with((store) => {
      const now = { at: Date.now(), round: store.rounds(type) };
      const rows = store.counts().filter((row) => row.kind === kind && row.type === type);
      return new Map(rows.map((row) => [row.key, faded(row, now)]));
    });
    return found ? (key) => found.get(key) ?? nothingSeen : neverSeen;
  }

  note(decision: DecisionRow): void {
    this.#with((store) => store.putDecision(decision));
  }

  /** Newest first. */
  decisionsOf(session: string): DecisionRow[] {
    return this.#with((store) => store.decisionsOf(session)) ?? [];
  }

  /** False when more is known of it already, or nothing can be remembered. */
  judge(decision: DecisionRow, outcome: RouterOutcome): boolean {
    return this.#with((store) => store.alone(() => judged(store, decision, outcome))) ?? false;
  }

  close(): void {
    this.#store?.close();
    this.#store = undefined;
  }

  #with<T>(work: (store: RouterStore) => T): T | undefined {
    const store = this.store();
    if (!store) return undefined;
    const answer = this.#try(() => work(store));
    for (const notice of store.notices) this.#notices.add(notice);
    return answer;
  }

  /** Choosing goes on without what was learned. */
  #try<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#unusable = true;
      this.#notices.add(`The router goes on without what it has learned: ${error.message}`);
      return undefined;
    }
  }
}

/** Inside of a transaction: another process may have judged it meanwhile. */
function judged(store: RouterStore, given: DecisionRow, outcome: RouterOutcome): boolean {
  const decision = store.decisionsOf(given.session).find(({ id }) => id === given.id) ?? given;
  const before = decision.judged;
  if (!replaces(before?.outcome, outcome)) return false;
  const { type } = decision;
  const round = store.rounds(type) + (before ? 0 : 1);
  const now = { at: Date.now(), round };
  const reward = rewardOf(outcome);
  const keys: [CountsRow["kind"], string][] = [
    ["arm", decision.chosen],
    ["strategy", decision.strategy satisfies StrategyName],
  ];
  for (const [kind, key] of keys) {
    const known = store.countsOf({ kind, key, type }) ?? { ...nothingSeen, ...now };
    const corrected = before ? takenBack(known, { ...before, then: before }, now) : known;
    const { good, bad, n, at } = counted(corrected, reward, now);
    store.putCounts({ kind, key, type, good, bad, n, at, round, outcome });
  }
  store.setRounds(type, round);
  store.putDecision({ ...decision, judged: { outcome, ...reward, ...now } });
  return true;
}
