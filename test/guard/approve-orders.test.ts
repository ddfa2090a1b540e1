// Whatever order answers, forgeries, changes, expiries and stops come in: nothing runs that was not shown and approved as it is.
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Fault } from "../../src/base/fault.ts";
import { signAnswer } from "../../src/guard/answers.ts";
import { createGate, type Gate } from "../../src/guard/gate.ts";
import { deniedKeys } from "../../src/guard/limits/session.ts";
import type { DecideContext } from "../../src/guard/contract/ports.ts";
import type { ActionOf } from "../../src/protocol/action.ts";
import type { ApprovalAnswer, ApprovalOutcome, ApprovalRequest } from "../../src/protocol/approval.ts";
import type { Fact } from "../../src/protocol/event.ts";
import { type Result, textResult } from "../../src/protocol/result.ts";
import { makeCrowd } from "../app/voters.ts";
import { context, openPolicy } from "./assessments.ts";
import { openWorld, type TestWorld } from "./world.ts";
import { draws } from "../support/draws.ts";

let world: TestWorld;
beforeAll(() => {
  world = openWorld({ sandboxEnabled: false });
});
afterAll(() => world.close());

const files = ["package.json", "Makefile"] as const;
const answers: ApprovalAnswer[] = [{ kind: "approve" }, { kind: "session" }, { kind: "deny", reason: "no" }];

/** What can happen. `back`: to the newest request, or to one before it. */
const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("call" as const),
      file: fc.constantFrom(...files),
      text: fc.constantFrom("x", "y"),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      back: fc.constantFrom(0, 0, 0, 1),
      by: fc.constantFrom("local:ada", "local:bob", "local:junior"),
      answer: fc.constantFrom(...answers, ...answers.slice(0, 2), ...answers.slice(0, 1)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("forge" as const),
      back: fc.nat(1),
      by: fc.constantFrom("local:ada", "local:eve"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      file: fc.constantFrom(...files),
      text: fc.constantFrom("1", "2"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("policy" as const, "late" as const, "plan" as const, "speak" as const, "stop" as const),
    }),
  },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

interface Shown {
  request: ApprovalRequest;
  content: string;
  policy: string;
  approvals: Set<string>;
  denied: boolean;
}

const contentOf = (file: string): string => readFileSync(world.at(file), "utf8");
type Write = ActionOf<"change">;
const fileOf = (action: Write): string => action.changes[0]?.path ?? "";

/** One run of the gate with real people, keys and store, and a record of what may run. */
class Play {
  readonly crowd = makeCrowd();
  readonly asker = this.crowd.people();
  readonly shown: Shown[] = [];
  readonly violations: string[] = [];
  readonly results: Promise<Result>[] = [];
  executed = 0;
  refused = 0;
  readonly #scheduler: fc.Scheduler;
  readonly #quorum: number;
  readonly #scopes = new Set<string>();
  readonly #settings: Partial<DecideContext> = { policy: openPolicy, denied: [] };
  readonly #controller = new AbortController();
  readonly #gate: Gate;
  #clock = 1_000_000;
  #calls = 0;

  constructor(scheduler: fc.Scheduler, quorum: number) {
    this.#scheduler = scheduler;
    this.#quorum = quorum;
    for (const file of files) writeFileSync(world.at(file), "0");
    this.#gate = createGate({
      ...{ facts: world.facts, fence: world.fence, firewall: world.firewall },
      approver: { ask: (request, signal) => this.#ask(request, signal) },
      session: {
        session: "s",
        turn: () => 1,
        context: () => context({ ...this.#settings, sessionScopes: this.#scopes, workspace: world.workspace }),
        append: (fact) => this.#remember(fact),
      },
      ledger: {
        begin: () => ({ seq: 1, hash: "h" }),
        end: () => undefined,
        deny: () => undefined,
        note: () => undefined,
        receipt: () => undefined,
      },
      clock: () => this.#clock,
      approvalTimeoutMs: () => 5_000,
      terms: { requester: "local:ada", fourEyes: false, quorum },
      preview: () => scheduler.schedule(Promise.resolve(undefined), "preview"),
      random: () => `n-${this.shown.length}`,
    });
  }

  async #ask(asked: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    const request = { ...asked, askedAt: Date.now(), expiresAt: Date.now() + 60_000 };
    const content = contentOf(fileOf(request.action as Write));
    const policy = this.#settings.policy?.version ?? "";
    this.shown.push({ request, content, policy, approvals: new Set(), denied: false });
    const outcome = await this.asker.ask(request, signal);
    // Anything may happen between an answer and the start of the effect.
    await this.#scheduler.schedule(Promise.resolve(), "answered");
    return outcome;
  }

