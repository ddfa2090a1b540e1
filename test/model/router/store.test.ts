import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { RouterMemory } from "../../../src/app/models/routing/memory.ts";
import { type CountsRow, type DecisionRow, openRouterStore } from "../../../src/io/store/router.ts";
import { places } from "../../../src/io/places/places.ts";
import { projectRoot } from "../../support/program.ts";
import { temporaryFolder } from "../../support/folders.ts";

let folder = "";
const file = () => path.join(folder, "fettle", "router.db");
const programOf = (incognito = false) => ({
  incognito,
  places: places({ HOME: folder, XDG_STATE_HOME: folder } as NodeJS.ProcessEnv),
});

beforeEach(() => {
  folder = temporaryFolder();
});

const decision = (id: string, more: Partial<DecisionRow> = {}): DecisionRow => ({
  ...{ id, at: Date.now(), session: "s", turn: 1, type: "debug", complexity: 0.2, profile: "balanced" },
  ...{ chosen: "a/x", propensities: { "a/x": 0.7, "a/y": 0.3 }, strategy: "single" },
  ...more,
});
const counts = (key: string, good: number): CountsRow => ({
  ...{ kind: "arm", key, type: "debug", good, bad: 0, n: 1, at: 1, round: 1, outcome: "kept" },
});

describe("what was learned", () => {
  test("is there for the next process, and a stronger outcome takes the place of a weaker one", () => {
    const first = new RouterMemory(programOf());
    first.note(decision("d1"));
    expect(first.judge(decision("d1"), "passed")).toBe(true);
    expect(first.judge(decision("d1"), "stuck")).toBe(false);
    first.close();
    const second = new RouterMemory(programOf());
    const seen = () => second.seenArms("debug", [])("a/x");
    expect(Math.round(seen().good * 1e6) / 1e6).toBe(1);
    // The log's row knows of the first outcome; what it counted for is gone.
    expect(second.judge(decision("d1"), "bad")).toBe(true);
    expect(seen().good).toBeCloseTo(0, 6);
    expect(seen().bad).toBeCloseTo(2, 6);
    expect(second.seenStrategies("debug")("single").bad).toBeCloseTo(2, 6);
    expect(second.decisionsOf("s")[0]?.judged?.outcome).toBe("bad");
    second.close();
  });

  test("is neither read nor written incognito", () => {
    const open = new RouterMemory(programOf());
    open.note(decision("d1"));
    open.judge(decision("d1"), "good");
    open.close();
    const before = readFileSync(file());
    const hidden = new RouterMemory(programOf(true));
    hidden.note(decision("d2"));
    expect(hidden.judge(decision("d1"), "bad")).toBe(false);
    expect(hidden.seenArms("debug", [])("a/x")).toMatchObject({ good: 0, bad: 0 });
    expect(hidden.decisionsOf("s")).toEqual([]);
    hidden.close();
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  test("is set aside when its file is damaged, and that is told; routing goes on", () => {
    const whole = new RouterMemory(programOf());
    whole.note(decision("d1"));
    whole.close();
    writeFileSync(file(), Buffer.alloc(8192, 7));
    const memory = new RouterMemory(programOf());
    memory.note(decision("d2"));
    expect(memory.decisionsOf("s").map(({ id }) => id)).toEqual(["d2"]);
    expect(memory.news()).toEqual([expect.stringContaining("set aside")]);
    expect(memory.news()).toEqual([]);
    memory.close();
    expect(readdirSync(path.dirname(file())).some((name) => name.startsWith("router.db.broken-"))).toBe(true);
  });

  test("loses only the rows that do not fit their checksum, and says so", () => {
    const store = openRouterStore(file());
    store.putCounts(counts("a/x", 3));
    store.putCounts(counts("a/y", 4));
    store.close();
    const raw = new DatabaseSync(file());
    raw.exec(`update counts set json = replace(json, '"good":3', '"good":900') where key = 'a/x'`);
    raw.close();
    const again = openRouterStore(file());
    expect(again.counts().map(({ key }) => key)).toEqual(["a/y"]);
    expect(again.notices).toEqual([expect.stringContaining("Damaged rows")]);
    again.close();
  });

  test("is not touched by a fettle that is older than its file", () => {
    openRouterStore(file()).close();
    const raw = new DatabaseSync(file());
    raw.exec("insert into migration values (99, 0)");
    raw.close();
    const memory = new RouterMemory(programOf());
    expect(memory.seenArms("debug", [])("a/x")).toMatchObject({ good: 0, bad: 0 });
    expect(memory.news()).toEqual([expect.stringContaining("newer fettle")]);
    memory.close();
    expect(existsSync(file())).toBe(true);
  });

  test("can be forgotten: of an arm, of a kind of work, or all of it", () => {
    const store = openRouterStore(file());
    store.putCounts(counts("a/x", 3));
    store.putCounts({ ...counts("a/x", 3), type: "explain" });
    store.putCounts(counts("a/y", 3));
    store.putDecision(decision("d1"));
    store.putDecision(decision("d2", { chosen: "a/y" }));
    expect(store.reset({ arm: "a/x", type: "debug" })).toBe(1);
    expect(
      store
        .counts()
        .map(({ key, type }) => `${key} ${type}`)
        .sort(),
    ).toEqual(["a/x explain", "a/y debug"]);
    expect(store.decisions(10).map(({ id }) => id)).toEqual(["d2"]);
    expect(store.reset({})).toBe(2);
    expect(store.totals()).toEqual({ total: 0, judged: 0 });
    store.close();
  });
});

const worker = `
  import { RouterMemory } from "${projectRoot}/src/app/models/routing/memory.ts";
  import { places } from "${projectRoot}/src/io/places/places.ts";
  const [folder, name, count] = process.argv.slice(2);
  const memory = new RouterMemory({ incognito: false, places: places({ HOME: folder, XDG_STATE_HOME: folder }) });
  for (let at = 0; at < Number(count); at += 1) {
    const row = { id: name + at, at: Date.now(), session: name, turn: at, type: "debug", complexity: 0, profile: "balanced",
      chosen: "a/x", propensities: { "a/x": 1 }, strategy: "single" };
    memory.note(row);
    memory.judge(row, "good");
    process.stdout.write(at + "\\n");
  }
  memory.close();
`;

function start(name: string, count: number) {
  const script = path.join(folder, "worker.ts");
  writeFileSync(script, worker);
  const child = spawn("sh", [path.join(projectRoot, "scripts/run.sh"), script, folder, name, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = 0;
  child.stdout.on("data", (chunk: Buffer) => (told += String(chunk).split("\n").length - 1));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return { child, ended, told: () => told };
}

test("several processes count every outcome once, and kill -9 leaves all of an outcome or nothing", async () => {
  const all = ["p", "q"].map((name) => start(name, 40));
  const killed = start("k", 4_000);
  while (killed.told() < 5) await new Promise((resolve) => setTimeout(resolve, 5));
  killed.child.kill("SIGKILL");
  await Promise.all([...all, killed].map(({ ended }) => ended));
  const store = openRouterStore(file());
  const judged = store.decisions(10_000).filter((row) => row.judged !== undefined).length;
  expect(judged).toBeGreaterThanOrEqual(80 + 5);
  expect(store.rounds()).toBe(judged);
  expect(store.countsOf({ kind: "arm", key: "a/x", type: "debug" })?.n).toBe(judged);
  expect(store.notices).toEqual([]);
  store.close();
});
