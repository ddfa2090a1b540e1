import { expect, test } from "vitest";
import { Progress } from "../../src/engine/progress.ts";
import { failure, textResult } from "../../src/protocol/result.ts";

const limits = { rounds: 10, noProgressRounds: 3, failingRounds: 3, denials: 3, repeatHint: 3, repeatStop: 5 };
const call = (path: string) => ({ type: "call" as const, id: "c", name: "read", input: { path } });

test("the identical call is hinted at the third time and stopped at the fifth", () => {
  const progress = new Progress(limits);
  const seen = Array.from({ length: 5 }, () => progress.sawCall(call("a")));
  expect(seen.map((each) => each.hint)).toEqual([false, false, true, false, false]);
  expect(seen.map((each) => each.stop?.kind)).toEqual([undefined, undefined, undefined, undefined, "repeated-call"]);
});

test("another call in between breaks the streak", () => {
  const progress = new Progress(limits);
  for (const path of ["a", "a", "b", "a", "a", "b", "a", "a"])
    expect(progress.sawCall(call(path)).stop).toBeUndefined();
});

test("rounds that bring nothing new stop the turn, new results do not", () => {
  const idle = new Progress(limits);
  for (let round = 0; round < 4; round += 1) {
    expect(idle.beforeRound(0)).toBeUndefined();
    idle.sawRound([{ call: call(`f${round % 2}`), result: textResult("same") }]);
  }
  expect(idle.beforeRound(0)?.kind).toBe("no-progress");

  const busy = new Progress(limits);
  for (let round = 0; round < 8; round += 1) {
    expect(busy.beforeRound(0)).toBeUndefined();
    busy.sawRound([{ call: call("f"), result: textResult(`new ${round}`) }]);
  }
});

test("three rounds in which every call failed stop the turn; one success starts the count anew", () => {
  const progress = new Progress(limits);
  const failed = (text: string) => ({ call: call(text), result: failure("x", text) });
  progress.sawRound([failed("1")]);
  progress.sawRound([failed("2"), { call: call("ok"), result: textResult("fine") }]);
  progress.sawRound([failed("3")]);
  progress.sawRound([failed("4")]);
  expect(progress.beforeRound(0)).toBeUndefined();
  progress.sawRound([failed("5")]);
  expect(progress.beforeRound(0)?.kind).toBe("failing-rounds");
});

test("the step cap and the denials end a turn with their reason", () => {
  const progress = new Progress({ ...limits, rounds: 1 });
  expect(progress.beforeRound(0)).toBeUndefined();
  expect(progress.beforeRound(0)?.text).toContain("limits.rounds");
  expect(new Progress(limits).beforeRound(3)?.kind).toBe("denials");
});
