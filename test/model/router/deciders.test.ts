import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Candidate, Needs } from "../../../src/model/router/candidate.ts";
import { decide, fallbacks, type Wish } from "../../../src/model/router/decide.ts";
import { feasible } from "../../../src/model/router/feasible.ts";
import { authorsOf, judgeOf, pairOf } from "../../../src/model/router/parts.ts";
import { nothingSeen } from "../../../src/model/router/posterior.ts";
import { seededRandom } from "../../../src/model/router/random.ts";
import { outcomeTraits, replaces } from "../../../src/model/router/reward.ts";
import { costOf, scoreOf } from "../../../src/model/router/score.ts";
import { chooseStrategy } from "../../../src/model/router/strategies.ts";
import { qualityOf, traitsOf, worthOf } from "../../../src/model/router/task-types.ts";
import { routerOutcomes, routerProfiles, strategyNames, taskTypes } from "../../../src/protocol/router.ts";

const price = fc.record({
  input: fc.double({ min: 0, max: 30, noNaN: true }),
  output: fc.double({ min: 0, max: 150, noNaN: true }),
  cacheRead: fc.constant(0),
});
const candidate = fc.record({
  tier: fc.constantFrom("small" as const, "medium" as const, "large" as const),
  local: fc.boolean(),
  capabilities: fc.record({ tools: fc.boolean(), images: fc.boolean(), reasoning: fc.boolean() }),
  contextTokens: fc.integer({ min: 2_000, max: 400_000 }),
  maxOutput: fc.constant(8_000),
  price: fc.option(price, { nil: undefined }),
  scarcity: fc.oneof(fc.constant(1), fc.double({ min: 0.5, max: 500, noNaN: true }), fc.constant(Infinity)),
  down: fc.option(fc.constant("it failed a moment ago"), { nil: undefined, freq: 6 }),
});
const candidates = fc
  .array(candidate, { minLength: 1, maxLength: 6 })
  .map((all): Candidate[] => all.map((each, at) => ({ ...each, arm: `p/m${at}` })));
const needs = fc.record({
  tools: fc.boolean(),
  images: fc.boolean(),
  reasoning: fc.boolean(),
  contextTokens: fc.integer({ min: 1_000, max: 300_000 }),
  localOnly: fc.option(fc.constant("incognito"), { nil: undefined }),
  budget: fc.option(
    fc.record({ left: fc.double({ min: 0, max: 1e7, noNaN: true }), name: fc.constant("the budget") }),
    { nil: undefined },
  ),
});
const type = fc.constantFrom(...taskTypes);
const profile = fc.constantFrom(...routerProfiles);
const counts = fc.record({
  good: fc.double({ min: 0, max: 80, noNaN: true }),
  bad: fc.double({ min: 0, max: 80, noNaN: true }),
});
const wish = fc
  .record({
    candidates,
    needs,
    profile,
    type,
    complexity: fc.double({ min: 0, max: 1, noNaN: true }),
    all: fc.array(counts, { minLength: 6, maxLength: 6 }),
  })
  .map(
    ({ type: kind, complexity, all, ...rest }): Wish => ({
      ...rest,
      work: { type: kind, complexity, by: "words", because: "" },
      seen: (arm) => all[Number(arm.slice(3))] ?? nothingSeen,
    }),
  );
const seed = fc.integer({ min: 0, max: 2 ** 31 });

const plain = (arm: string, more: Partial<Candidate> = {}): Candidate => ({
  ...{ arm, tier: "medium", local: false, contextTokens: 200_000, maxOutput: 8_000, scarcity: 1 },
  capabilities: { tools: true, images: true, reasoning: true },
  price: { input: 1, output: 5, cacheRead: 0.1 },
  ...more,
});
const usual: Needs = { tools: true, images: false, reasoning: false, contextTokens: 10_000 };
const between = (arms: Candidate[], more: Partial<Wish> = {}): Wish => ({
  candidates: arms,
  needs: usual,
  profile: "balanced",
  work: { type: "generation", complexity: 0.3, by: "words", because: "" },
  seen: () => nothingSeen,
  ...more,
});
const chances = (given: Wish): Record<string, number> =>
  Object.fromEntries(decide(given, seededRandom(1)).candidates.map(({ arm, propensity }) => [arm, propensity]));

