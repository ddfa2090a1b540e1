// What a run may not leave behind: one side of a move whose other side stays, an empty file for a hidden one, a deletion of
// what nobody was shown; and how its files come to the disk.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { assessment, effect } from "./assessments.ts";
import { dropped, type LayeredTestWorld, openLayered } from "./layered-world.ts";
import { heldChanges } from "../../src/guard/fence/layered.ts";
import { runHeld } from "../../src/guard/held.ts";

let world: LayeredTestWorld;

afterEach(async () => {
  world.layers.close();
  await world.close();
});

/** Runs it and says yes to what it holds. */
async function allowed(command: string) {
  const action = { kind: "shell" as const, command, background: false };
  const grant = world.grant(
    action,
    assessment("L1", [effect("execute", "x", { part: command })], { tags: ["process"] }),
  );
  await grant.process.run();
  const held = world.fence.outcome(grant)?.held ?? [];
  const changes = heldChanges(held);
  const effects = changes.flatMap((change) => [
    effect("delete", world.at(change.path)),
    effect("write", world.at(change.op === "move" ? change.to : change.path)),
  ]);
  const answer = world.grant({ kind: "change", changes }, assessment("L2", effects));
  return runHeld(answer, { held, applied: [] });
}

test("a move that is not allowed leaves things as before, under either name", async () => {
  world = openLayered();
  world.put("a", "the person's");
  world.put("there", "other");
  world.put("folder/x", "1");
  world.put("folder/deep/y", "2");
  writeFileSync(world.at("raw"), Buffer.from([0xff, 0xfe, 0]));
  const one = await world.runQuiet("mv a b");
  expect(one.held).toEqual(["move a"]);
  const over = await world.runQuiet("mv a there");
  expect(over.held).toEqual(["write there", "delete a"]);
  const folder = await world.runQuiet("mv folder moved; echo n > own");
  expect(folder.held).toEqual(["move folder/deep/y", "move folder/x"]);
  expect(folder.written?.applied).toEqual(["own"]);
  const bytes = await world.runQuiet("mv a raw");
  expect([bytes.held, dropped(bytes)]).toEqual([["write raw", "delete a"], []]);
  const shown = await world.runQuiet("mv raw there");
  expect(shown.held).toEqual([]);
  expect(shown.written?.dropped.map(({ path: at, why }) => `${at}: ${why}`)).toEqual([
    "raw: it was moved over there, which could not be shown",
    "there: it is raw, which the command moved there, and which stays where it is",
  ]);
  for (const name of ["b", "moved"]) expect([name, existsSync(world.at(name))]).toEqual([name, false]);
  expect(["a", "there", "folder/x", "folder/deep/y"].map((name) => world.get(name))).toEqual([
    ...["the person's", "other", "1", "2"],
  ]);
});

test("a move that is allowed is done on both sides, and one that changes the content is a deletion", async () => {
  world = openLayered();
  world.put("a", "the person's");
  world.put("folder/x", "1");
  world.put("c", "long enough");
  expect((await allowed("mv a b; mv folder moved")).status).toBe("done");
  expect([existsSync(world.at("a")), world.get("b"), world.get("moved/x")]).toEqual([false, "the person's", "1"]);
  const changed = await world.run("mv c d; echo more >> d");
  expect([changed.held, changed.written?.applied]).toEqual([["delete c"], ["d"]]);
});

test("a hidden file under another name is told, and leaves no empty file", async () => {
  world = openLayered({ masked: [".env", "conf/.env"] });
  for (const name of [".env", "conf/.env", "conf/x"]) world.put(name, "TOKEN=hunter2hunter2");
  const exit = await world.run("mv .env seen; mv conf conf2; touch empty");
  expect(exit.written?.applied).toEqual(["empty"]);
  expect(exit.written?.dropped).toContainEqual({
    path: "seen",
    why: "it is .env, which the command moved there, and which stays where it is",
  });
  expect(["seen", "conf2"].filter((name) => existsSync(world.at(name)))).toEqual([]);
  expect(world.get("conf/x")).toBe("TOKEN=hunter2hunter2");
});

test("what comes into a folder after its deletion was allowed stays, and is told", async () => {
  world = openLayered();
  world.put("old/a", "a");
  world.put("old/deep/b", "b");
  const running = world.run("rm -r old; sleep 0.8", { effects: [effect("delete", world.at("old"))] });
  await new Promise((resolve) => setTimeout(resolve, 400));
  mkdirSync(world.at("old/new"), { recursive: true });
  writeFileSync(world.at("old/new/theirs"), "theirs");
  const exit = await running;
  expect(world.get("old/new/theirs")).toBe("theirs");
  expect(["old/a", "old/deep"].filter((name) => existsSync(world.at(name)))).toEqual([]);
  expect(exit.written?.dropped).toEqual([
    { path: "old/new/theirs", why: "somebody put it there meanwhile, so it stays" },
  ]);
  expect(exit.written?.removed ?? []).toEqual([]);
});

test("new files come to the disk together, and what replaces a file is flushed before it does", async () => {
  world = openLayered();
  const child = path.join(import.meta.dirname, "children", "flushes.ts");
  const told = JSON.parse(execFileSync(process.execPath, [child], { encoding: "utf8" })) as { flushes: number };
  expect(told).toEqual({ flushes: 1, applied: 301, last: "300\n" });
});
