// A new key is told to the ledgers of all projects.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openLedger } from "../../../src/guard/ledger/ledger.ts";
import { loadKeyPair } from "../../../src/io/journal/key.ts";
import { places, projectPlaces } from "../../../src/io/places/places.ts";
import { openStore } from "../../../src/io/store/store.ts";
import { makeScene, oneRefused } from "../../scenarios/scene.ts";

test("a new key is told to the ledgers of all projects and signs them: each verifies, none takes the old key", async () => {
  await using scene = await makeScene(oneRefused);
  const elsewhere = path.join(scene.home.folder, "elsewhere");
  const [broken, deaf] = ["broken", "a-deaf"].map((name) => path.join(scene.home.folder, name)) as [string, string];
  const projects = [scene.folder, elsewhere];
  for (const cwd of [...projects, broken, deaf]) {
    mkdirSync(cwd, { recursive: true });
    await scene.run(["-p", "write the file"], { cwd });
  }
  const state = path.join(scene.home.folder, ".local/state/fettle");
  const copy = path.join(scene.home.folder, "copy");
  mkdirSync(copy);
  cpSync(path.join(state, "ledger-key"), path.join(copy, "ledger-key"));
  const old = loadKeyPair(copy);
  const keys = await scene.run(["audit", "key", "--json"]);
  expect((await scene.run(["audit", "key", "--rotate"])).code).toBe(0);
  expect((await scene.run(["audit", "key", "--json"])).stdout).not.toBe(keys.stdout);
  for (const cwd of projects) {
    const { code, stdout } = await scene.run(["audit", "verify"], { cwd });
    expect([cwd, code, stdout]).toEqual([cwd, 0, expect.stringContaining("Tamper-evident")]);
  }
  // A ledger that cannot be told or signed is named, and keeps none of the others from it.
  const of = (cwd: string) => projectPlaces(places(scene.home.env), cwd);
  writeFileSync(of(broken).database, "no database, but long enough to be read as one\n".repeat(50));
  const told = path.join(of(deaf).ledger, "keys.jsonl");
  rmSync(told);
  mkdirSync(told);
  const again = await scene.run(["audit", "key", "--rotate"]);
  expect(again).toMatchObject({ code: 7, stdout: "" });
  expect(again.stderr).toMatch(/could not sign the ledger of a-deaf-\w+, broken-\w+ \([^\n]+\nA copy/);
  for (const cwd of projects) {
    const { code, stdout } = await scene.run(["audit", "verify"], { cwd });
    expect([cwd, code, stdout]).toEqual([cwd, 0, expect.stringContaining("Tamper-evident")]);
  }
  const store = openStore(of(elsewhere).database);
  const forger = openLedger({ folder: of(elsewhere).ledger, store, key: () => old, actor: "mallory" });
  forger.note("forged", {});
  forger.seal("session.end");
  forger.close();
  store.close();
  const forged = await scene.run(["audit", "verify"], { cwd: elsewhere });
  expect(forged).toMatchObject({ code: 7, stdout: expect.stringContaining("a key that had handed over to another") });
});
