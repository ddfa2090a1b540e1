// What was learned, and what is learned from here on. Incognito reads and writes nothing; a store that cannot be used is told.
import path from "node:path";
import { Fault } from "../../../base/fault.ts";
import { type CountsRow, type DecisionRow, openRouterStore, type RouterStore } from "../../../io/store/router.ts";
import { counted, elsewhereOf, faded, nothingSeen, type Seen, takenBack } from "../../../model/router/posterior.ts";
import type { Candidate } from "../../../model/router/candidate.ts";
import { usualQuality } from "../../../model/router/heuristic.ts";
import { replaces, rewardOf } from "../../../model/router/reward.ts";
import type { RouterOutcome, StrategyName, TaskType } from "../../../protocol/router.ts";
import type { Program } from "../../program/program.ts";

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

  /** Of each arm in a kind of work, and what it did elsewhere. */
  seenArms(type: TaskType, candidates: readonly Candidate[]): (arm: string) => Seen {
    const rows = this.#faded("arm");
    return (arm) => {
      const candidate = candidates.find((each) => each.arm === arm);
      const own = rows.filter(({ key }) => key === arm);
      const others = own.filter((row) => row.type !== type);
      const expected = (row: CountsRow) => (candidate ? usualQuality(candidate, row.type) : 0.5);
      const elsewhere = elsewhereOf(others.map((row) => ({ good: row.good, bad: row.bad, expected: expected(row) })));
      const { good, bad } = own.find((row) => row.type === type) ?? nothingSeen;
      return { good, bad, elsewhere };
    };
  }

  seenStrategies(type: TaskType): (strategy: StrategyName) => Seen {
    const rows = this.#faded("strategy").filter((row) => row.type === type);
    return (strategy) => rows.find(({ key }) => key === strategy) ?? nothingSeen;
  }

  #faded(kind: CountsRow["kind"]): CountsRow[] {
    const rows = this.#with((store) => {
      const now = { at: Date.now(), round: store.rounds() };
      return store.counts().flatMap((row) => (row.kind === kind ? [{ ...row, ...faded(row, now) }] : []));
    });
    return rows ?? [];
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
  const round = store.rounds() + (before ? 0 : 1);
  const now = { at: Date.now(), round };
  const reward = rewardOf(outcome);
  const keys: [CountsRow["kind"], string][] = [
    ["arm", decision.chosen],
    ["strategy", decision.strategy satisfies StrategyName],
  ];
  for (const [kind, key] of decision.part === true ? keys.slice(0, 1) : keys) {
    const known = store.countsOf({ kind, key, type }) ?? { ...nothingSeen, ...now };
    const corrected = before ? takenBack(known, { ...before, then: before }, now) : known;
    const { good, bad, n, at } = counted(corrected, reward, now);
    store.putCounts({ kind, key, type, good, bad, n, at, round, outcome });
  }
  store.setRounds(round);
  store.putDecision({ ...decision, judged: { outcome, ...reward, ...now } });
  return true;
}
