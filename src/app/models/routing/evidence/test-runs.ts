// What the test runs of a session say of the work that was done in it. Only commands that fettle ran count, by how they
// ended: never by what they printed, and never by what anybody says of tests.
import type { Action } from "../../../../protocol/action.ts";
import type { FactOf, StoredFact } from "../../../../protocol/event.ts";
import { type Change, ChangedFiles } from "./changed-files.ts";
import { commandOf, runsTests, testsPassed } from "./test-commands.ts";

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
  readonly #files = new ChangedFiles();
  readonly #red = new Map<string, Red>();
  readonly #workspace: string;
  #tainted = false;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  hear(fact: StoredFact): void {
    const change = this.#files.hear(fact);
    if (change) this.#changed(change);
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
    this.outcome = undefined;
    for (const [command, { green }] of this.#red) if (green) this.#red.delete(command);
  }

  /** What red tests turn green by when nothing but they were changed says nothing of the work. */
  #changed({ paths }: Change): void {
    this.outcome = undefined;
    if (paths?.every((each) => this.#isTest(each))) return;
    for (const red of this.#red.values()) red.changed = true;
  }

  #isTest(target: string): boolean {
    const within = target.startsWith(`${this.#workspace}/`) ? target.slice(this.#workspace.length + 1) : target;
    return testFile.test(within);
  }

  #decided(fact: FactOf<"call.decided">): void {
    if (!runsTests(fact)) return;
    const { call, action, assessment } = fact;
    const declared = assessment?.tags.includes("declared-check") === true;
    const redefined = assessment?.reasons.some(({ code }) => code === "check.changed") === true;
    this.#runs.set(call, { command: plainCommand(action), doubtful: redefined || (this.#tainted && !declared) });
  }

  #ended({ call, result }: FactOf<"call.ended">): void {
    const run = this.#runs.get(call);
    if (!run) return;
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
