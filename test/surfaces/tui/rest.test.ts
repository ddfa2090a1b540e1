// When an idle screen gives memory back: once behind each work, and never while somebody types.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Rest } from "../../../src/surfaces/tui/rest.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("once behind the start and behind each work, when it is quiet, and not while somebody types or something works", () => {
  const work = vi.fn();
  const rest = new Rest(work);
  rest.stir(false);
  vi.advanceTimersByTime(1_900);
  rest.stir();
  vi.advanceTimersByTime(1_900);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(work).toHaveBeenCalledTimes(1);
  // What is only typed makes nothing that is worth it.
  rest.stir();
  rest.stir(false);
  vi.advanceTimersByTime(60_000);
  expect(work).toHaveBeenCalledTimes(1);
  rest.stir(true);
  vi.advanceTimersByTime(60_000);
  rest.stir();
  vi.advanceTimersByTime(60_000);
  expect(work).toHaveBeenCalledTimes(1);
  rest.stir(false);
  vi.advanceTimersByTime(2_000);
  expect(work).toHaveBeenCalledTimes(2);
  rest.stir(true);
  rest.stir(false);
  rest.end();
  vi.advanceTimersByTime(60_000);
  expect(work).toHaveBeenCalledTimes(2);
});
