import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Candidate, Needs } from "../../src/model/router/candidate.ts";
import { classify } from "../../src/model/router/classify.ts";
import { decide, fallbacks, type Wish } from "../../src/model/router/decide.ts";
import { cumulative, meanOf, quantile } from "../../src/model/router/distribution.ts";
import { feasible } from "../../src/model/router/feasible.ts";
import { tierOf } from "../../src/model/router/heuristic.ts";
import {
  believed,
  counted,
  elsewhereOf,
  faded,
  nothingSeen,
  seen as countOf,
  takenBack,
} from "../../src/model/router/posterior.ts";
import { propensities } from "../../src/model/router/propensity.ts";
import { beta, gamma, seededRandom } from "../../src/model/router/random.ts";
import { always, evenly, type Logged, replay } from "../../src/model/router/replay.ts";
import { outcomeTraits, replaces } from "../../src/model/router/reward.ts";
import { costOf, scoreOf } from "../../src/model/router/score.ts";
import { chooseStrategy } from "../../src/model/router/strategies.ts";
import { qualityOf, traitsOf, worthOf } from "../../src/model/router/task-types.ts";
import { routerOutcomes, routerProfiles, strategyNames, taskTypes } from "../../src/protocol/router.ts";

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
    fc.property(profile, type, complexity, two(100), two(1), (which, kind, hard, prices, qualities) => {
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

  test("costs what it costs: the dearer the arm, the rarer several of it", () => {
    const single = (dollars: number) => {
      const arms = decide(
        between([plain("a/m0", { price: { input: dollars, output: dollars, cacheRead: 0 } }), plain("a/m1")]),
        seededRandom(1),
      ).candidates;
      const { strategies } = chooseStrategy(strategyWish(2, { arms, profile: "budget" }), seededRandom(1));
      return strategies.find(({ strategy }) => strategy === "single")?.propensity ?? 0;
    };
    expect(single(20)).toBeGreaterThan(single(0.5));
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

describe("the kind of work", () => {
  test.each([
    ["add a .gitignore and a README skeleton", "boilerplate"],
    ["implement an LRU cache class with a time to live", "generation"],
    ["refactor the parser: extract a function for tokens", "refactor"],
    ["review my last commit and tell me what you think", "review"],
    ["write unit tests for src/date.ts", "unit_test"],
    ["plan how we move from REST to GraphQL", "planning"],
    ["coordinate subagents to migrate every package in parallel", "orchestration"],
    ["do a security review of the login handler", "security_review"],
    ["fix the failing test in src/date.ts", "debug"],
    ["why does the server crash on start-up with this stack trace", "debug"],
    ["explain how the scheduler works", "explain"],
    ["what does base/seal.ts do?", "explain"],
    ["behebe den Absturz beim Start", "debug"],
    ["erkläre mir diese Klasse", "explain"],
    ["benenne die Variable um und vereinfache die Schleife", "refactor"],
    ["schreib Tests für den Parser", "unit_test"],
  ] as const)("of %j is %s", (prompt, expected) => {
    expect(classify({ prompt }).type).toBe(expected);
  });

  test("of a mission is the mission's, of plan mode planning", () => {
    expect(classify({ prompt: "fix the crash", mission: "architect" }).type).toBe("planning");
    expect(classify({ prompt: "write the tests first", mission: "tester" }).type).toBe("unit_test");
    expect(classify({ prompt: "fix the crash", mission: "coder" }).type).toBe("debug");
    expect(classify({ prompt: "look for a security vulnerability", mission: "auditor" }).type).toBe("security_review");
    expect(classify({ prompt: "fix the crash", planOnly: true })).toMatchObject({ type: "planning", by: "mode" });
    expect(classify({ prompt: "explain the parser", planOnly: true }).type).toBe("explain");
  });

  test("is found for any text, at once, and hard work counts as harder", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (prompt) => {
        const { type: kind, complexity } = classify({ prompt });
        expect(taskTypes).toContain(kind);
        expect(complexity >= 0 && complexity <= 1).toBe(true);
      }),
    );
    const started = performance.now();
    classify({ prompt: "a ".repeat(500_000) });
    classify({ prompt: `${"add ".repeat(1500)}${"x/".repeat(100_000)}` });
    expect(performance.now() - started).toBeLessThan(500);
    const easy = classify({ prompt: "just a small rename" }).complexity;
    const hard = classify({ prompt: "optimize concurrency across several modules: a.ts, b.ts, c.ts" }).complexity;
    expect(easy).toBeLessThan(0.1);
    expect(hard).toBeGreaterThan(0.5);
  });
});

test("sizes are told by names where they tell, else by prices", () => {
  expect(
    ["openai/gpt-5-nano", "anthropic/claude-haiku-4-5", "ollama/qwen3:8b"].map((arm) => tierOf(arm, undefined)),
  ).toEqual(["small", "small", "small"]);
  expect(
    ["anthropic/claude-opus-4-5", "google/gemini-2.5-pro", "openai/o3"].map((arm) => tierOf(arm, undefined)),
  ).toEqual(["large", "large", "large"]);
  // "gemini" is not mini.
  expect(tierOf("google/gemini-x", { input: 2, output: 8 })).toBe("medium");
  expect(tierOf("openai/gpt-5.1", { input: 1.25, output: 10 })).toBe("medium");
  expect(tierOf("x/unknown", { input: 10, output: 40 })).toBe("large");
  expect(tierOf("ollama/qwen3:32b", { input: 0, output: 0 })).toBe("medium");
});
