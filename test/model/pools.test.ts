import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { openPurse } from "../../src/io/store/purse.ts";
import type { Draw, PoolUse } from "../../src/io/store/pools.ts";
import { blockedBy, drawsFrom, type Pool, standings } from "../../src/model/pools/limits.ts";
import { type PoolParts, Pools } from "../../src/model/pools/pools.ts";
import { multiplier } from "../../src/model/pools/scarcity.ts";
import { momentOf, toldBy } from "../../src/model/contract/told.ts";
import { viewOfTold } from "../../src/model/pools/view.ts";
import { toldTokens } from "../../src/model/contract/told-tokens.ts";
import { WireFault } from "../../src/protocol/request.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { armAt, modelRequest } from "../support/arms.ts";
import { temporaryFolder } from "../support/folders.ts";

const noon = Date.UTC(2026, 4, 20, 12);
const arm = await armAt("http://127.0.0.1:9", { type: "openai-compatible", path: "/v1" });
const request = modelRequest();
const closing: (() => void)[] = [];
afterAll(() => closing.forEach((close) => close()));

/** Time passes only while somebody waits. */
function world(limits: Pool["limits"], file = path.join(temporaryFolder(), "spend.db")) {
  const purse = openPurse(file);
  closing.push(() => purse.close());
  const clock = { now: noon, waits: [] as number[] };
  const parts: PoolParts = {
    pools: [{ name: "shared", limits }],
    store: () => purse.pools,
    now: () => clock.now,
    async pause(ms) {
      clock.now += ms;
    },
  };
  const pools = new Pools(parts);
  const waiting = { signal: new AbortController().signal, waiting: (ms: number) => void clock.waits.push(ms) };
  const draw = (of = arm) => pools.draw(of, request, waiting);
  return { purse, pools, clock, draw, file };
}
const some = { ...noUsage, input: 100, output: 20 };

test("requests per minute: the next one waits until the oldest is a minute old, and says so", async () => {
  const { clock, draw } = world({ arms: ["test"], rpm: 2 });
  for (const at of [0, 10_000]) {
    clock.now = noon + at;
    (await draw())?.settle(some);
  }
  clock.now = noon + 15_000;
  (await draw())?.settle(some);
  expect([clock.now, clock.waits]).toEqual([noon + 60_000, [45_000]]);
});

test("two processes share a pool; what a failed call held is given back", async () => {
  const one = world({ arms: ["test/*"], rpd: 2 });
  const other = world({ arms: ["test/*"], rpd: 2 }, one.file);
  const drawn = await one.draw();
  (await other.draw())?.settle(some);
  drawn?.settle(undefined);
  const again = await one.draw();
  again?.settle(some);
  await expect(other.draw()).rejects.toMatchObject({
    kind: "rate",
    message: expect.stringMatching(/shared.*2 requests per day.*00:00 UTC, in 12 h/),
  });
});

test("what was held becomes what was used, and a server that does not count is taken at what was held", async () => {
  const { purse, draw } = world({ arms: ["test"], tpd: 100_000 });
  const tokens = () => purse.pools.use("shared", noon).day.tokens;
  const drawn = await draw();
  const held = tokens();
  expect(held).toBeGreaterThan(500);
  drawn?.settle(some);
  drawn?.settle("held");
  expect(tokens()).toBe(120);
  (await draw())?.settle(noUsage);
  expect(tokens()).toBe(120 + held);
});

test("a request that no minute has room for is refused at once; money without a price names the key", async () => {
  const small = world({ arms: ["test"], tpm: 100 });
  await expect(small.draw()).rejects.toThrow(/100 tokens per minute.*more than it gives/);
  expect(small.clock.waits).toEqual([]);
  const { price: _free, ...unpriced } = arm;
  await expect(world({ arms: ["test"], usd_per_day: 1 }).draw(unpriced)).rejects.toThrow("The price of test/scripted");
  expect(world({ arms: ["other"], rpm: 1 }).draw()).toBeUndefined();
});

test("money that calls under way hold comes back soon: they are waited for, not given up on", async () => {
  const { clock, draw } = world({ arms: ["test"], usd_per_day: 0.02 });
  const priced = { ...arm, price: { input: 1, output: 30, cacheRead: 1, cacheWrite: 1 } };
  const first = await draw(priced);
  const second = draw(priced);
  await Promise.resolve();
  first?.settle({ ...noUsage, input: 10, output: 10 });
  (await second)?.settle(undefined);
  expect(clock.now).toBeLessThan(noon + 2_000);
});

