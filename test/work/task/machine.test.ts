// The table of states, explored in every order of events: nothing leads to COMPLETE that should not.
import { expect, test } from "vitest";
import { taskStates, type TaskRecord, type TaskStateName } from "../../../src/protocol/task.ts";
import type { InvariantName } from "../../../src/work/task/machine/invariants.ts";
import { failures, judgeStep, table } from "../../../src/work/task/machine/machine.ts";

/** What may be true at a moment. The work of a state makes it so; the world may undo it at any time. */
const made: Partial<Record<TaskStateName, InvariantName[]>> = {
  INTENT_ANALYSIS: ["intent classified", "intent only asks", "intent needs a test"],
  REPO_DISCOVERY: ["repository mapped"],
  REHEARSAL: ["checks rehearsed"],
  PLANNING: ["plan signed and frozen"],
  PROVING_GROUND: ["test failed by its subject", "test there if needed"],
  IMPLEMENTING: ["linter passed"],
  VERIFYING: ["evidence complete", "CI of this head"],
  FEEDBACK_WAIT: ["merge signed"],
  COMPLETE: ["outcome recorded"],
};
const fromTheBeginning: InvariantName[] = [
  "request given",
  "inputs unchanged",
  "base unmoved",
  "test unmodified",
  "dependencies unchanged",
  "planned files only",
];
/** What the world takes away. */
const fragile: InvariantName[] = [
  "base unmoved",
  "test unmodified",
  "dependencies unchanged",
  "planned files only",
  "plan signed and frozen",
  "linter passed",
  "evidence complete",
  "CI of this head",
  "merge signed",
];
const names = [...new Set([...fromTheBeginning, ...Object.values(made).flat()])];

interface Moment {
  state: TaskStateName;
  holds: ReadonlySet<InvariantName>;
}

const keyOf = ({ state, holds }: Moment): string => `${state} ${names.filter((name) => holds.has(name)).join()}`;
const terminal = (state: TaskStateName) => table[state].to.length === 0;

/** Everything that can happen next: the state does any part of its work, steps anywhere; the world takes something away. */
async function after(moment: Moment): Promise<{ next: Moment; stepped: boolean }[]> {
  const { state, holds } = moment;
  if (terminal(state)) return [];
  const found: { next: Moment; stepped: boolean }[] = [];
  for (const name of made[state] ?? [])
    found.push({ next: { state, holds: new Set([...holds, name]) }, stepped: false });
  for (const name of fragile)
    if (holds.has(name))
      found.push({ next: { state, holds: new Set([...holds].filter((each) => each !== name)) }, stepped: false });
  for (const to of [...table[state].to, ...failures]) {
    const step = await judgeStep({ state } as TaskRecord, { to, detail: "" }, async (name) =>
      holds.has(name) ? undefined : `not: ${name}`,
    );
    found.push({ next: { state: step.to, holds }, stepped: true });
  }
  return found;
}

test("no order of events leads to COMPLETE without a signature, complete evidence, CI of this head and an unmoved base", {
  timeout: 120_000,
}, async () => {
  const first: Moment = { state: "INTENT_ANALYSIS", holds: new Set(fromTheBeginning) };
  const seen = new Set([keyOf(first)]);
  const open = [first];
  let completed = 0;
  for (let moment = open.pop(); moment !== undefined; moment = open.pop()) {
    for (const { next, stepped } of await after(moment)) {
      if (stepped && next.state === "COMPLETE" && moment.state !== "COMPLETE") {
        completed += 1;
        for (const name of ["merge signed", "evidence complete", "CI of this head", "base unmoved"] as const)
          expect(next.holds.has(name), `${keyOf(moment)} -> COMPLETE`).toBe(true);
        expect(moment.state).toBe("FEEDBACK_WAIT");
      }
      if (seen.has(keyOf(next))) continue;
      seen.add(keyOf(next));
      open.push(next);
    }
  }
  expect(completed).toBeGreaterThan(0);
  expect(seen.size).toBeGreaterThan(5_000);
});

