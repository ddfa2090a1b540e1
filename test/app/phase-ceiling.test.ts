// What a phase may cost over all its steps, also those that were killed, with the nodes that hold money in earnest.
import { realpathSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openProgram, type Program } from "../../src/app/program/program.ts";
import { PhaseCeiling, phaseCost } from "../../src/app/projects/phase-ceiling.ts";
import { createSession } from "../../src/app/record/sessions.ts";
import { isRefusal, openBudget } from "../../src/engine/budget/node.ts";
import type { Session } from "../../src/engine/session/session.ts";
import type { Fact } from "../../src/protocol/event.ts";
import { makeHome } from "../support/program.ts";

function open(): Program {
  const home = makeHome();
  const program = openProgram({ headless: true, cwd: realpathSync(home.project) }, home.env, "test");
  onTestFinished(() => {
    program.close();
    home.remove();
  });
  return program;
}

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const free = { limited: () => false, left: () => Infinity, hold: () => undefined };

/** A session whose money is held and recorded as a step's is. */
function step(program: Program, limit: number) {
  const session: Session = createSession(program, "openai/scripted", Date.now());
  const ceiling = new PhaseCeiling(program, session);
  const node = ceiling.below(openBudget(free).child("session", session.id, undefined), () => limit);
  let round = 0;
  return {
    ceiling,
    /** Whether it was let. */
    spend(cost: number): boolean {
      const held = node.reserve(cost);
      if (isRefusal(held)) {
        expect(held.refused.kind).toBe("phase");
        return false;
      }
      held.commit(cost);
      round += 1;
      this.took(cost);
      return true;
    },
    /** `cost`: null for a model whose price nobody knows. */
    took(cost: number | null): void {
      const ended = { turn: 1, round, model: "m", vendor: "v", content: [], finish: "stop", usage, cost };
      session.append({ type: "round.ended", ...ended } as unknown as Fact);
    },
  };
}

test("all steps of a phase draw from one sum, and each phase from its own", async () => {
  const program = open();
  const plan = step(program, 100);
  const leave = await plan.ceiling.enter("3");
  expect([plan.spend(60), plan.spend(60), plan.spend(30)]).toEqual([true, false, true]);
  await leave();
  expect(phaseCost(program, "3")).toBe(90);
  const killed = step(program, 100);
  await killed.ceiling.enter("3");
  expect([killed.spend(5), killed.spend(6)]).toEqual([true, false]);
  // It never left.
  const after = step(program, 100);
  const out = await after.ceiling.enter("3");
  expect([phaseCost(program, "3"), after.spend(6), after.spend(5)]).toEqual([95, false, true]);
  await out();
  expect(phaseCost(program, "3")).toBe(100);
  const auto = step(program, 100);
  for (const phase of ["4", "4.1", "PROJ-05"]) {
    const done = await auto.ceiling.enter(phase);
    expect([phase, auto.spend(80), auto.spend(30)]).toEqual([phase, true, false]);
    await done();
  }
  // Between phases, and for what is none, nothing limits.
  expect(auto.spend(1_000)).toBe(true);
  await auto.ceiling.enter("project");
  expect(auto.spend(1_000)).toBe(true);
  expect(["4", "4.1", "PROJ-05", "project", "5"].map((phase) => phaseCost(program, phase))).toEqual([80, 80, 80, 0, 0]);
});

test("a round without a price takes nothing away from what has one", async () => {
  const program = open();
  const plan = step(program, 100);
  const leave = await plan.ceiling.enter("3");
  expect(plan.spend(90)).toBe(true);
  plan.took(null);
  await leave();
  expect(phaseCost(program, "3")).toBe(90);
});
