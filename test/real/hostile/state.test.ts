// State that somebody damaged: told, refused or gone on with.
import {
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeScene, type Scene, configure } from "../../scenarios/scene.ts";
import { expectNothingLost, expectNoTrace, expectRefused } from "../../hostile/support.ts";
import { turns, ledger, segment } from "../../hostile/damage.ts";

interface Damage {
  what: string;
  harm(state: string): void;
  /** Of standard error. */
  says: RegExp;
  /** Of `audit verify`; undefined: it says the same. */
  audit?: RegExp;
  /** What a person does to go on, as the message says. */
  mend(state: string): void;
}

const database = (state: string) => path.join(state, "state.db");
const aside = (file: string) => rmSync(file, { recursive: true });

const refusing: Damage[] = [
  {
    what: "a state.db that is none",
    harm: (state) =>
      writeFileSync(database(state), "this is no database, but long enough to be read as one\n".repeat(50)),
    says: /^fettle: \S+state\.db is damaged \(file is not a database\)\.\nPut back a copy, or move it aside to begin anew: mv '\S+state\.db' '\S+state\.db\.broken'$/m,
    mend: (state) => aside(database(state)),
  },
  {
    what: "half a state.db",
    harm: (state) => truncateSync(database(state), Math.floor(statSync(database(state)).size / 2)),
    says: /^fettle: \S+state\.db is damaged \(database disk image is malformed\)\.\nPut back a copy/,
    mend: (state) => aside(database(state)),
  },
  {
    what: "overwritten pages of state.db",
    harm(state) {
      const file = openSync(database(state), "r+");
      writeSync(file, Buffer.alloc(8192, 0x55), 0, 8192, 4096);
      closeSync(file);
    },
    says: /^fettle: \S+state\.db is damaged \(database disk image is malformed\)\.\nPut back a copy/,
    mend: (state) => aside(database(state)),
  },
  {
    what: "a folder in place of state.db",
    harm(state) {
      aside(database(state));
      mkdirSync(database(state));
    },
    says: /^fettle: \S+state\.db is damaged \(it is a folder\)\.\nPut back a copy, or move it aside/,
    mend: (state) => aside(database(state)),
  },
];

/** What somebody did to the ledger is told, never signed over; work goes on in a new segment. */
const unproven: { what: string; harm(state: string): void }[] = [
  {
    what: "a ledger without its end",
    harm: (state) => truncateSync(segment(state), statSync(segment(state)).size - 200),
  },
  { what: "a ledger that was removed", harm: (state) => aside(ledger(state)) },
  {
    what: "a ledger of the right size with other bytes",
    harm: (state) => writeFileSync(segment(state), Buffer.alloc(statSync(segment(state)).size)),
  },
];

test.concurrent.each(unproven)("$what: told, gone on with, and never verified again", async ({ harm }) => {
  await using scene = await makeScene(turns);
  expect((await scene.run(["-p", "go"])).code).toBe(0);
  harm(scene.state());
  const said = await scene.run(["-p", "go"]);
  expect(said.code).toBe(0);
  expect(said.stderr).toMatch(/ledger/);
  const audit = await scene.run(["audit", "verify"]);
  expect([audit.code, audit.stdout]).toEqual([7, expect.stringMatching(/^✗ The ledger is broken/)]);
  expectNoTrace(said, audit);
});

const stopping: (Damage & { code: number })[] = [
  {
    what: "a file in place of the ledger",
    harm(state) {
      aside(ledger(state));
      writeFileSync(ledger(state), "x");
    },
    says: /The ledger in \S+ cannot be written \(it is not a folder\), so nothing may run\./g,
    ...{ code: 7, audit: /^fettle: The ledger in \S+ cannot be written \(it is not a folder\), so nothing may run\./ },
    mend: aside,
  },
  {
    what: "checkpoints that are no repository",
    harm: (state) => writeFileSync(path.join(state, "snapshots.git/HEAD"), "garbage"),
    says: /git could not do this for a checkpoint: fatal: not a git repository: '\S+snapshots\.git'\. If that goes on, move the earlier checkpoints aside: mv '\S+' '\S+\.broken'/g,
    ...{ code: 1, audit: /^✓ The ledger is whole/ },
    mend: (state) => aside(path.join(state, "snapshots.git")),
  },
];

