import { expect, test } from "vitest";
import { CacheWatch } from "../../src/engine/budget/cache-watch.ts";
import { noUsage } from "../../src/protocol/usage.ts";

const minute = 60_000;
function watched(model = "a/b") {
  const watch = new CacheWatch();
  let at = 0;
  return (input: number, cacheRead: number, more: { after?: number; prefix?: string; model?: string } = {}) => {
    at += more.after ?? 1_000;
    const usage = { ...noUsage, input, cacheRead };
    return watch.sees({ at, model: more.model ?? model, usage, prefix: () => more.prefix ?? "same" });
  };
}

test("one notice after three calls without a hit, of a provider that reported hits before; again after it has hit again", () => {
  const call = watched();
  call(5_000, 4_000);
  expect([call(5_100, 0), call(5_200, 0)]).toEqual([undefined, undefined]);
  expect(call(5_300, 20)).toMatch(/prompt cache of a\/b has not hit for 3 calls.*no longer keeps it/);
  expect(call(5_400, 0)).toBeUndefined();
  call(5_500, 5_000);
  expect([call(5_600, 0), call(5_700, 0), call(5_800, 0)].map(Boolean)).toEqual([false, false, true]);
});

test("nothing is told of providers that never hit, of small prefixes, or of a model's first calls", () => {
  const never = watched();
  const small = watched();
  small(1_500, 1_400);
  const other = watched();
  other(5_000, 4_000);
  for (let number = 0; number < 6; number += 1) {
    expect(never(9_000, 0)).toBeUndefined();
    expect(small(1_500, 0)).toBeUndefined();
    expect(other(9_000, 0, { model: "c/d" })).toBeUndefined();
  }
});

test("the likely reason is told: waits, instructions that change, a shortened conversation", () => {
  const slow = watched();
  slow(9_000, 8_000);
  for (const _ of [1, 2]) slow(9_100, 0, { after: 6 * minute });
  expect(slow(9_200, 0, { after: 6 * minute })).toContain("more than five minutes apart");
  const changing = watched();
  changing(9_000, 8_000);
  for (const prefix of ["x", "y"]) changing(9_100, 0, { prefix });
  expect(changing(9_100, 0, { prefix: "z" })).toContain("instructions or the tools change");
  const shorter = watched();
  shorter(90_000, 80_000);
  for (const _ of [1, 2]) shorter(20_000, 0);
  expect(shorter(21_000, 0)).toContain("conversation was shortened");
});