test("a provider that told it is at its limit is not asked before it said; for longer than a minute it has to say so itself", async () => {
  const { pools, clock, draw } = world({ arms: ["nobody"], rpm: 1 });
  const provider = (told: Record<string, string>) => ({
    ...arm,
    provider: { ...arm.provider, limits: () => toldBy((name) => told[name], clock.now) },
  });
  expect(draw()).toBeUndefined();
  pools.heard(
    provider({
      "x-ratelimit-limit-requests": "60",
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "7s",
    }),
  );
  expect(pools.views(arm.name)).toMatchObject([{ free: 0, scarcity: Number.POSITIVE_INFINITY }]);
  expect(await draw()).toBeUndefined();
  expect(clock.now).toBe(noon + 7_000);
  pools.heard(provider({}), new WireFault("rate", "slow down", { retryAfterMs: 3_600_000 }));
  expect(draw()).toBeUndefined();
  expect(pools.views(arm.name)[0]?.limits.at(-1)).toMatchObject({ limit: "asked to wait", free: 0 });
});

test("what one process was told another one knows", () => {
  const one = world({ arms: ["nobody"] });
  const other = world({ arms: ["nobody"] }, one.file);
  one.pools.heard(arm, new WireFault("rate", "slow down", { retryAfterMs: 30_000 }));
  expect(other.pools.views(arm.name)).toEqual([]);
  other.pools.recall();
  expect(other.pools.views(arm.name)).toMatchObject([{ from: "provider", free: 0 }]);
});

test("headers of limits are read in every form that vendors use", () => {
  expect(momentOf("6m0s", 0)).toBe(360_000);
  expect(momentOf("17ms", 5)).toBe(22);
  expect(momentOf("12", 0)).toBe(12_000);
  expect(momentOf("1779278400", 0)).toBe(1_779_278_400_000);
  expect(momentOf("1779278400000", 0)).toBe(1_779_278_400_000);
  expect(momentOf("2026-05-20T12:00:00Z", 0)).toBe(noon);
  expect(momentOf("soon", 0)).toBeUndefined();
  const anthropic = {
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "49",
    "anthropic-ratelimit-requests-reset": "2026-05-20T12:00:05Z",
    "anthropic-ratelimit-input-tokens-limit": "1000",
    "anthropic-ratelimit-input-tokens-remaining": "100",
    "anthropic-ratelimit-input-tokens-reset": "2026-05-20T12:00:05Z",
    "anthropic-ratelimit-output-tokens-limit": "1000",
    "anthropic-ratelimit-output-tokens-remaining": "900",
    "anthropic-ratelimit-output-tokens-reset": "2026-05-20T12:00:05Z",
  };
  const told = toldBy((name) => (anthropic as Record<string, string>)[name], noon);
  expect(told).toMatchObject({
    requests: { remaining: 49 },
    tokens: { limit: 1000, remaining: 100, resetAt: noon + 5_000 },
  });
  expect(toldBy(() => undefined, noon)).toBeUndefined();
  expect(toldBy((name) => (name.includes("remaining") ? "no" : "1"), noon)).toBeUndefined();
});

