// How a task is drawn: at every width nothing is lost, nothing is wider than the terminal, words stay whole.
import { expect, test } from "vitest";
import fc from "fast-check";
import type { Event } from "../../../src/protocol/event.ts";
import { createStyle, type Look } from "../../../src/surfaces/cli/text/style.ts";
import { pageLines } from "../../../src/surfaces/cli/render/task-approval.ts";
import { textWidth } from "../../../src/surfaces/cli/text/width.ts";
import { progressOf } from "../../../src/surfaces/cli/task/progress.ts";
import { aheadLines, progressLines } from "../../../src/surfaces/cli/task/steps.ts";

const look = (width: number): Look => ({ style: createStyle({ colour: false, unicode: true }), width });
let seq = 0;
const fact = (at: number, event: object): Event =>
  ({ session: "s", seq: (seq += 1), at, ...event }) as unknown as Event;
const moved = (at: number, from: string, to: string, detail = "") =>
  fact(at, { type: "task.moved", task: "t1", from, to, detail });
const asked = (at: number, nonce: string) =>
  fact(at, {
    type: "approval.asked",
    request: {
      nonce,
      kind: "plan",
      approver: "developer",
      origin: "fettle",
      expiresAt: at + 86_400_000,
      action: { kind: "task", op: "plan", task: "t1", digest: "", lines: [] },
    },
  });

test("time that a person takes, and time in which nobody worked, is not the task's", () => {
  const progress = progressOf([
    fact(0, { type: "session.created" }),
    moved(100, "INTENT_ANALYSIS", "REPO_DISCOVERY", "fix"),
    moved(200, "REPO_DISCOVERY", "REHEARSAL", "7 files"),
    moved(300, "REHEARSAL", "PLANNING", "2 of 2"),
    asked(1_300, "n1"),
    fact(61_300, { type: "approval.answered", nonce: "n1", call: "c", outcome: { kind: "approve", by: "ada" } }),
    fact(61_400, { type: "task.paused", task: "t1", state: "PLANNING", text: "Closed" }),
    moved(900_000, "PLANNING", "PROVING_GROUND", "approved"),
    moved(901_000, "PROVING_GROUND", "IMPLEMENTING", "locked"),
  ]);
  expect(progress.steps(903_000).map(({ state, mark, ms }) => [state, mark, ms])).toEqual([
    ["INTENT_ANALYSIS", "done", 100],
    ["REPO_DISCOVERY", "done", 100],
    ["REHEARSAL", "done", 100],
    ["PLANNING", "done", 1_100],
    ["PROVING_GROUND", "done", 1_000],
    ["IMPLEMENTING", "now", 2_000],
    ["VERIFYING", "ahead", 0],
    ["FEEDBACK_WAIT", "ahead", 0],
    ["COMPLETE", "ahead", 0],
  ]);
});

test("a step that is done again says so; one that is not needed, too; a failure stays where it happened", () => {
  const way = [
    moved(10, "INTENT_ANALYSIS", "REPO_DISCOVERY"),
    moved(20, "REPO_DISCOVERY", "PLANNING"),
    moved(30, "PLANNING", "IMPLEMENTING"),
    moved(40, "IMPLEMENTING", "VERIFYING"),
    moved(50, "VERIFYING", "IMPLEMENTING", "sent back"),
  ];
  const again = progressLines(progressOf([...way, moved(60, "IMPLEMENTING", "IMPLEMENTING", "mended")]), look(80), 60);
  expect(again.join("\n")).toContain("Test first      not needed");
  const failed = progressOf([...way, moved(70, "IMPLEMENTING", "FAILED", "it goes in a circle")]);
  expect(progressLines(failed, look(80), 80)[5]).toMatch(/^✗ Implementation +\d+ ms {2}\(again\) it goes in a circle$/);
});

test("what it waits for: a person before a command before the model", () => {
  const events = [
    fact(0, { type: "round.started", turn: 1, round: 1, model: "a/b" }),
    fact(1, { type: "call.decided", call: "c", tool: "shell", action: { kind: "shell", command: "npm test" } }),
    fact(2, { type: "effect.begun", call: "c", tool: "shell" }),
    asked(3, "n"),
  ];
  const waits = (count: number) => progressOf(events.slice(0, count)).wait?.for;
  expect([waits(1), waits(2), waits(3), waits(4)]).toEqual(["model", "model", "command", "approval"]);
  const drawn = progressLines(progressOf(events.slice(0, 3)), look(80), 12_002);
  expect(drawn[0]).toMatch(/Intent .*runs npm test 12 s$/);
});

const words = fc.array(fc.stringMatching(/^[a-zäλ漢/.-]{1,14}$/), { minLength: 1, maxLength: 12 });
const sentence = words.map((each) => each.join(" "));
const page = fc.array(
  fc.oneof(
    sentence,
    sentence.map((text) => `  ${text}`),
    fc.tuple(sentence, sentence).map(([left, right]) => `  ${left}  ${right}`),
  ),
  { maxLength: 12 },
);

test("property: a page holds every word, whole, within the width", () => {
  fc.assert(
    fc.property(page, fc.integer({ min: 40, max: 140 }), (lines, width) => {
      const drawn = pageLines(lines, look(width));
      for (const line of drawn) expect(textWidth(line)).toBeLessThanOrEqual(width);
      const wanted = lines.join(" ").split(/\s+/).filter(Boolean);
      expect(drawn.join(" ").split(/\s+/).filter(Boolean).toSorted()).toEqual(wanted.toSorted());
    }),
    { numRuns: 200 },
  );
});

test("property: steps stay within the width, and those to come fit a low terminal", () => {
  fc.assert(
    fc.property(sentence, fc.integer({ min: 40, max: 140 }), (detail, width) => {
      const progress = progressOf([moved(10, "INTENT_ANALYSIS", "REPO_DISCOVERY", detail)]);
      for (const line of progressLines(progress, look(width), 20)) expect(textWidth(line)).toBeLessThanOrEqual(width);
      expect(aheadLines(progress, look(width), { now: 20, rows: 24 }).length).toBeLessThanOrEqual(4);
    }),
    { numRuns: 100 },
  );
});
