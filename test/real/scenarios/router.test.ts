// What the router learns from and is limited by, in the real program.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { RouterExplanation, RouterStats } from "../../../src/protocol/router.ts";
import { openRouterStore } from "../../../src/io/store/router.ts";
import { byResults, shell, write } from "../../scenarios/scene.ts";
import { crew, docsCrew, docsFiles, docsWords } from "../../work/task/crew.ts";
import { approve, taskId } from "../../work/task/tasks.ts";
import { makeCompany, asked, say, told } from "../../scenarios/company.ts";

test("tests that ran last are what a turn came to: most where they were red before, until a person says something else", async () => {
  const runs = { calls: [shell("npm test")] };
  const writes = { calls: [write("done.txt", "yes")] };
  const works = byResults(runs, "red", writes, runs, "mended", runs, "as it was");
  const files = { "package.json": '{ "name": "a", "scripts": { "test": "test -f done.txt" } }' };
  await using town = await makeCompany({ only: works }, "", { files, git: true });
  const { scene } = town;
  const stats = async () => JSON.parse((await scene.run(["router", "stats", "--json"])).stdout) as RouterStats;
  const means: number[] = [];
  // Each in a process of its own: what was red before stands in the session.
  for (const [n, outcome] of ["failing", "passed", "green"].entries()) {
    const { code } = await scene.tell(["--autonomy", "5", ...(n > 0 ? ["--continue"] : []), "fix the crash in a.ts"]);
    expect(code).toBe(0);
    const { arms } = await stats();
    expect(arms).toMatchObject([{ arm: "only/model", type: "debug", n: n + 1, lastOutcome: outcome }]);
    means.push(arms[0]?.mean ?? 0);
  }
  const [red = 0, mended = 0, green = 0] = means;
  expect(mended - red).toBeGreaterThan(2 * (green - mended));
  await scene.run(["router", "bad"]);
  expect((await stats()).arms).toMatchObject([{ n: 3, lastOutcome: "bad" }]);
});

test("what the money that is left does not pay for is not chosen, and a tier is chosen among its own", async () => {
  const more = '[prices."dear/model"]\ninput = 40\noutput = 200\n[router.tiers]\nmine = ["dear/model"]';
  await using town = await makeCompany({ dear: say("dear"), cheap: say("cheap") }, more);
  const { scene } = town;
  const poor = await scene.tell(["--max-cost", "0.01", "explain the parser"]);
  expect(asked(poor.events)).toEqual(["cheap/model"]);
  const tier = await scene.tell(["-m", "mine", "explain the parser"]);
  expect(asked(tier.events)).toEqual(["dear/model"]);
  expect(told(tier.events, "router.chosen")[0]).toContain("nothing else can take it");
  const none = await scene.run(["-p", "-m", "mine", "--max-cost", "0.01", "explain the parser"]);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain("No model can take this");
});

test("a small local model may say what kind of work it is, and is not waited for", async () => {
  await using town = await makeCompany({ only: say("done"), sorter: say("security_review") }, "");
  const { scene } = town;
  const asks = async (env: Record<string, string>) => {
    const { stdout } = await scene.run(["router", "explain", "look at a.ts", "--json"], { env });
    return (JSON.parse(stdout) as RouterExplanation).classification;
  };
  expect(await asks({})).toMatchObject({ by: "words" });
  expect(await asks({ FETTLE_ROUTER_CLASSIFIER: "sorter/model" })).toMatchObject({
    type: "security_review",
    by: "model",
  });
  await using slow = await makeCompany({ only: say("done"), sorter: () => ({ say: "debug", delayMs: 10_000 }) });
  const { stdout } = await slow.scene.run(["router", "explain", "look at a.ts", "--json"], {
    env: { FETTLE_ROUTER_CLASSIFIER: "sorter/model" },
  });
  expect((JSON.parse(stdout) as RouterExplanation).classification).toMatchObject({
    by: "words",
    notByModel: "no answer within 2 s",
  });
});

test("a damaged store is set aside and told, and the turn goes on", async () => {
  await using town = await makeCompany({ only: say("done") });
  const { scene } = town;
  const file = path.join(scene.home.folder, ".local/state/fettle/router.db");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "this is no database, and long enough to be looked at as one".repeat(100));
  const { events, code } = await scene.tell(["explain the parser"]);
  expect(code).toBe(0);
  expect(told(events, "router.memory")[0]).toContain("set aside");
  expect(readFileSync(file).subarray(0, 6).toString()).toBe("SQLite");
});

test("a task asks for the arm of each mission, keeps to it, and its end is what they are judged by", async () => {
  const script = crew(docsCrew);
  await using town = await makeCompany({ one: script, two: script }, "", { files: docsFiles, git: true });
  const { scene } = town;
  const begun = await scene.run(["task", docsWords], { timeoutMs: 60_000 });
  expect(begun.stderr).toMatch(/answers: planning, /);
  const stored = () => {
    const store = openRouterStore(path.join(scene.home.folder, ".local/state/fettle/router.db"));
    const rows = store.decisions(100);
    store.close();
    return rows;
  };
  const architect = stored().find(({ mission }) => mission === "architect");
  expect(architect).toMatchObject({ type: "planning" });
  // Nobody knows yet whether the plan is any good.
  expect(architect?.judged).toBeUndefined();
  expect((await approve(scene, taskId(begun.stderr))).code).toBe(3);
  expect((await approve(scene, taskId(begun.stderr))).code).toBe(0);
  const rows = stored();
  for (const name of new Set(rows.map(({ mission }) => mission)))
    expect(new Set(rows.filter(({ mission }) => mission === name).map(({ chosen }) => chosen)).size).toBe(1);
  for (const { judged } of rows) expect(judged?.outcome).toBe("evidence");
});
