// Several models at once: which one is asked, what happens when it fails, and what is learned from it.
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { RouterExplanation, RouterStats } from "../../src/protocol/router.ts";
import { openPurse } from "../../src/io/store/purse.ts";
import { type Script } from "../support/model-server.ts";
import { type Scene, stopOf } from "./scene.ts";
import { makeCompany, asked, say, told } from "./company.ts";
const refuse =
  (status: number, headers?: Record<string, string>): Script =>
  () => ({ status, say: "scripted failure", ...(headers && { headers }) });
const ledgerOf = (scene: Scene) => scene.run(["audit", "query", "model.call", "--json"]);

describe("where a model fails", () => {
  test("the next one is asked, visibly, and the ledger says that it was not the planned one", async () => {
    const scripts = { broken: refuse(429, { "retry-after": "3600" }), gone: refuse(404), good: say("done") };
    await using town = await makeCompany(
      scripts,
      '[prices."good/model"]\ninput = 40\noutput = 200\n[budget]\nsession_limit_usd = 0\nmonthly_limit_usd = 0',
    );
    const { scene } = town;
    const { events, code } = await scene.tell(["explain the parser"]);
    expect(code).toBe(0);
    expect(stopOf(events)?.kind).toBe("done");
    expect(asked(events).at(-1)).toBe("good/model");
    expect(asked(events).length).toBeGreaterThan(1);
    const fallbacks = told(events, "router.fallback");
    expect(fallbacks.at(-1)).toMatch(/failed, good\/model is asked instead: /);
    const planned = told(events, "router.chosen")[0]?.split(" ")[0];
    const { stdout } = await ledgerOf(scene);
    expect(stdout).toContain('"departure"');
    expect(stdout).toContain(`"planned":"${planned}"`.replace(/:/g, stdout.includes('": "') ? ": " : ":"));
    const stats = JSON.parse((await scene.run(["router", "stats", "--json"])).stdout) as RouterStats;
    for (const { arm, lastOutcome } of stats.arms) if (arm !== "good/model") expect(lastOutcome).toBe("failed");
    expect(stats.arms.length).toBeGreaterThan(0);
  });

  test("in the middle of its answer, the next one begins anew and is told so", async () => {
    await using town = await makeCompany(
      { cut: () => ({ say: "half of an answer that is long enough", cut: true }), good: say("whole") },
      '[prices."good/model"]\ninput = 40\noutput = 200\n[budget]\nsession_limit_usd = 0\nmonthly_limit_usd = 0\n[router.tiers]\nfirst = ["cut/model", "good/model"]',
    );
    // It is drawn: until the one that breaks off was.
    for (let run = 0; run < 6; run += 1) {
      const { events, code } = await town.scene.tell(["explain the parser"]);
      expect(code).toBe(0);
      if (asked(events)[0] !== "cut/model") continue;
      expect(asked(events).at(-1)).toBe("good/model");
      expect(JSON.stringify(town.servers["good"]?.requests.at(-1)?.body)).toContain("broke off");
      return;
    }
    throw new Error("the one that breaks off was never drawn");
  });

  test("and all others do, too, the last reason is told; a named model is never replaced", async () => {
    await using town = await makeCompany({ one: refuse(404), two: refuse(404), good: say("done") });
    const { scene, servers } = town;
    const named = await scene.tell(["-m", "one/model", "explain the parser"]);
    expect(named.code).toBe(1);
    expect(stopOf(named.events)?.code).toBe("not-found");
    expect(asked(named.events)).toEqual(["one/model"]);
    expect(servers["good"]?.requests).toHaveLength(0);
    await servers["good"]?.close();
    const all = await scene.tell(["explain the parser"]);
    expect(all.code).toBe(1);
    expect(new Set(asked(all.events))).toEqual(new Set(["one/model", "two/model", "good/model"]));
    expect(stopOf(all.events)?.kind).toBe("provider");
  });
});

test("how long answers take is measured, shown, and weighed: of two equals the faster one is asked more often", async () => {
  await using town = await makeCompany({ one: say("a"), two: say("b") });
  const { scene, chances } = town;
  expect((await scene.tell(["-m", "one/model", "explain the parser"])).code).toBe(0);
  const stats = async () => JSON.parse((await scene.run(["router", "stats", "--json"])).stdout) as RouterStats;
  const [own, ...others] = (await stats()).latency;
  expect([own?.arm, own?.answers, others]).toEqual(["one/model", 1, []]);
  expect(own?.p90Ms).toBeGreaterThanOrEqual(own?.medianMs ?? Infinity);
  // One answer says nothing yet.
  expect((await chances("explain the parser"))["one/model"]).toBeCloseTo(0.5, 1);
  const purse = openPurse(path.join(scene.home.folder, ".local/state/fettle/spend.db"));
  const call = {
    at: Date.now(),
    session: "s",
    project: "",
    turn: 1,
    round: 1,
    task: "",
    agent: "",
    micro: 0,
    origins: {},
  };
  const taken = { input: 10, cacheRead: 0, cacheWrite: 0, output: 100, reasoning: 0, ms: 0 };
  for (const [model, ms] of [
    ["one/model", 30_000],
    ["two/model", 3_000],
  ] as const)
    purse.spend.add(Array.from({ length: 9 }, () => ({ ...call, ...taken, model, latency: { firstMs: 500, ms } })));
  purse.close();
  expect((await scene.run(["router", "stats"])).stdout).toMatch(/first token.*median.*\none\/model +10 +500 ms +30 s/);
  const weighed = await chances("explain the parser");
  expect(weighed["two/model"]).toBeGreaterThan((weighed["one/model"] ?? 1) + 0.05);
  const env = { FETTLE_ROUTER_LATENCY_WEIGHT: "0" };
  const { stdout } = await scene.run(["router", "explain", "explain the parser", "--json"], { env });
  for (const { propensity } of (JSON.parse(stdout) as RouterExplanation).candidates)
    expect(propensity).toBeCloseTo(0.5, 1);
});
