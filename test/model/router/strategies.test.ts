// The pure parts of strategies: who does what, what a verdict is, and which strategy may be chosen.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { authorsOf, blind, judgeOf, pairOf } from "../../../src/model/router/parts.ts";
import { nothingSeen } from "../../../src/model/router/posterior.ts";
import { seededRandom } from "../../../src/model/router/random.ts";
import { chooseStrategy } from "../../../src/model/router/strategies.ts";
import { ballotIn, verdictIn } from "../../../src/model/router/verdict.ts";
import { type ScoredArm, strategyNames, taskTypes } from "../../../src/protocol/router.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const arms = fc
  .array(fc.record({ quality: share, cost: share, score: share }), { minLength: 1, maxLength: 6 })
  .map((all) => all.map((each, at) => ({ arm: `a/m${at}`, ...each })));
const whole = (all: readonly { arm: string; quality: number; cost: number; score: number }[]): ScoredArm[] =>
  all.map((each) => ({
    ...each,
    ...{ heuristic: each.quality, observations: 0, weightedCost: 1 + each.cost, scarcity: 1, switching: 0 },
    ...{ drawn: each.score, propensity: 1 / all.length },
  }));

describe("parts", () => {
  test("of a cascade: the reviewer is the best there is, and whoever works is no dearer; in whatever order they come", () => {
    fc.assert(
      fc.property(arms, (all) => {
        const pair = pairOf(all);
        expect(pairOf(all.toReversed())).toEqual(pair);
        const cheapest = Math.min(...all.map(({ cost }) => cost));
        if (!pair) return;
        const of = (name: string) => all.find(({ arm }) => arm === name) ?? all[0];
        expect(pair.cheap).not.toBe(pair.strong);
        expect(of(pair.strong)?.quality).toBe(Math.max(...all.map(({ quality }) => quality)));
        expect(of(pair.cheap)?.cost).toBeLessThanOrEqual(of(pair.strong)?.cost ?? 0);
        if (of(pair.strong)?.cost !== cheapest) expect(of(pair.cheap)?.cost).toBe(cheapest);
      }),
    );
    expect(pairOf([{ arm: "a/m", quality: 1, cost: 0, score: 1 }])).toBeUndefined();
  });

  test("of an ensemble: the chosen one writes with others, and whoever judges has not written while anybody is left", () => {
    fc.assert(
      fc.property(arms, fc.nat(), (all, pick) => {
        const chosen = all[pick % all.length]?.arm ?? "";
        const authors = authorsOf(all, chosen);
        expect(authors[0]).toBe(chosen);
        expect(new Set(authors).size).toBe(Math.min(3, all.length));
        const judge = judgeOf(all, authors) ?? "";
        expect(authors.includes(judge)).toBe(all.length <= 3);
      }),
    );
  });

  test("a ballot holds each text once, and the place does not tell whose it is", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), fc.nat(), (texts, from) => {
        const ballot = blind(texts, seededRandom(from));
        expect(ballot.map(({ item }) => item).toSorted()).toEqual(texts.toSorted());
        expect(new Set(ballot.map(({ label }) => label)).size).toBe(texts.length);
      }),
    );
    const random = seededRandom(7);
    const first = Array.from({ length: 600 }, () => blind(["x", "y", "z"], random)[0]?.item);
    for (const item of ["x", "y", "z"]) {
      const times = first.filter((each) => each === item).length;
      expect(Math.abs(times - 200)).toBeLessThan(60);
    }
  });
});

test("a verdict is what fits, and nothing else: whatever a model says, it rejects only with a reason", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const verdict = verdictIn(text);
      if (verdict && !verdict.accept) expect(verdict.problems.length).toBeGreaterThan(0);
      const ballot = ballotIn(text, ["A", "B"]);
      if (ballot) expect(["A", "B"]).toContain(ballot.best);
    }),
  );
  expect(verdictIn('```json\n{"accept": false, "problems": ["x", " ", 3]}\n```')).toEqual({
    accept: false,
    problems: ["x"],
  });
  expect(verdictIn('{"accept": false, "problems": []}')).toEqual({ accept: true, problems: [] });
  expect(verdictIn("I accept.")).toBeUndefined();
  expect(ballotIn('{"best": "C", "why": ""}', ["A", "B"])).toBeUndefined();
});

test("one model does it only where that is allowed, or nothing that is allowed can be done; chances sum up to 1", () => {
  fc.assert(
    fc.property(
      arms,
      fc.subarray([...strategyNames]),
      fc.constantFrom(...taskTypes),
      fc.record({ images: fc.boolean(), uncopyable: fc.option(fc.constant("too large"), { nil: undefined }) }),
      (all, available, type, { images, uncopyable }) => {
        const scored = whole(all);
        const { strategy, strategies } = chooseStrategy(
          {
            ...{ work: { type, complexity: 0.5 }, profile: "balanced", arms: scored, chosen: "a/m0" },
            ...{ seen: () => nothingSeen, available, images },
            ...(uncopyable !== undefined && { uncopyable }),
          },
          seededRandom(3),
        );
        expect(strategies.reduce((sum, { propensity }) => sum + propensity, 0)).toBeCloseTo(1, 9);
        const others = strategies.filter((each) => each.strategy !== "single" && each.excluded === undefined);
        for (const each of others) expect(available).toContain(each.strategy);
        if (strategy === "single") expect(available.includes("single") || others.length === 0).toBe(true);
        if (images) expect(["single", "cascade"]).toContain(strategy);
        if (type === "debug") expect(["synthesis", ...(uncopyable ? ["ensemble"] : [])]).not.toContain(strategy);
      },
    ),
  );
});
