// What was seen fades and is believed, chance is what it says, and a log tells what else would have come to.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cumulative, meanOf, quantile } from "../../../src/model/router/distribution.ts";
import {
  believed,
  counted,
  elsewhereOf,
  faded,
  seen as countOf,
  takenBack,
} from "../../../src/model/router/posterior.ts";
import { propensities } from "../../../src/model/router/propensity.ts";
import { beta, gamma, seededRandom } from "../../../src/model/router/random.ts";
import { always, evenly, type Logged, replay } from "../../../src/model/router/replay.ts";
import { scoreOf } from "../../../src/model/router/score.ts";

const counts = fc.record({
  good: fc.double({ min: 0, max: 80, noNaN: true }),
  bad: fc.double({ min: 0, max: 80, noNaN: true }),
});

describe("what was seen", () => {
  const at = (round: number, days = 0) => ({ round, at: days * 86_400_000 });

  test("fades with every judged piece of work and with time, and never grows", () => {
    fc.assert(
      fc.property(counts, fc.nat(500), fc.nat(400), (known, rounds, days) => {
        const before = { ...known, n: 3, ...at(0) };
        const after = faded(before, at(rounds, days));
        expect(after.good).toBeLessThanOrEqual(before.good);
        expect(after.bad).toBeLessThanOrEqual(before.bad);
      }),
    );
    const good = { good: 40, bad: 0, n: 40, ...at(0) };
    expect(meanOf(believed(0.4, good))).toBeGreaterThan(0.8);
    expect(meanOf(believed(0.4, faded(good, at(3_000))))).toBeCloseTo(0.4, 2);
    expect(countOf(faded(good, at(0, 45)))).toBeCloseTo(20, 6);
    // A clock that was set back does not make it more.
    expect(countOf(faded({ ...good, at: 1e12 }, at(0)))).toBe(40);
  });

  test("weighs less than the heuristic below five observations, and at least seven tenths from then on", () => {
    const share = (count: number) => (meanOf(believed(0.1, { good: count, bad: 0 })) - 0.1) / 0.9;
    expect(share(0)).toBeCloseTo(0, 9);
    expect(share(4.9)).toBeLessThan(0.5);
    expect(share(5)).toBeCloseTo(0.7, 9);
    expect(share(100)).toBeGreaterThan(0.95);
  });

  test("in other kinds of work moves what is expected here, by how it differed from what was expected there", () => {
    const worse = elsewhereOf([{ good: 4, bad: 16, expected: 0.8 }]);
    const asExpected = elsewhereOf([{ good: 16, bad: 4, expected: 0.8 }]);
    const none = { good: 0, bad: 0 };
    expect(meanOf(believed(0.7, { ...none, elsewhere: worse }))).toBeLessThan(0.4);
    expect(meanOf(believed(0.7, { ...none, elsewhere: asExpected }))).toBeCloseTo(0.7, 6);
    // What was seen here counts for more.
    const here = { good: 30, bad: 3, elsewhere: worse };
    expect(meanOf(believed(0.7, here))).toBeGreaterThan(0.75);
  });

  test("can be taken back: nothing of a mistaken outcome stays", () => {
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(50), (known, reward, rounds) => {
        const before = { ...known, n: 5, ...at(10) };
        const wrong = counted(before, { reward, weight: 1 }, at(10));
        const right = takenBack(wrong, { reward, weight: 1, then: at(10) }, at(10 + rounds));
        const untouched = faded(before, at(10 + rounds));
        expect(right.good).toBeCloseTo(untouched.good, 6);
        expect(right.bad).toBeCloseTo(untouched.bad, 6);
        expect(right.n).toBe(untouched.n);
      }),
    );
  });
});

describe("chance", () => {
  test("draws Gamma and Beta with the right mean and spread, tiny shapes too", () => {
    const random = seededRandom(7);
    const moments = (draw: () => number) => {
      const all = Array.from({ length: 20_000 }, draw);
      const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
      return { mean, variance: all.reduce((sum, each) => sum + (each - mean) ** 2, 0) / all.length };
    };
    for (const shape of [0.3, 1, 4.5, 60]) {
      const { mean, variance } = moments(() => gamma(shape, random));
      expect(mean / shape).toBeCloseTo(1, 1);
      expect(Math.abs(variance / shape - 1)).toBeLessThan(0.12);
    }
    for (const [a, b] of [
      [0.2, 0.4],
      [2, 5],
      [40, 10],
    ] as const) {
      const { mean, variance } = moments(() => beta(a, b, random));
      expect(mean).toBeCloseTo(a / (a + b), 1);
      expect(variance).toBeCloseTo((a * b) / ((a + b) ** 2 * (a + b + 1)), 2);
    }
  });

  test("knows how much of a Beta lies below a bound: against closed forms, and its own reverse", () => {
    expect(cumulative({ a: 1, b: 1 })(0.3)).toBeCloseTo(0.3, 10);
    expect(cumulative({ a: 2, b: 1 })(0.5)).toBeCloseTo(0.25, 10);
    expect(cumulative({ a: 1, b: 3 })(0.5)).toBeCloseTo(1 - 0.5 ** 3, 10);
    const shape = fc.double({ min: 0.1, max: 300, noNaN: true });
    fc.assert(
      fc.property(shape, shape, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (a, b, share) => {
        const at = quantile({ a, b }, share);
        if (at > 1e-6 && at < 1 - 1e-6) expect(cumulative({ a, b })(at)).toBeCloseTo(share, 3);
      }),
    );
  });

  test("chances are what is really drawn", () => {
    const random = seededRandom(11);
    const contenders = [
      { belief: { a: 6, b: 4 }, weightedCost: 1 },
      { belief: { a: 3, b: 3 }, weightedCost: 0.8 },
      { belief: { a: 30, b: 10 }, weightedCost: 1.3 },
      { belief: { a: 0.5, b: 0.9 }, weightedCost: 0.9 },
    ];
    const wins = contenders.map(() => 0);
    const draws = 30_000;
    for (let draw = 0; draw < draws; draw += 1) {
      const drawn = contenders.map(({ belief, weightedCost }) =>
        scoreOf(beta(belief.a, belief.b, random), "debug", weightedCost),
      );
      const best = drawn.indexOf(Math.max(...drawn));
      wins[best] = (wins[best] ?? 0) + 1;
    }
    for (const [at, likely] of propensities(contenders, "debug").entries())
      expect(Math.abs(likely - (wins[at] ?? 0) / draws)).toBeLessThan(0.015);
  });
});

test("replaying a log tells what another policy would have come to", () => {
  const random = seededRandom(3);
  const truth: Record<string, number> = { "a/x": 0.8, "a/y": 0.3 };
  const log: Logged[] = Array.from({ length: 4_000 }, () => {
    const likely = 0.2 + 0.6 * random();
    const chosen = random() < likely ? "a/x" : "a/y";
    const reward = random() < (truth[chosen] ?? 0) ? 1 : 0;
    return { type: "debug", chosen, propensities: { "a/x": likely, "a/y": 1 - likely }, reward };
  });
  for (const arm of ["a/x", "a/y"]) {
    const { value, interval, effective } = replay(arm, log, always(arm));
    expect(value).toBeCloseTo(truth[arm] ?? 0, 1);
    expect(interval[0] < (truth[arm] ?? 0) + 0.02 && interval[1] > (truth[arm] ?? 0) - 0.02).toBe(true);
    expect(effective).toBeGreaterThan(500);
  }
  expect(replay("evenly", log, evenly).value).toBeCloseTo(0.55, 1);
  expect(replay("never", log, always("a/z")).effective).toBe(0);
});
