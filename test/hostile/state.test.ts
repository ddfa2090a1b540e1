// State that is damaged: no run goes on over it, and what is damaged is named with a remedy.
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeScene } from "../scenarios/scene.ts";
import { expectNothingLost } from "./support.ts";
import { turns, segment } from "./damage.ts";

test.concurrent("an entry that was changed long ago is found by audit verify, a torn last line is healed", async () => {
  await using scene = await makeScene(turns);
  expect((await scene.run(["-p", "go"])).code).toBe(0);
  const file = segment(scene.state());
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, `${whole}{"v":1,"seq":`);
  expect((await scene.run(["-p", "go"])).code).toBe(0);
  await expectNothingLost(scene, 2);
  writeFileSync(file, readFileSync(file, "utf8").replace('"risk":"L1"', '"risk":"L0"'));
  const verified = await scene.run(["audit", "verify"]);
  expect(verified.code).toBe(7);
  expect(verified.stdout).toMatch(
    /^✗ The ledger is broken at entry \d+: entry \d+ was changed: its hash does not fit\./,
  );
});
