// Runs that are stopped beside damaged state, and what killed ones have left.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../src/io/store/store.ts";
import { open, working, processes, openStubborn } from "../../scenarios/working.ts";

test("another project's damaged state is told, and keeps nobody from stopping the rest", async () => {
  await using scene = await open("touch begun; sleep 20");
  const run = await working(scene);
  const other = path.join(path.dirname(scene.state()), "aaa-000000000000");
  mkdirSync(other);
  writeFileSync(path.join(other, "state.db"), "no database".repeat(500));
  const stop = await scene.run(["stop", "--all", "--everywhere", "--force", "--json"]);
  expect(JSON.parse(stop.stdout)).toMatchObject([
    { project: "aaa-000000000000", outcome: "unreadable", title: expect.stringContaining("is damaged") },
    { pid: run.child.pid, outcome: "killed" },
  ]);
  expect(stop.code).toBe(1);
  await run.exited;
  expect((await scene.run(["stop", "aaa-"])).stderr).toContain("No process works on session");
});

test("what a killed run left behind is cleared", async () => {
  const opened = await openStubborn({ FETTLE_SANDBOX_ENABLED: "false" });
  await using scene = opened.scene;
  const { mark } = opened;
  const run = await working(scene);
  run.signal("SIGKILL");
  await run.exited;
  expect(processes(mark).length).toBeGreaterThan(0);
  const stop = await scene.run(["stop", "--all", "--json"]);
  expect(JSON.parse(stop.stdout)).toMatchObject([{ state: "dead", outcome: "cleaned" }]);
  expect(processes(mark)).toEqual([]);
});

test("only what its lease proves is fettle's is signalled", async () => {
  await using scene = await open("touch begun; sleep 60");
  const run = await working(scene);
  const store = openStore(path.join(scene.state(), "state.db"));
  const bystander = spawn("/bin/sleep", ["60"]);
  try {
    // The number of another process with the start of fettle's: what remains of a run that ended long ago.
    store.database.run("update lease set pid = ?", bystander.pid ?? 0);
    const stop = await scene.run(["stop", "--all", "--json"]);
    expect(JSON.parse(stop.stdout)).toMatchObject([{ pid: bystander.pid, state: "dead" }]);
    await sleep(200);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  } finally {
    bystander.kill("SIGKILL");
    store.close();
    run.signal("SIGKILL");
    await run.exited;
  }
  const unknown = await scene.run(["stop", "20000101-ffffff"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("No process works on session")]);
});
