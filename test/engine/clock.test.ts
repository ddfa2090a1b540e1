import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clockLimits, commandMs, stackMinutes } from "../../src/app/program/limits.ts";
import { TurnClock } from "../../src/engine/clock.ts";
import { defaultSettings } from "../../src/io/config/settings.ts";
import { temporaryFolder } from "../support/folders.ts";

const minute = 60_000;
let told: string[];
let over: number;
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  over = 0;
});
afterEach(() => vi.useRealTimers());

const clock = (startMs: number, capMs: number) =>
  new TurnClock({ startMs, capMs }, { over: () => (over += 1), extended: (text) => told.push(text) });

test("a turn that does nothing ends at its time", () => {
  clock(30 * minute, 90 * minute);
  vi.advanceTimersByTime(30 * minute - 1);
  expect(over).toBe(0);
  vi.advanceTimersByTime(1);
  expect([over, told]).toEqual([1, []]);
});

test("one that works goes on, each extension told, to the cap and no further", () => {
  const turn = clock(30 * minute, 90 * minute);
  for (let at = 0; at < 200; at += 1) {
    vi.advanceTimersByTime(minute);
    if (over === 0) turn.stirs();
  }
  expect(over).toBe(1);
  expect(told).toHaveLength(12);
  expect(told[0]).toBe(
    "The turn may take 5 minutes more, 35 minutes in all, as work goes on (at most 90 minutes: limits.turn_minutes).",
  );
});

test("a long command is not cut off by the turn's end where the cap leaves room", () => {
  const turn = clock(30 * minute, 90 * minute);
  vi.advanceTimersByTime(25 * minute);
  turn.begins(2 * minute);
  expect(told).toEqual([]);
  turn.begins(10 * minute);
  expect(told).toEqual([expect.stringContaining("6 minutes more, 36 minutes in all, for a command")]);
  turn.begins(500 * minute);
  expect(told.at(-1)).toContain("90 minutes in all");
  vi.advanceTimersByTime(65 * minute);
  expect(over).toBe(1);
});

test("what the person set holds as it is", () => {
  const turn = clock(10 * minute, 10 * minute);
  turn.begins(60 * minute);
  turn.stirs();
  vi.advanceTimersByTime(10 * minute);
  expect([over, told]).toEqual([1, []]);
});

test("time goes by the stack, a command's by its class; more is given when asked, up to 20 minutes and the cap", () => {
  const folder = temporaryFolder();
  expect(stackMinutes(folder)).toBe(30);
  writeFileSync(path.join(folder, "Cargo.toml"), "");
  expect(stackMinutes(folder)).toBe(45);
  writeFileSync(path.join(folder, "Dockerfile"), "");
  expect(stackMinutes(folder)).toBe(60);
  const settings = defaultSettings();
  expect(clockLimits(settings, folder)).toEqual({ startMs: 60 * minute, capMs: 90 * minute });
  settings.limits.turn_minutes = 12;
  expect(clockLimits(settings, folder)).toEqual({ startMs: 12 * minute, capMs: 12 * minute });
  const limit = commandMs(settings);
  expect((["image", "build", "install", "test", "migration", "other"] as const).map((each) => limit(each))).toEqual(
    [10, 5, 5, 3, 2, 2].map((each) => each * minute),
  );
  expect([limit("test", 1000), limit("test", 15 * minute), limit("test", 60 * minute)]).toEqual([
    1000,
    15 * minute,
    20 * minute,
  ]);
  settings.tools.timeout_secs.test = 86_400;
  expect(limit("test")).toBe(90 * minute);
});
