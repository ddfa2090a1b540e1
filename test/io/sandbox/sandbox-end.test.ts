// How a sandboxed process ends: with everything that it started, and whenever it is stopped.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeWorld, sandboxed, sandboxWorks, type World } from "../support/world.ts";

let world: World;
beforeAll(() => {
  world = makeWorld();
});
afterAll(() => world.remove());

describe.skipIf(!sandboxWorks())("a sandboxed process", () => {
  test("ends with everything that it started", async () => {
    const mark = `fettle-mark-${process.pid}`;
    const exit = await sandboxed(world, `setsid nohup bash -c 'exec -a ${mark} sleep 300' & sleep 0.1; echo out`);
    expect(exit).toMatchObject({ code: 0, ended: "exited" });
    expect(execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })).not.toContain(mark);
  });

  test("does nothing once it was stopped, however early that was", async () => {
    for (let moment = 0; moment < 48; moment++) {
      const signal = AbortSignal.timeout(2 + (moment % 8));
      // Long enough that a machine which stalls does not let it come to its second command before it is stopped.
      const exit = await sandboxed(world, `sleep 3; touch "$TMPDIR/late-${moment}"`, { signal });
      expect(exit.ended).toBe("stopped");
    }
    await new Promise((resolve) => setTimeout(resolve, 3_300));
    expect(readdirSync(world.temporary).filter((name) => name.startsWith("late-"))).toEqual([]);
  });

  test("gets the time to end in order when it is stopped", async () => {
    const exit = await sandboxed(world, "trap 'echo tidied; exit 3' TERM; echo ready; while :; do sleep 0.05; done", {
      process: { timeoutMs: 500 },
    });
    expect(exit).toMatchObject({ ended: "timeout", code: 3 });
    expect(exit.output).toContain("tidied");
  });
});