async function damaged(scene: Scene, { harm }: Damage): Promise<string> {
  expect((await scene.run(["-p", "go"])).code).toBe(0);
  harm(scene.state());
  scene.put("a.txt", "untouched\n");
  return scene.state();
}

test.concurrent.each(refusing)("$what: 7, named, with the way to go on", async (damage) => {
  await using scene = await makeScene(turns);
  const state = await damaged(scene, damage);
  const asked = scene.server.requests.length;
  expectRefused(await scene.run(["-p", "go"]), 7, damage.says);
  expectRefused(await scene.run(["audit", "verify"]), 7, damage.says);
  expect(scene.server.requests).toHaveLength(asked);
  expect(scene.text("a.txt")).toBe("untouched\n");
  damage.mend(state);
  expect((await scene.run(["-p", "go"])).code).toBe(0);
  // The ledger is older than the new database, and goes on.
  await expectNothingLost(scene);
  const { stdout } = await scene.run(["audit", "query", "--json", "-n", "100"]);
  expect(stdout.match(/"effect\.begin"/g)).toHaveLength(2);
});

test.concurrent.each(stopping)("$what: $code, told once, nothing is changed", async (damage) => {
  await using scene = await makeScene(turns);
  const state = await damaged(scene, damage);
  const said = await scene.run(["-p", "go"]);
  expect({ code: said.code, stdout: said.stdout }).toEqual({ code: damage.code, stdout: "" });
  const text = said.stderr.replace(/\n +/g, " ");
  expect(text.match(damage.says)).toHaveLength(1);
  expect(scene.text("a.txt")).toBe("untouched\n");
  const audit = await scene.run(["audit", "verify"]);
  expect(audit.stdout + audit.stderr).toMatch(damage.audit ?? damage.says);
  expectNoTrace(said, audit);
  damage.mend(state);
  expect((await scene.run(["-p", "go"])).code).toBe(0);
});

test.concurrent("a damaged key or record of money: named, 7, and nothing is spent without the record", async () => {
  await using scene = await makeScene(turns);
  const state = path.join(scene.home.folder, ".local/state/fettle");
  configure(scene, '[prices."openai/scripted"]\ninput = 1\noutput = 1\n');
  expect((await scene.run(["-p", "go"])).code).toBe(0);
  const copy = path.join(scene.home.folder, "copy");
  cpSync(state, copy, { recursive: true });
  writeFileSync(path.join(state, "ledger-key"), "junk");
  const key = await scene.run(["-p", "go"]);
  expect(key).toMatchObject({ code: 7, stdout: "Done.\n" });
  expect(key.stderr).toMatch(
    /\nfettle: The key in \S+ledger-key that signs the ledger cannot be used \(not valid JSON\); what was recorded stays unsigned\.\nPut back a copy, or move it aside[^\n]+\n$/,
  );
  cpSync(path.join(copy, "ledger-key"), path.join(state, "ledger-key"));
  writeFileSync(path.join(state, "spend.db"), "this is no database, but long enough to be read as one\n".repeat(50));
  const asked = scene.server.requests.length;
  const money = await scene.run(["-p", "go"]);
  expect({ code: money.code, stdout: money.stdout }).toEqual({ code: 7, stdout: "" });
  expect(
    money.stderr.replace(/\n +/g, " ").match(/\S+spend\.db is damaged \(file is not a database\)\./g),
  ).toHaveLength(1);
  expect(scene.server.requests).toHaveLength(asked);
  expectNoTrace(key, money);
  expect(readdirSync(state).sort()).toEqual(["firewall-key", "ledger-heads", "ledger-key", "projects", "spend.db"]);
});