  #remember(fact: Fact): void {
    if (fact.type !== "approval.answered") return;
    const request = this.shown.find((each) => each.request.nonce === fact.nonce)?.request;
    if (!request) return;
    if (fact.outcome.kind === "session" && request.sessionScope) this.#scopes.add(request.sessionScope);
    if (fact.outcome.kind !== "deny") return;
    this.#settings.denied = [...(this.#settings.denied ?? []), deniedKeys(request.effects)];
  }

  take(event: Happening): void {
    const target = "back" in event ? this.shown.at(-1 - event.back) : undefined;
    if (event.do === "call") this.#call(event.file, event.text);
    else if (event.do === "change") writeFileSync(world.at(event.file), event.text);
    else if (event.do === "policy") this.#settings.policy = { ...openPolicy, version: `after ${this.#clock++}` };
    else if (event.do === "late") this.#clock += 10_000;
    else if (event.do === "plan") this.#settings.ceiling = "plan";
    else if (event.do === "speak") this.#settings.denied = [];
    else if (event.do === "stop") this.#controller.abort();
    else if (target && event.do === "forge") this.#forge(target, event.by);
    else if (target && event.do === "answer") this.#answer(target, event.by, event.answer);
  }

  #call(path: string, text: string): void {
    const id = `call-${this.#calls++}`;
    const action: Write = { kind: "change", changes: [{ op: "write", path, content: text }] };
    const run = async () => {
      this.executed += 1;
      if (!this.#allowed(action)) this.violations.push(`${id} wrote ${text} to ${path} over ${contentOf(path)}`);
      writeFileSync(world.at(path), text);
      return textResult("written");
    };
    this.results.push(this.#gate.pass({ id, tool: "write", action, origin: "model" }, run, this.#controller.signal));
  }

  #allowed(action: Write): boolean {
    if (this.#settings.ceiling === "plan" || this.#controller.signal.aborted) return false;
    return this.shown.some(({ request, content, policy, approvals, denied }) => {
      if (approvals.size < this.#quorum || denied) return false;
      // For the session the file may have changed: what is bound is which file is written.
      if (this.#scopes.has(request.sessionScope ?? "")) return fileOf(request.action as Write) === fileOf(action);
      const same = JSON.stringify(request.action) === JSON.stringify(action) && content === contentOf(fileOf(action));
      return same && policy === this.#settings.policy?.version;
    });
  }

  #forge({ request }: Shown, by: string): void {
    const answer = signAnswer(request, { kind: "approve" }, { by, at: 1, key: this.crowd.signer("local:eve") });
    this.crowd.store.addAnswer(request.nonce, () => answer);
  }

  #answer(target: Shown, by: string, answer: ApprovalAnswer): void {
    try {
      this.asker.answer(target.request.nonce, answer, by);
      if (answer.kind === "deny") target.denied = true;
      else target.approvals.add(by);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.refused += 1;
    }
  }

  async end(): Promise<void> {
    await this.#scheduler.waitIdle();
    this.asker.leave();
    this.#controller.abort();
    await this.#scheduler.waitIdle();
    await Promise.all(this.results);
  }
}

test("no order of answers, forgeries, changes and expiries runs what was not shown and approved as it is", async () => {
  let executed = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(happening, { minLength: 6, maxLength: 20 }),
      fc.constantFrom(1, 1, 2),
      async (scheduler, story, quorum) => {
        const play = new Play(scheduler, quorum);
        scheduler.scheduleSequence(
          story.map((event, at) => ({
            label: `${at} ${event.do}`,
            builder: async () => play.take(event),
          })),
        );
        await play.end();
        expect(play.violations).toEqual([]);
        executed += play.executed;
        refused += play.refused;
      },
    ),
    { numRuns: draws(150) },
  );
  // The property says something only when things do run, and others are refused.
  expect(executed).toBeGreaterThan(draws(8));
  expect(refused).toBeGreaterThan(draws(8));
});
