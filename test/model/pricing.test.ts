import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultSettings } from "../../src/io/config/settings.ts";
import { knownModel, knownModels, pricesAsOf } from "../../src/model/contract/known-models.ts";
import { boundOf, costOf, freePrice, type Price, priceOf } from "../../src/model/contract/pricing.ts";
import { noUsage } from "../../src/protocol/usage.ts";

const price: Price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

test("costs are micro-dollars, cached input at its own price", () => {
  const usage = { ...noUsage, input: 10_000, output: 1_000, cacheRead: 8_000, cacheWrite: 1_000 };
  expect(costOf(usage, price)).toBe(1_000 * 3 + 8_000 * 0.3 + 1_000 * 3.75 + 1_000 * 15);
  expect(costOf(usage, undefined)).toBeNull();
  expect(costOf(usage, freePrice)).toBe(0);
  expect(costOf({ ...noUsage, input: 3, cacheRead: 3 }, { ...price, cacheRead: 0.1 })).toBe(1);
});

test("no call costs more than its bound", () => {
  const count = fc.integer({ min: 0, max: 500_000 });
  const amount = fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100);
  const anyPrice = fc.record({
    input: amount,
    output: amount,
    cacheRead: amount,
    cacheWrite: amount,
    long: fc.constant({ above: 200_000, inputFactor: 2, outputFactor: 1.5 }),
  });
  fc.assert(
    fc.property(anyPrice, fc.tuple(count, count, count, count), (each, [input, cacheRead, cacheWrite, output]) => {
      const total = input + cacheRead + cacheWrite;
      const usage = { ...noUsage, input: total, cacheRead, cacheWrite, output };
      const cost = costOf(usage, each) ?? Number.NaN;
      expect(Number.isInteger(cost)).toBe(true);
      expect(cost).toBeLessThanOrEqual(boundOf(total, output, each));
    }),
  );
});

test("the table: dated editions count as the model, other models of the family do not", () => {
  const { prices } = defaultSettings();
  expect(priceOf("anthropic/claude-sonnet-4-5-20250929", { prices })).toMatchObject({
    input: 3,
    output: 15,
    cacheRead: 0.3,
  });
  expect(priceOf("openai/gpt-5-2025-08-07", { prices })).toMatchObject({ input: 1.25, asOf: pricesAsOf });
  const own = { "openai/gpt-5": { input: 2, output: 8 } };
  expect(priceOf("openai/gpt-5", { prices: own })).toEqual({ input: 2, output: 8, cacheRead: 2, cacheWrite: 2 });
  expect(priceOf("openai/gpt-5-pro", { prices })).toBeUndefined();
  expect(knownModel("openai/gpt-5-pro")?.contextWindow).toBe(400_000);
  expect(priceOf("google/gemini-2.5-flash-image", { prices })).toBeUndefined();
  expect(knownModel("somebody/else")).toBeUndefined();
});

test("every row of the table is sensible and stands once", () => {
  expect(pricesAsOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(new Set(knownModels.map(({ arm }) => arm)).size).toBe(knownModels.length);
  for (const { arm, contextWindow, maxOutput, price: each } of knownModels) {
    expect(arm).toMatch(/^(anthropic|openai|google|mistral)\/[\w.-]*\*?$/);
    expect(maxOutput).toBeLessThan(contextWindow);
    if (each) expect(each.output).toBeGreaterThanOrEqual(each.input);
    if (arm.endsWith("*")) expect(each).toBeUndefined();
  }
});
