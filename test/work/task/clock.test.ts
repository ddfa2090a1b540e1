import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { TaskClock } from "../../../src/work/task/world/clock.ts";

test("a state and the whole task have their time, and people who are awaited cost none of it", async () => {
  let now = 0;
  const over: string[] = [];
  const clock = new TaskClock(
    { stateMs: 50, capMs: 120 },
    40,
    () => now,
    (what) => over.push(what),
  );
  clock.enterState();
  now = 30;
  clock.wait();
  clock.wait();
  now = 5_000;
  clock.goOn();
  now = 6_000;
  clock.goOn();
  expect(clock.spentMs).toBe(70);
  now += 10;
  clock.enterState();
  expect(clock.spentMs).toBe(80);
  await sleep(80);
  expect(over).toEqual(["task"]);
  clock.enterState(10);
  await sleep(40);
  expect(over).toEqual(["task", "state"]);
  clock.stop();
});

test("what is slow gets room beyond its state's time, never beyond the task's", async () => {
  let now = 0;
  const over: [string, number][] = [];
  const clock = new TaskClock(
    { stateMs: 100, capMs: 150 },
    0,
    () => now,
    (what, limit) => over.push([what, limit]),
  );
  clock.enterState();
  now = 60;
  expect(clock.reserve(30)).toBe(0);
  expect(clock.reserve(70)).toBe(30);
  expect(clock.reserve(500)).toBe(20);
  expect(clock.reserve(500)).toBe(0);
  now = 149;
  clock.wait();
  clock.goOn();
  await sleep(30);
  expect(over).toEqual([["state", 150]]);
  clock.stop();
});
