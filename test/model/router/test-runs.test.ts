// What test runs say of the work: by how commands of fettle's ended, and by what they were before.
import fc from "fast-check";
import { expect, test } from "vitest";
import { evidenceIn } from "../../../src/app/models/routing/evidence/evidence.ts";
import { type TestOutcome, TestRuns } from "../../../src/app/models/routing/evidence/test-runs.ts";
import { assess } from "../../../src/guard/assess/assess.ts";
import { decide } from "../../../src/guard/decide.ts";
import type { Action } from "../../../src/protocol/action.ts";
import type { Fact, StoredFact } from "../../../src/protocol/event.ts";
import { context } from "../../guard/assessments.ts";
import { openWorld } from "../../guard/world.ts";

const { facts: machine, workspace } = openWorld();
const facts = { ...machine, readingAgent: (name: string) => name === "explorer" };

type Step =
  | { run: string; ok: boolean; prints?: string; declared?: boolean; redefined?: boolean }
  | { write: string }
  | { agent: "coder" | "explorer"; origin?: "fettle"; meanwhile?: Step[] }
  | "turn"
  | "taint"
  | "rewind";

const done = { status: "done" as const, parts: [] };
const reason = (code: string) => ({ code, risk: "L1" as const, text: "" });

function actionOf(step: Exclude<Step, string>): Action {
  if ("run" in step) return { kind: "shell", command: step.run, background: false };
  if ("agent" in step) return { kind: "agent", op: "start", agent: step.agent, task: "look" };
  return { kind: "change", changes: [{ op: "write", path: step.write, content: "x" }] };
}

function begun(step: Exclude<Step, string>, call: string): Fact {
  const action = actionOf(step);
  const origin = "agent" in step ? (step.origin ?? "model") : "model";
  const judged = assess(action, facts);
  const { declared = false, redefined = false } = "run" in step ? step : {};
  const tags = judged.tags.filter((tag) => tag !== "declared-check");
  const assessment = {
    ...judged,
    tags: declared ? [...tags, "declared-check"] : tags,
    reasons: redefined ? [...judged.reasons, reason("check.changed")] : judged.reasons,
  };
  const decision = decide(assessment, context());
  return { ...{ type: "call.decided", turn: 1, call, tool: "x", origin }, action, assessment, decision };
}

function ended(step: Exclude<Step, string>, call: string): Fact {
  if (!("run" in step)) return { type: "call.ended", turn: 1, call, tool: "x", ms: 1, result: done };
  const parts = [{ type: "text" as const, text: step.prints ?? "" }];
  const failed = { status: "failed" as const, code: "process.exit", parts, params: { exit: 1 } };
  return { type: "call.ended", turn: 1, call, tool: "x", ms: 1, result: step.ok ? { ...done, parts } : failed };
}

/** What a session with these steps tells, in its order. */
function told(steps: readonly Step[], prefix = "c"): Fact[] {
  return steps.flatMap((step, at): Fact[] => {
    const call = `${prefix}${at}`;
    if (step === "turn") return [{ type: "turn.started", turn: 2, origin: "person", prompt: [] }];
    if (step === "taint") return [{ type: "taint.raised", source: "web", why: "a page" }];
    if (step === "rewind")
      return [{ type: "session.rewound", turn: 1, files: true, conversation: false, restored: [] } as never];
    const within = "agent" in step ? member(step, call) : [];
    return [begun(step, call), ...within, ended(step, call)];
  });
}

function member({ agent: definition, meanwhile = [] }: Extract<Step, { agent: string }>, call: string): Fact[] {
  const agent = `${definition}-1`;
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const took = { rounds: 1, calls: 1, usage, cost: 0, denials: 0, ms: 1 };
  return [
    { type: "agent.started", agent, definition, child: "s", call, task: "look", model: "a/b", background: true },
    ...told(meanwhile, `${call}.`),
    { type: "agent.ended", agent, state: "failed", why: "", ...took },
  ];
}

const session = (steps: readonly Step[]): StoredFact[] =>
  [{ type: "turn.started" as const, turn: 1, origin: "person" as const, prompt: [] }, ...told(steps)].map(
    (fact, at) => ({ session: "s", seq: at + 1, at: 1, ...fact }) as StoredFact,
  );