test("what is violated is named, a moved base as FAILED_BY_STALE; an edge that is not there is a bug", async () => {
  const task = { state: "FEEDBACK_WAIT" } as TaskRecord;
  const without = (missing: InvariantName) => async (name: InvariantName) =>
    name === missing ? "it is not so" : undefined;
  expect(await judgeStep(task, { to: "COMPLETE", detail: "" }, without("base unmoved"))).toEqual({
    to: "FAILED_BY_STALE",
    detail: "it is not so (base unmoved).",
  });
  expect(await judgeStep(task, { to: "COMPLETE", detail: "" }, without("merge signed"))).toMatchObject({
    to: "FAILED",
  });
  await expect(judgeStep(task, { to: "REHEARSAL", detail: "" }, without("merge signed"))).rejects.toThrow("never goes");
});

test("every state is in the table, those that end lead nowhere, and no state but them may be left without what follows", () => {
  expect(Object.keys(table)).toEqual([...taskStates]);
  for (const state of taskStates) {
    if (state === "ANSWERED" || state.startsWith("FAILED")) expect(table[state].to).toEqual([]);
    else expect(table[state].exit.length).toBeGreaterThan(0);
  }
});

test("every way to COMPLETE leads through plan, work, verification and approval; no work is begun on a plan that is not signed", () => {
  const reached = (without?: TaskStateName) => {
    const found = new Set<TaskStateName>(["INTENT_ANALYSIS"]);
    for (const state of found) for (const to of table[state].to) if (to !== without) found.add(to);
    return found.has("COMPLETE");
  };
  expect(reached()).toBe(true);
  for (const state of [
    "REPO_DISCOVERY",
    "REHEARSAL",
    "PLANNING",
    "IMPLEMENTING",
    "VERIFYING",
    "FEEDBACK_WAIT",
  ] as const)
    expect(reached(state), state).toBe(false);
  // Also where work is sent back, of which the exit invariants are not asked.
  for (const state of ["PROVING_GROUND", "IMPLEMENTING", "VERIFYING"] as const)
    expect(table[state].entry).toContain("plan signed and frozen");
});

test("another plan and another signature may be wanted from every state that works, and lead to nothing but them", async () => {
  const nothing = async () => undefined;
  for (const state of ["PROVING_GROUND", "IMPLEMENTING", "VERIFYING", "FEEDBACK_WAIT"] as const)
    expect((await judgeStep({ state } as TaskRecord, { to: "PLANNING", detail: "" }, nothing)).to).toBe("PLANNING");
  const asked: InvariantName[] = [];
  const again = await judgeStep(
    { state: "COMPLETE" } as TaskRecord,
    { to: "FEEDBACK_WAIT", detail: "" },
    async (name) => {
      asked.push(name);
      return undefined;
    },
  );
  expect([again.to, asked]).toEqual(["FEEDBACK_WAIT", table.FEEDBACK_WAIT.entry]);
  expect(table.PLANNING.exit).toContain("plan signed and frozen");
  expect(table.FEEDBACK_WAIT.exit).toContain("merge signed");
});

test("what is sent back needs no evidence, and still its plan and its test", async () => {
  for (const state of ["VERIFYING", "FEEDBACK_WAIT"] as const) {
    const asked: InvariantName[] = [];
    const step = await judgeStep({ state } as TaskRecord, { to: "IMPLEMENTING", detail: "" }, async (name) => {
      asked.push(name);
      return undefined;
    });
    expect([step.to, asked]).toEqual(["IMPLEMENTING", table.IMPLEMENTING.entry]);
  }
});

const edges = taskStates.flatMap((from) => table[from].to.map((to) => [from, to] as const));

test.each(edges)("from %s to %s: each invariant that it asks for, broken by itself, stops it", async (from, to) => {
  const asked = new Set<InvariantName>();
  const step = (check: (name: InvariantName) => string | undefined) =>
    judgeStep({ state: from } as TaskRecord, { to, detail: "" }, async (name) => check(name));
  const free = await step((name) => void asked.add(name));
  expect(free.to).toBe(to);
  // Only back to the plan, which is signed anew, nothing but what was seen of the repository is asked for.
  expect(asked.size).toBeGreaterThan(0);
  for (const broken of asked) {
    const stopped = await step((name) => (name === broken ? "it is not so" : undefined));
    const stale = broken === "base unmoved" || broken === "inputs unchanged";
    expect(stopped).toEqual({ to: stale ? "FAILED_BY_STALE" : "FAILED", detail: `it is not so (${broken}).` });
  }
});
