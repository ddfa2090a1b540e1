// The daemon in the real program: what it keeps fresh, and what it survives.
import { readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { DaemonStatus } from "../../src/protocol/daemon.ts";
import { makeScene, type Scene } from "../scenarios/scene.ts";

const status = (scene: Scene) => scene.read("daemon.status", {});

async function until(scene: Scene, wanted: (status: DaemonStatus) => boolean): Promise<DaemonStatus> {
  for (;;) {
    const now = await status(scene);
    if (wanted(now)) return now;
    await sleep(100);
  }
}

const isFresh = ({ projects }: DaemonStatus, files: number): boolean =>
  projects[0]?.state === "waiting" && projects[0].files === files && projects[0].watched;

test("it follows changes unasked, and survives being killed, a stale socket and a moved project", async () => {
  await using scene = await makeScene([], { files: { "src/a.ts": "export const a = 1;\n", "src/b.ts": "" } });
  expect((await scene.run(["daemon"])).stdout).toContain("does not run");
  expect((await scene.run(["daemon", "start"])).code).toBe(0);
  try {
    const first = await until(scene, (now) => isFresh(now, 2));
    // Nobody asks, and the index knows it.
    scene.put("src/added.ts", "export const unheardOf = 1;\n");
    await until(scene, (now) => isFresh(now, 3));
    expect(await scene.read("index.names", { letters: "unheardOf" })).toEqual([
      { path: "src/added.ts", name: "unheardOf", line: 1 },
    ]);
    // A second start is the same daemon.
    expect((await scene.run(["daemon", "start"])).code).toBe(0);
    expect((await status(scene)).pid).toBe(first.pid);

    process.kill(first.pid, "SIGKILL");
    await until(scene, ({ running }) => !running);
    expect((await status(scene)).projects.map(({ root }) => root)).toHaveLength(1);
    expect((await scene.run(["daemon", "start"])).code).toBe(0);
    const second = await until(scene, (now) => isFresh(now, 3));
    expect(second.pid).not.toBe(first.pid);

    const moved = `${scene.folder}-moved`;
    renameSync(scene.folder, moved);
    const log = path.join(scene.home.folder, ".local/state/fettle/daemon/log");
    while (!readFileSync(log, "utf8").includes("is gone")) await sleep(100);
    renameSync(moved, scene.folder);
    expect((await scene.run(["daemon", "start"])).code).toBe(0);
    await until(scene, (now) => isFresh(now, 3));
    expect((await scene.run(["daemon", "forget"])).code).toBe(0);
    expect((await status(scene)).projects).toEqual([]);
    expect((await scene.run(["daemon", "logs"])).stdout).toMatch(/started, process \d+/);
    expect((await scene.run(["daemon", "unit"])).stdout).toMatch(/^\[Unit\][^]*ExecStart="[^]*daemon\.js"/);
  } finally {
    expect((await scene.run(["daemon", "stop"])).code).toBe(0);
  }
  expect((await status(scene)).running).toBe(false);
});