describe("a choice", () => {
  test("is never of an arm that cannot do the work, and every arm is either weighed or left out with a reason", () => {
    fc.assert(
      fc.property(wish, seed, (given, from) => {
        const { chosen, candidates: weighed, excluded } = decide(given, seededRandom(from));
        const able = feasible(given.candidates, given.needs, given.profile).arms.map(({ arm }) => arm);
        expect(chosen === undefined).toBe(able.length === 0);
        if (chosen !== undefined) expect(able).toContain(chosen);
        const told = [...weighed, ...excluded].map(({ arm }) => arm).sort();
        expect(told).toEqual(given.candidates.map(({ arm }) => arm).sort());
        for (const { reason } of excluded) expect(reason).not.toBe("");
      }),
    );
  });

  test("never leaves the machine where only local arms may be asked, pinned or not", () => {
    fc.assert(
      fc.property(wish, seed, fc.boolean(), (given, from, pins) => {
        const pin = pins ? given.candidates[0]?.arm : undefined;
        const { chosen } = decide(
          { ...given, pin, needs: { ...given.needs, localOnly: "incognito" } },
          seededRandom(from),
        );
        if (chosen !== undefined) expect(given.candidates.find(({ arm }) => arm === chosen)?.local).toBe(true);
      }),
    );
  });

  test("is always the arm that was named, whatever else speaks against it", () => {
    fc.assert(
      fc.property(wish, seed, fc.nat(5), (given, from, at) => {
        const pin = given.candidates[at % given.candidates.length]?.arm;
        const { chosen, candidates: weighed } = decide(
          { ...given, pin, needs: { ...given.needs, localOnly: undefined } },
          seededRandom(from),
        );
        expect(chosen).toBe(pin);
        expect(weighed[0]?.propensity).toBe(1);
      }),
    );
  });

  test("has chances that sum up to 1, and the same seed makes the same one", () => {
    fc.assert(
      fc.property(wish, seed, (given, from) => {
        const decision = decide(given, seededRandom(from));
        const sum = decision.candidates.reduce((total, { propensity }) => total + propensity, 0);
        if (decision.candidates.length > 0) expect(sum).toBeCloseTo(1, 9);
        expect(decide(given, seededRandom(from))).toEqual(decision);
      }),
    );
  });

  test("prefers the cheaper of two that are equally good, in every profile and kind of work", () => {
    fc.assert(
      fc.property(
        profile.filter((each) => each !== "local"),
        type,
        price,
        counts,
        (which, kind, base, known) => {
          const dearer = { input: base.input + 0.5, output: base.output + 2, cacheRead: 0 };
          const arms = [plain("a/dear", { price: dearer }), plain("a/cheap", { price: base })];
          const work = { type: kind, complexity: 0.3, by: "words" as const, because: "" };
          const { candidates: weighed } = decide(
            between(arms, { profile: which, work, seen: () => known }),
            seededRandom(1),
          );
          const [first, second] = ["a/cheap", "a/dear"].map((arm) => weighed.find((each) => each.arm === arm));
          expect(first?.score).toBeGreaterThan(second?.score ?? Infinity);
          expect(first?.propensity).toBeGreaterThanOrEqual(second?.propensity ?? Infinity);
        },
      ),
    );
  });

  test("prefers the better of two that cost the same, the plentiful to the scarce, the warm to the cold", () => {
    const better = between([plain("a/good"), plain("a/bad")], {
      seen: (arm) => (arm === "a/good" ? { good: 18, bad: 2 } : { good: 8, bad: 12 }),
    });
    expect(chances(better)["a/good"]).toBeGreaterThan(0.95);
    const scarce = chances(between([plain("a/plenty"), plain("a/scarce", { scarcity: 6 })]));
    expect(scarce["a/plenty"]).toBeGreaterThan(scarce["a/scarce"] ?? 1);
    const free = { price: { input: 0, output: 0, cacheRead: 0 }, local: true };
    const slow = chances(between([plain("a/plenty", free), plain("a/scarce", { ...free, scarcity: 6 })]));
    expect(slow["a/plenty"]).toBeGreaterThan(slow["a/scarce"] ?? 1);
    const cold = chances(between([plain("a/warm"), plain("a/cold")]));
    const warm = chances(between([plain("a/warm"), plain("a/cold")], { warm: { arm: "a/warm", tokens: 60_000 } }));
    expect(warm["a/warm"]).toBeGreaterThan((cold["a/warm"] ?? 1) + 0.1);
  });

  test("leaves out what has shown itself too poor for the work, but not when nothing else is left", () => {
    const seen = () => ({ good: 1, bad: 30 });
    const poor = decide(
      between([plain("a/poor"), plain("a/new")], { seen: (arm) => (arm === "a/poor" ? seen() : nothingSeen) }),
      seededRandom(3),
    );
    expect(poor.chosen).toBe("a/new");
    expect(poor.excluded).toEqual([expect.objectContaining({ arm: "a/poor", code: "quality" })]);
    expect(fallbacks(poor, new Set(["a/new"]))).toEqual(["a/poor"]);
    expect(decide(between([plain("a/poor")], { seen }), seededRandom(3)).chosen).toBe("a/poor");
  });

  test("goes on to the others in the order of what they promise", () => {
    const decision = decide(
      between([plain("a/x"), plain("a/y"), plain("a/z")], {
        seen: (arm) => ({ good: arm === "a/y" ? 30 : arm === "a/z" ? 25 : 20, bad: 10 }),
      }),
      seededRandom(1),
    );
    expect(fallbacks(decision, new Set())).toEqual(["a/y", "a/z", "a/x"]);
    expect(fallbacks(decision, new Set(["a/y"]))).toEqual(["a/z", "a/x"]);
  });
});

