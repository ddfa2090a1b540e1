import fc from "fast-check";
import { expect, test } from "vitest";
import type { Candidate } from "../../../src/model/router/candidate.ts";
import { decide } from "../../../src/model/router/decide.ts";
import { latencyOf, slownessOf } from "../../../src/model/router/latency.ts";
import { nothingSeen } from "../../../src/model/router/posterior.ts";
import { seededRandom } from "../../../src/model/router/random.ts";
import { routerProfiles, type ScoredArm, taskTypes } from "../../../src/protocol/router.ts";

const arm = (name: string, paceMs: number | undefined): Candidate => ({
  ...{ arm: name, tier: "medium", local: true, contextTokens: 200_000, maxOutput: 8_000, scarcity: 1 },
  capabilities: { tools: true, images: true, reasoning: true },
  price: { input: 1, output: 5, cacheRead: 0.1 },
  paceMs,
});
const work = fc
  .record({
    type: fc.constantFrom(...taskTypes),
    complexity: fc.double({ min: 0, max: 1, noNaN: true }),
    profile: fc.constantFrom(...routerProfiles),
  })
  .map(({ type, complexity, profile }) => ({
    work: { type, complexity, by: "words" as const, because: "" },
    profile,
    needs: { tools: true, images: false, reasoning: false, contextTokens: 10_000 },
  }));
const pace = fc.integer({ min: 1, max: 600_000 });
const weight = fc.double({ min: 0.001, max: 1, noNaN: true });
const by = (arms: readonly ScoredArm[], name: string): ScoredArm => {
  const found = arms.find((each) => each.arm === name);
  if (!found) throw new Error(`${name} is weighed`);
  return found;
};

test("property: of two that are as good and as dear, the faster one has the better score and the better chance", () => {
  fc.assert(
    fc.property(work, pace, pace, weight, (given, one, other, latencyWeight) => {
      fc.pre(Math.max(1_000, one) < other);
      const candidates = [arm("p/slow", other), arm("p/fast", one), arm("p/unknown", undefined)];
      const arms = decide({ ...given, candidates, seen: () => nothingSeen, latencyWeight }, seededRandom(1)).candidates;
      const [fast, slow] = [by(arms, "p/fast"), by(arms, "p/slow")];
      expect(fast.score).toBeGreaterThan(slow.score);
      expect(fast.propensity).toBeGreaterThanOrEqual(slow.propensity);
      expect(by(arms, "p/unknown").score).toBeLessThanOrEqual(fast.score);
      const still = decide({ ...given, candidates, seen: () => nothingSeen }, seededRandom(1)).candidates;
      expect(by(still, "p/fast").score).toBe(by(still, "p/slow").score);
    }),
  );
});

test("property: time divides a score by 1 and the weight at most, so better evidence by more than that wins whatever it takes", () => {
  const counts = fc.record({ good: fc.nat(60), bad: fc.nat(60) });
  fc.assert(
    fc.property(work, fc.tuple(pace, pace), weight, fc.tuple(counts, counts), (given, paces, latencyWeight, both) => {
      const candidates = [arm("p/a", paces[0]), arm("p/b", paces[1])];
      const seen = (name: string) => (name === "p/a" ? both[0] : both[1]);
      const plain = decide({ ...given, candidates, seen }, seededRandom(1)).candidates;
      const timed = decide({ ...given, candidates, seen, latencyWeight }, seededRandom(1)).candidates;
      for (const each of timed) {
        const before = by(plain, each.arm).score;
        expect(each.score).toBeLessThanOrEqual(before);
        expect(each.score * (1 + latencyWeight)).toBeGreaterThanOrEqual(before * (1 - 1e-12));
        expect(each.quality).toBe(by(plain, each.arm).quality);
      }
      const [best, next] = plain;
      if (!best || !next || best.score <= next.score * (1 + latencyWeight)) return;
      expect(timed[0]?.arm).toBe(best.arm);
    }),
  );
});

test("an arm is measured by its median, nine of ten, and what a usual answer takes; longer answers do not make it slower", () => {
  const answers = Array.from({ length: 10 }, (_, at) => ({ firstMs: 100, ms: 1_100 + 100 * at, output: 100 }));
  expect(latencyOf(answers)).toEqual({ answers: 10, firstMs: 100, medianMs: 1_500, p90Ms: 1_900, paceMs: 5_700 });
  const long = { firstMs: 100, ms: 10_100, output: 1_000 };
  expect(latencyOf([long])?.paceMs).toBe(latencyOf([{ firstMs: 100, ms: 1_100, output: 100 }])?.paceMs);
  expect(latencyOf([])).toBeUndefined();
  expect(slownessOf([1_000, 2_000, undefined, 4_000])).toEqual([0, 0.5, 0.5, 0.75]);
  expect(slownessOf([undefined, undefined])).toEqual([0, 0]);
  // Nobody feels it.
  expect(slownessOf([3, 900])).toEqual([0, 0]);
});