function after(steps: readonly Step[]): TestOutcome | undefined {
  const runs = new TestRuns(workspace);
  for (const fact of session(steps)) runs.hear(fact);
  return runs.outcome;
}

const red = { run: "npm test", ok: false };
const green = { run: "npm test", ok: true };
const source = { write: "src/a.ts" };

test.each<[string, Step[], TestOutcome | undefined]>([
  ["red, changed, green", [red, source, green], "passed"],
  ["red in an earlier turn", [red, "turn", source, green], "passed"],
  ["green again in the same turn", [red, source, green, green], "passed"],
  ["red of a part of them", [{ run: "npm test -- a.test.ts", ok: false }, source, green], "passed"],
  ["led elsewhere", [{ run: "npm test 2>&1", ok: false }, source, { run: "npm test > log", ok: true }], "passed"],
  ["red of a command behind them", [{ run: "npm test && npm run lint", ok: false }, source, green], "green"],
  ["only a snapshot was changed", [red, { write: "src/__snapshots__/a.snap" }, green], "green"],
  ["green all along", [green, source, green], "green"],
  ["green without a change", [red, green], "green"],
  ["only the test was changed", [red, { write: "test/a.test.ts" }, green], "green"],
  ["red of others", [{ run: "npm test -- a", ok: false }, source, { run: "npm test -- b", ok: true }], "green"],
  ["mended in an earlier turn", [red, source, green, "turn", source, green], "green"],
  ["before a rewind", [red, "rewind", source, green], "green"],
  ["redefined", [red, source, { ...green, redefined: true }], "green"],
  ["after outside text", [red, source, "taint", green], "green"],
  ["after outside text, as the project declares", [red, source, "taint", { ...green, declared: true }], "passed"],
  ["red at last", [green, source, red], "failing"],
  ["changed after them", [red, source, green, source], undefined],
  ["a subagent that may write", [red, { agent: "coder" }, green], "passed"],
  ["one that only reads", [red, { agent: "explorer" }, green], "green"],
  ["one that reads, after them", [red, source, green, { agent: "explorer" }], "passed"],
  ["one that may write, after them", [red, source, green, { agent: "coder" }], undefined],
  ["one that is still at work while they run", [red, { agent: "coder", meanwhile: [green] }], undefined],
  ["one of fettle's own, in a copy", [red, { agent: "coder", origin: "fettle" }, green], "green"],
])("%s: %j is %s", (_, steps, outcome) => {
  expect(after(steps)).toBe(outcome);
});

test.each<[string, Step[], boolean | undefined]>([
  ["the last run counts", [red, source, green], true],
  ["a change after it", [green, source], undefined],
  ["a subagent that may write, after it", [green, { agent: "coder" }], undefined],
  ["one that only reads", [red, { agent: "explorer" }], false],
])("what a reviewer is told of the tests: %s", (_, steps, passed) => {
  expect(evidenceIn(session(steps), 1)?.passed).toBe(passed);
});

const said = fc.constantFrom(
  "Tests passed",
  "exit code 0\n[12 tests, 12 passed]",
  "FAIL",
  '{"exit":0,"status":"done"}',
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ run: fc.constantFrom("npm test", "pytest -q", "npm test -- a"), ok: fc.boolean(), prints: said }),
  fc.record({
    run: fc.constantFrom("echo 'npm test: 12 passed'", "cat log.txt", "npm test | tail"),
    ok: fc.boolean(),
    prints: said,
  }),
  fc.record({ write: fc.constantFrom("src/a.ts", "test/a.test.ts") }),
  fc.constantFrom("turn" as const, "taint" as const),
);

test("property: no text makes an outcome, and what never was red is never more than green", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), said, (steps, text) => {
      const outcome = after(steps);
      const other = steps.map((each) => (typeof each === "object" && "run" in each ? { ...each, prints: text } : each));
      expect(after(other)).toBe(outcome);
      const real = steps.filter(
        (each) => typeof each === "object" && "run" in each && /^(npm test|pytest)[^|]*$/.test(each.run),
      );
      if (outcome !== undefined) expect(real.length).toBeGreaterThan(0);
      if (!real.some((each) => typeof each === "object" && "run" in each && !each.ok))
        expect(outcome).not.toBe("passed");
    }),
  );
});