test("costs and quality move the score the right way, whatever the profile, kind and difficulty", () => {
  const complexity = fc.double({ min: 0, max: 1, noNaN: true });
  const two = (max: number) =>
    fc.tuple(fc.double({ min: 0, max, noNaN: true }), fc.double({ min: 0, max, noNaN: true }));
  fc.assert(
    fc.property(fc.tuple(profile, type, complexity), two(100), two(1), ([which, kind, hard], prices, qualities) => {
      const [low = 0, high = 0] = prices.toSorted((left, right) => left - right);
      const [worse = 0, better = 0] = qualities.toSorted((left, right) => left - right);
      const costAt = (dollars: number) =>
        costOf(
          plain("a/b", { price: { input: dollars, output: dollars, cacheRead: 0 } }),
          { type: kind, complexity: hard },
          { profile: which },
        );
      expect(costAt(low).weightedCost).toBeLessThanOrEqual(costAt(high).weightedCost);
      expect(scoreOf(better, kind, 1)).toBeGreaterThanOrEqual(scoreOf(worse, kind, 1));
      expect(qualityOf(worthOf(better, traitsOf[kind]), traitsOf[kind])).toBeCloseTo(better, 6);
    }),
  );
});

test("what a person says stands above everything else, and is changed by themselves only", () => {
  for (const outcome of routerOutcomes) {
    expect(replaces(undefined, outcome)).toBe(true);
    expect(replaces(outcome, outcome)).toBe(false);
    if (outcome !== "good" && outcome !== "bad") {
      expect(replaces(outcome, "bad")).toBe(true);
      expect(replaces("good", outcome)).toBe(false);
    }
    const { reward, weight } = outcomeTraits[outcome];
    expect(reward >= 0 && reward <= 1 && weight > 0).toBe(true);
  }
  expect(replaces("good", "bad")).toBe(true);
  expect(replaces("kept", "passed")).toBe(false);
});

