// What the test runs of a session say of the work that was done in it. Only commands that fettle ran count, by how they
// ended: never by what they printed, and never by what anybody says of tests.
import type { Action } from "../../protocol/action.ts";
import type { FactOf, StoredFact } from "../../protocol/event.ts";
import { commandOf, runsTests, testsPassed } from "./evidence.ts";

/** `passed`: they were red before, and something was changed since. `green`: they passed, which they may always do. */
export type TestOutcome = "passed" | "green" | "failing";

interface Run {
  command: string;
  /** Whoever wrote what the session has read could have had a part in what it comes to. */
  doubtful: boolean;
}

interface Red {
  changed: boolean;
  green: boolean;
}

export class TestRuns {
  /** How the tests ended after which nothing was written any more in this turn. */
  outcome: TestOutcome | undefined;
  readonly #runs = new Map<string, Run>();
  readonly #changes = new Map<string, "files" | "tests">();
  readonly #red = new Map<string, Red>();
  readonly #workspace: string;
  #tainted = false;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  hear(fact: StoredFact): void {
    switch (fact.type) {
      case "turn.started":
        return this.#begin();
      case "taint.raised":
        this.#tainted = true;
        return;
      case "taint.cleared":
        this.#tainted = false;
        return;
      case "session.rewound":
        return this.#red.clear();
      case "call.decided":
        return this.#decided(fact);
      case "call.ended":
        return this.#ended(fact);
      default:
    }
  }

  #begin(): void {
    this.#runs.clear();
    this.#changes.clear();
    this.outcome = undefined;
    for (const [command, { green }] of this.#red) if (green) this.#red.delete(command);
  }

  #decided(fact: FactOf<"call.decided">): void {
    const { call, action, assessment } = fact;
    if (runsTests(fact)) {
      const declared = assessment?.tags.includes("declared-check") === true;
      const redefined = assessment?.reasons.some(({ code }) => code === "check.changed") === true;
      this.#runs.set(call, { command: plainCommand(action), doubtful: redefined || (this.#tainted && !declared) });
      return;
    }
    const written = writtenBy(fact, this.#workspace);
    if (written) this.#changes.set(call, written);
  }

  #ended({ call, result }: FactOf<"call.ended">): void {
    const run = this.#runs.get(call);
    if (!run) {
      const changed = this.#changes.get(call);
      if (changed === undefined || result.status !== "done") return;
      this.outcome = undefined;
      if (changed === "files") for (const red of this.#red.values()) red.changed = true;
      return;
    }
    const passed = testsPassed(result);
    if (passed === false) this.#red.set(run.command, { changed: false, green: false });
    this.outcome = passed === undefined ? undefined : passed ? this.#passed(run) : "failing";
  }

  #passed({ command, doubtful }: Run): TestOutcome {
    // Without the words that chose some of them it runs those, too.
    const mended = [...this.#red].filter(([red]) => red === command || isPartOf(red, command));
    for (const [, red] of mended) red.green = true;
    return !doubtful && mended.some(([, { changed }]) => changed) ? "passed" : "green";
  }
}

/** A further command behind it may be what had failed. */
const isPartOf = (red: string, all: string): boolean =>
  red.startsWith(`${all} `) && !red.slice(all.length).includes("&&");

const elsewhere = /\s*\d*(>>?|<)(&\d|\s*\S+)/g;

const plainCommand = (action: Action | undefined): string =>
  commandOf(action).replace(elsewhere, " ").replace(/\s+/g, " ").trim();

const testFile =
  /(^|\/)(tests?|__tests__|__snapshots__|specs?|testdata)\/|(^|\/)test_[^/]*$|[._-](test|spec)s?\.\w+$|Tests?\.\w+$/;

/** What red tests turn green by when nothing but they was changed says nothing of the work. */
function writtenBy({ action, assessment }: FactOf<"call.decided">, workspace: string): "files" | "tests" | undefined {
  if (action?.kind === "agent") return "files";
  const written = assessment?.effects.filter(({ kind }) => kind === "write" || kind === "delete") ?? [];
  if (written.length === 0) return undefined;
  const within = (target: string) => (target.startsWith(`${workspace}/`) ? target.slice(workspace.length + 1) : target);
  return written.every(({ target }) => testFile.test(within(target))) ? "tests" : "files";
}
