// Listens to a session, and tells the router what became of the work that it chose the arm for.
import type { DecisionRow } from "../../../io/store/router.ts";
import { attributedLater, judgesItself, outcomeTraits } from "../../../model/router/reward.ts";
import type { FactOf, StopKind, StoredFact } from "../../../protocol/event.ts";
import type { RouterOutcome } from "../../../protocol/router.ts";
import type { RouterMemory } from "./memory.ts";
import { TestRuns } from "./evidence/test-runs.ts";

const stuck: readonly StopKind[] = [
  ...(["rounds", "no-progress", "repeated-call", "repeated-text"] as const),
  ...(["patch-spiral", "failing-rounds"] as const),
];

/** Whoever came to that in a task has no part in what became of it then. */
const beyondTask: readonly (RouterOutcome | undefined)[] = ["failed", "escalated"];

/** Weaker than this, an outcome says nothing about the plan that was worked by. */
const checkedRank = 2;

interface Watched {
  id: string;
  model: string;
  workspace: string;
  /** What it has seen before it was watched. */
  earlier: Iterable<StoredFact>;
}

export class OutcomeWatch {
  readonly #memory: RouterMemory;
  readonly #session: string;
  readonly #tests: TestRuns;
  #model: string;

  constructor(memory: RouterMemory, session: Watched) {
    this.#memory = memory;
    this.#session = session.id;
    this.#model = session.model;
    this.#tests = new TestRuns(session.workspace);
    for (const fact of session.earlier) this.#tests.hear(fact);
  }

  hear(fact: StoredFact): void {
    this.#tests.hear(fact);
    switch (fact.type) {
      case "turn.ended":
        return this.#ended(fact);
      case "turn.reviewed":
        return this.#judge(fact.turn, fact.kept ? "kept" : "discarded");
      case "turn.rated":
        return this.#judge(fact.turn, fact.good ? "good" : "bad");
      case "session.rewound":
        return this.#rewound(fact.turn);
      case "model.set":
        return this.#left(fact.model);
      case "task.ended":
        return this.#taskEnded(fact);
      default:
    }
  }

  #ended({ turn, stop }: FactOf<"turn.ended">): void {
    if (stuck.includes(stop.kind)) this.#judge(turn, "stuck");
    else if (stop.kind === "provider" || stop.kind === "context") this.#judge(turn, "failed");
    else if (stop.kind === "done" && this.#tests.outcome) this.#judge(turn, this.#tests.outcome);
  }

  /** Who answered last has done the turn's work. */
  #judge(turn: number, outcome: RouterOutcome): void {
    const all = this.#memory.decisionsOf(this.#session);
    const decision = all.find((each) => each.turn === turn && each.part !== true);
    if (!decision) return;
    // A tester's tests have to fail first.
    if (decision.mission === "tester" && (outcome === "green" || outcomeTraits[outcome].rank === checkedRank)) return;
    const later = attributedLater(decision.type);
    if (later && !judgesItself(outcome)) return;
    const counts = this.#memory.judge(decision, outcome);
    if (!counts || later || outcomeTraits[outcome].rank < checkedRank) return;
    for (const plan of plansBefore(all, decision)) this.#memory.judge(plan, outcome);
  }

  #rewound(from: number): void {
    const dropped = this.#memory.decisionsOf(this.#session).filter(({ turn }) => turn >= from);
    for (const turn of new Set(dropped.map((each) => each.turn))) this.#judge(turn, "rewound");
  }

  /** A person who names another model after an answer had reasons. */
  #left(model: string): void {
    if (model === this.#model) return;
    this.#model = model;
    const last = this.#memory.decisionsOf(this.#session)[0];
    if (last && !last.judged && last.chosen !== model && model.includes("/")) this.#judge(last.turn, "escalated");
  }

  #taskEnded({ state }: FactOf<"task.ended">): void {
    if (state === "ANSWERED" || state === "FAILED_BY_INTERRUPT") return;
    const done = state === "COMPLETE";
    for (const decision of this.#memory.decisionsOf(this.#session)) {
      if (decision.mission === undefined || beyondTask.includes(decision.judged?.outcome)) continue;
      // Who only looked around is not to blame for what was built then.
      if (!done && decision.mission === "explorer") continue;
      this.#memory.judge(decision, done ? "evidence" : "unproved");
    }
  }
}

/** Plans of the session that nobody has judged, up to the work before this one. */
function plansBefore(all: readonly DecisionRow[], built: DecisionRow): DecisionRow[] {
  const before = all.filter(({ turn }) => turn < built.turn);
  const other = before.findIndex((each) => !attributedLater(each.type) && each.judged !== undefined);
  return (other < 0 ? before : before.slice(0, other)).filter(
    (each) => attributedLater(each.type) && !each.judged && each.part !== true,
  );
}