describe("a strategy", () => {
  const armsOf = (count: number) =>
    decide(between(Array.from({ length: count }, (_, at) => plain(`a/m${at}`))), seededRandom(1)).candidates;
  const strategyWish = (count: number, more: object = {}) => ({
    work: { type: "security_review" as const, complexity: 0.6 },
    ...{ profile: "balanced" as const, arms: armsOf(count), chosen: "a/m0" },
    ...{ seen: () => nothingSeen, available: strategyNames },
    ...more,
  });

  test("is one that can be carried out, and the chances of those sum up to 1", () => {
    fc.assert(
      fc.property(fc.subarray([...strategyNames]), fc.integer({ min: 1, max: 3 }), seed, (available, count, from) => {
        const { strategy, strategies } = chooseStrategy(strategyWish(count, { available }), seededRandom(from));
        expect(strategy === "single" || (available.includes(strategy) && count > 1)).toBe(true);
        expect(strategies.reduce((sum, { propensity }) => sum + propensity, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  test("is learned: one that keeps failing is given up, and one that pays off is taken", () => {
    const failing = (name: string) => ({ good: name === "cascade" ? 40 : 2, bad: name === "cascade" ? 2 : 40 });
    const often = (given: ReturnType<typeof strategyWish>) => {
      const random = seededRandom(5);
      const all = Array.from({ length: 200 }, () => chooseStrategy(given, random).strategy);
      return all.filter((each) => each === "cascade").length / all.length;
    };
    expect(often(strategyWish(3, { seen: failing }))).toBeGreaterThan(0.9);
    const opposite = (name: string) => ({ good: name === "cascade" ? 2 : 40, bad: name === "cascade" ? 40 : 2 });
    expect(often(strategyWish(3, { seen: opposite }))).toBeLessThan(0.05);
  });

  test("costs what those who take part cost: the dearer who reviews, the rarer a review", () => {
    const single = (dollars: number) => {
      const arms = decide(
        between([plain("a/m0"), plain("a/m1", { price: { input: dollars, output: dollars, cacheRead: 0 } })]),
        seededRandom(1),
      ).candidates;
      const { strategies } = chooseStrategy(strategyWish(2, { arms, profile: "budget" }), seededRandom(1));
      return strategies.find(({ strategy }) => strategy === "single")?.propensity ?? 0;
    };
    expect(single(20)).toBeGreaterThan(single(0.5));
  });
});

test("another agent's program costs what a run does, takes no part beside others, and stays out where it is barred", () => {
  const run = (micro: number, barred?: string) => ({ program: { run: micro, seen: 0, ...(barred && { barred }) } });
  const score = (more: Partial<Candidate>) => {
    const [first] = decide(between([plain("cli/claude", more)]), seededRandom(1)).candidates;
    return first?.score ?? 0;
  };
  // The same price of tokens: what it reads besides the work makes the difference.
  expect(score(run(60_000))).toBeLessThan(score({}));
  expect(score(run(600_000))).toBeLessThan(score(run(60_000)));
  const left = { ...usual, budget: { left: 100_000, name: "what is left" } };
  expect(feasible([plain("cli/claude", run(90_000))], left, "balanced").arms).toHaveLength(1);
  expect(feasible([plain("cli/claude", run(110_000))], left, "balanced").excluded[0]?.code).toBe("budget");
  expect(feasible([plain("cli/claude", run(1, "plan mode"))], usual, "balanced").excluded).toEqual([
    { arm: "cli/claude", code: "program", reason: "plan mode" },
  ]);
  const decision = decide(
    between([plain("cli/claude", run(1_000)), plain("api/one"), plain("api/two", { tier: "small" })]),
    seededRandom(1),
  );
  const arms = decision.candidates;
  const work = { type: "review" as const, complexity: 0.3 };
  const chosen = (arm: string) =>
    chooseStrategy(
      { work, profile: "balanced", arms, chosen: arm, available: strategyNames, seen: () => nothingSeen },
      seededRandom(1),
    ).strategies.find(({ strategy }) => strategy === "ensemble");
  expect(chosen("cli/claude")?.excluded).toBe("cli/claude does whole turns by itself");
  expect(chosen("api/one")?.excluded).toBeUndefined();
  expect(authorsOf(arms, "api/one")).toEqual(["api/one", "api/two"]);
  expect([pairOf(arms)?.cheap, pairOf(arms)?.strong, judgeOf(arms, ["api/one"])]).not.toContain("cli/claude");
});