test("property: what is allowed never exceeds a limit, and what has to wait fits when it has waited", () => {
  const amount = fc.record({ requests: fc.constant(1), tokens: fc.nat(400), micro: fc.nat(400) });
  const calls = fc.array(fc.record({ amount, after: fc.nat(40_000) }), { maxLength: 40, size: "max" });
  const limits = fc.record(
    {
      rpm: fc.integer({ min: 1, max: 5 }),
      tpm: fc.integer({ min: 1, max: 900 }),
      rpd: fc.integer({ min: 1, max: 20 }),
      tpd: fc.nat(4000),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(limits, calls, (some, list) => {
      const pool: Pool = { name: "p", limits: { ...some, arms: ["a"] } };
      const made: (Draw & { at: number })[] = [];
      let now = noon;
      for (const { amount: each, after } of list) {
        now += after;
        const blocked = blockedBy(pool, useOf(made, now), each, now);
        if (blocked?.until === undefined) {
          if (!blocked) made.push({ ...each, at: now });
          continue;
        }
        expect(blocked.until).toBeGreaterThan(now);
        const next = blockedBy(pool, useOf(made, blocked.until), each, blocked.until);
        expect(next === undefined || next.until === undefined || next.until > blocked.until).toBe(true);
      }
      for (const { at } of made) {
        const { recent, day } = useOf(made, at);
        expect(recent.length).toBeLessThanOrEqual(some.rpm ?? Infinity);
        expect(recent.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(some.tpm ?? Infinity);
        expect(day.requests).toBeLessThanOrEqual(some.rpd ?? Infinity);
        expect(day.tokens).toBeLessThanOrEqual(some.tpd ?? Infinity);
      }
    }),
    { numRuns: 200 },
  );
});

function useOf(made: readonly (Draw & { at: number })[], now: number): PoolUse {
  const before = made.filter(({ at }) => at <= now);
  const sum = (list: readonly Draw[]): Draw =>
    list.reduce(
      (all, each) => ({
        requests: all.requests + each.requests,
        tokens: all.tokens + each.tokens,
        micro: all.micro + each.micro,
      }),
      { requests: 0, tokens: 0, micro: 0 },
    );
  const today = sum(before.filter(({ at }) => new Date(at).getUTCDate() === new Date(now).getUTCDate()));
  return { recent: before.filter(({ at }) => at > now - 60_000), day: today, month: today, open: sum([]) };
}

test("scarcity: 1/free^k, infinite when empty, half of what is about to be given away unused", () => {
  const at = (free: number, resetMs: number, long = true) => ({ limit: "", free, resetAt: noon + resetMs, long });
  const [soon, later] = [1_800_000, 9_000_000];
  expect(multiplier(at(0.5, later), 2, noon)).toBe(4);
  expect(multiplier(at(0.5, later), 4, noon)).toBe(16);
  expect(multiplier(at(0, soon), 2, noon)).toBe(Number.POSITIVE_INFINITY);
  expect(multiplier(at(0.31, soon), 2, noon)).toBe(0.5);
  expect(multiplier(at(0.3, soon), 2, noon)).toBeCloseTo(11.1, 1);
  // A minute is always about to be over.
  expect(multiplier(at(0.5, 1_000, false), 2, noon)).toBe(4);
});

test("whom a pool concerns, and how it stands", () => {
  const pool: Pool = {
    name: "p",
    limits: { arms: ["openai", "anthropic/claude-*", "x/y"], rpd: 10, usd_per_month: 2 },
  };
  expect(["openai/gpt-5", "anthropic/claude-opus-4-5", "x/y"].map((name) => drawsFrom(pool, name))).toEqual([
    true,
    true,
    true,
  ]);
  expect(["openai2/gpt-5", "anthropic/other", "x/yz"].map((name) => drawsFrom(pool, name))).toEqual([
    false,
    false,
    false,
  ]);
  const use = useOf([{ at: noon, requests: 4, tokens: 0, micro: 500_000 }], noon);
  expect(standings(pool, use, noon)).toEqual([
    { limit: "10 requests per day", free: 0.6, resetAt: Date.UTC(2026, 4, 21), long: true },
    { limit: "2 USD per month", free: 0.75, resetAt: Date.UTC(2026, 5, 1), long: true },
  ]);
});

test("whatever moments a provider tells of, what is shown of them can be written as a date", () => {
  const moments = [
    "9999999999999999",
    `1${"0".repeat(400)}`,
    "1e300",
    "-5",
    "NaN",
    "999999999999999d",
    "+275760-09-13T00:00:00Z",
  ];
  for (const moment of moments) {
    const given: Record<string, string> = { remaining: "0", limit: "1", reset: moment };
    const told = toldBy(
      (name) => /^x-ratelimit-(\w+)-requests$/.exec(name)?.[1] && given[name.split("-")[2] ?? ""],
      noon,
    );
    const { limits } = viewOfTold("a/b", { at: noon, ...told, retryAt: 1e300 }, noon);
    for (const { resetAt } of limits) expect(new Date(resetAt).toISOString()).toMatch(/^20/);
  }
});

test("property: whatever a server counts, it is a whole number that a price and a database can bear", () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.anything()), (value) => {
      const tokens = toldTokens(value);
      expect(Number.isSafeInteger(tokens * 1_000) && tokens >= 0).toBe(true);
    }),
  );
  expect([toldTokens(1e308), toldTokens(-1e9), toldTokens("7"), toldTokens(12.4)]).toEqual([1e9, 0, 0, 12]);
});
