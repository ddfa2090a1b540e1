import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openPurse } from "../../../src/io/store/purse.ts";
import type { PoolUse } from "../../../src/io/store/pools.ts";
import type { SpendRow } from "../../../src/io/store/spend.ts";
import { noteUnpaid } from "../../../src/io/store/unpaid.ts";
import { startChild, until } from "../support/state.ts";
import { temporaryFolder } from "../../support/folders.ts";

const noon = Date.UTC(2026, 4, 20, 12);
const day = 24 * 3_600_000;
const newFile = () => path.join(temporaryFolder(), "spend.db");
const row = (more: Partial<SpendRow>): SpendRow => ({
  at: noon,
  session: "a",
  project: "/p",
  turn: 1,
  round: 1,
  task: "",
  agent: "",
  model: "m/n",
  input: 100,
  cacheRead: 10,
  cacheWrite: 0,
  output: 20,
  reasoning: 5,
  ms: 40,
  micro: 7,
  origins: { prompts: 80, shell: 20 },
  ...more,
});

test("calls come back as they were, and days and months add up across handles and processes", () => {
  const file = newFile();
  const [one, other] = [openPurse(file), openPurse(file)];
  one.spend.add([row({ at: noon - 30 * day, micro: 1000 }), row({ at: noon - 2 * day, micro: 50 }), row({})]);
  other.spend.add([row({ session: "b", micro: null }), row({ session: "b", micro: 70 })]);
  expect([one.spend.month(noon), one.spend.day(noon)]).toEqual([127, 77]);
  expect(one.spend.rows({ since: noon, session: "a" })).toEqual([row({})]);
  expect(one.spend.rows({ session: "b" }).map(({ micro }) => micro)).toEqual([null, 70]);
  one.close();
  other.close();
});

test("a file of the first version is taken over with its sums", () => {
  const file = newFile();
  const old = new DatabaseSync(file);
  old.exec(`create table migration (version integer primary key, at integer not null) strict;
    insert into migration values (1, 0);
    create table spend (at integer not null, session text not null, model text not null, micro integer not null) strict;
    create index spend_at on spend (at, micro);
    insert into spend values (${noon}, 'a', 'm', 5), (${noon + 1}, 'a', 'm', 6), (${noon - 40 * day}, 'a', 'm', 900);`);
  old.close();
  const purse = openPurse(file);
  purse.spend.add([row({ micro: 100, latency: { firstMs: 30, ms: 400 } })]);
  // Calls from before answers were measured say nothing of how long they take.
  expect(purse.spend.answerTimes("m", 0, 9)).toEqual([]);
  expect(purse.spend.answerTimes("m/n", 0, 9)).toEqual([{ firstMs: 30, ms: 400, output: 20 }]);
  expect(purse.spend.timedModels(0)).toEqual(["m/n"]);
  expect([purse.spend.month(noon), purse.spend.day(noon)]).toEqual([111, 111]);
  expect(purse.spend.rows({}).map(({ micro, origins }) => [micro, Object.keys(origins).length])).toEqual([
    [900, 0],
    [5, 0],
    [100, 2],
    [6, 0],
  ]);
  purse.close();
});

test("what a process holds counts for all others until it gives it back; the limit in the way is named", () => {
  const file = newFile();
  const [one, other] = [openPurse(file), openPurse(file)];
  const limits = { month: 1000, day: 300 };
  one.spend.add([row({ at: noon - day, micro: 400 }), row({ micro: 100 })]);
  expect(one.spend.hold(150, limits, noon)).toBeUndefined();
  expect(other.spend.hold(51, limits, noon)).toEqual({ period: "day", left: 50 });
  expect(other.spend.hold(351, { ...limits, day: undefined }, noon)).toEqual({ period: "month", left: 350 });
  expect(other.spend.hold(50, limits, noon)).toBeUndefined();
  one.spend.hold(-150, limits, noon);
  expect(other.spend.left(limits, noon)).toEqual({ period: "day", left: 150 });
  other.close();
  expect(one.spend.left(limits, noon).left).toBe(200);
  one.close();
});

test("kill -9 with money held and pools drawn from leaks nothing: who comes next has all of it", async () => {
  const file = newFile();
  const limits = { month: 500, day: undefined };
  const watcher = openPurse(file);
  const { child, output, ended } = startChild("hold-money", [file, "500", "5"]);
  await until(() => output().split("\n").length > 20);
  const now = Date.now();
  expect(watcher.spend.left(limits, now).left).toBeLessThanOrEqual(500 - 19 * 5);
  child.kill("SIGKILL");
  await ended;
  // Neither a restart nor another process that was there all along is kept waiting.
  expect(watcher.spend.hold(500, limits, now)).toBeUndefined();
  watcher.spend.letGo();
  const use = (purse: typeof watcher): PoolUse => purse.pools.use("shared", now);
  const restarted = openPurse(file);
  expect(restarted.spend.left(limits, now).left).toBe(500);
  expect(use(restarted)).toEqual({
    recent: [],
    open: { requests: 0, tokens: 0, micro: 0 },
    day: { requests: 0, tokens: 0, micro: 0 },
    month: { requests: 0, tokens: 0, micro: 0 },
  });
  restarted.close();
  watcher.close();
});

test("of three processes that hold at once nobody goes above the limit", async () => {
  const file = newFile();
  openPurse(file).close();
  const children = [1, 2, 3].map(() => startChild("hold-money", [file, "600", "7", "60"]));
  await until(() => children.every(({ output }) => output().includes("over")));
  const got = children.map(({ output }) => Math.max(0, ...output().split("\n").map(Number).filter(Number.isFinite)));
  expect(got.reduce((sum, each) => sum + each)).toBe(Math.floor(600 / 7));
});

test("calls that cost nothing are noted beside the file, and taken in once, whatever breaks off in between", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "spend.db");
  noteUnpaid(folder, [row({ micro: 0 }), row({ micro: null })]);
  writeFileSync(path.join(folder, "calls.jsonl"), '{"at": 12, "torn', { flag: "a" });
  const purse = openPurse(file);
  purse.takeIn();
  expect(purse.spend.rows({})).toEqual([row({ micro: 0 }), row({ micro: null })]);
  noteUnpaid(folder, [row({ micro: 0, session: "later" })]);
  const left = path.join(folder, "calls-0a-1b.jsonl");
  renameSync(path.join(folder, "calls.jsonl"), left);
  const content = readFileSync(left);
  purse.takeIn();
  // As after a crash between taking in and removing.
  writeFileSync(left, content);
  purse.takeIn();
  expect(purse.spend.rows({}).map(({ session }) => session)).toEqual(["a", "a", "later"]);
  expect(readdirSync(folder).filter((name) => name.startsWith("calls"))).toEqual([]);
  purse.close();
});

test("lines that are no calls cost nobody the bill", () => {
  const folder = temporaryFolder();
  const odd = [
    "{}",
    "null",
    "[1]",
    '"x"',
    JSON.stringify(row({ micro: 1.5 })),
    JSON.stringify({ ...row({}), at: "now" }),
  ];
  writeFileSync(path.join(folder, "calls.jsonl"), `${odd.join("\n")}\n`);
  noteUnpaid(folder, [row({ micro: 0, session: "kept" })]);
  const purse = openPurse(path.join(folder, "spend.db"));
  purse.takeIn();
  expect(purse.spend.rows({}).map(({ session }) => session)).toEqual(["kept"]);
  purse.close();
});
