// How far a task is, as its events tell it.
import { expect, test } from "vitest";
import type { Event } from "../../../src/protocol/event.ts";
import { createStyle } from "../../../src/surfaces/cli/text/style.ts";
import { TaskProgress } from "../../../src/surfaces/cli/task/progress.ts";
import { costText, waitText } from "../../../src/surfaces/cli/task/steps.ts";

const at = (time: number, event: object) => ({ session: "s", seq: time, at: time, ...event }) as Event;

test("a pause before another attempt is over when it is over; who was killed does not think", () => {
  const progress = new TaskProgress();
  progress.follow(at(0, { type: "task.moved", task: "t", from: "PLANNING", to: "IMPLEMENTING", detail: "" }));
  progress.follow(at(1_000, { type: "round.started", turn: 1, round: 1, model: "openai/x" }));
  progress.follow(at(2_000, { type: "wire.waiting", attempt: 3, delayMs: 1_600, cause: "busy" }));
  const said = (now: number) => progress.wait && waitText(progress.wait, now);
  expect(said(3_000)).toBe("waiting 1.6 s (busy; attempt 3) 1 s");
  expect(said(13_600)).toBe("the model thinks (openai/x) 10 s");
  const before = progress.spentMs(2_000);
  progress.left("left");
  expect([progress.wait, progress.spentMs(99_000)]).toEqual([undefined, before]);
});

test("the time of work is that of the task's own clock, which the result page has, and says that it is of work", () => {
  const progress = new TaskProgress();
  const moved = (to: string, spentMs: number) => ({
    type: "task.moved",
    task: "t",
    from: "PLANNING",
    to,
    detail: "",
    spentMs,
  });
  progress.follow(at(0, { type: "task.told", task: "t", state: "PLANNING", text: "it begins" }));
  progress.follow(at(9_000, moved("PLANNING", 5_000)));
  progress.follow(at(10_000, moved("IMPLEMENTING", 6_000)));
  expect([progress.spentMs(10_000), progress.spentMs(13_000)]).toEqual([6_000, 9_000]);
  progress.follow(at(14_000, { type: "task.paused", task: "t", state: "IMPLEMENTING", text: "later" }));
  expect(progress.spentMs(99_000)).toBe(10_000);
  const look = { style: createStyle({ colour: false, unicode: true }), width: 80 };
  expect(costText(progress, look, 99_000)).toBe("$0 · 10 s of work");
});
