// A command that prints a gigabyte.
import { expect, test } from "vitest";
import { byResults, makeScene, resultText, shell } from "../../scenarios/scene.ts";
import { expectNothingLost } from "../../hostile/support.ts";
test.concurrent("1 GB of output: a few KB go to the model and the screen, the rest is kept up to the limit", async () => {
  const script = byResults(shell("yes | head -c 1G", "g"), "Done.");
  await using scene = await makeScene(script);
  const { code, events, stdout } = await scene.tell(["go"], { env: { FETTLE_TOOLS_SPILL_MB: "2" } });
  expect(code).toBe(0);
  expect(resultText(events, "g")).toMatch(/\[cut from 1073\.7 MB; the first 2\.[01] MB: read spill:\S+\]\n\[[^\n]*\]$/);
  expect(scene.server.requests[1]!.raw.length - scene.server.requests[0]!.raw.length).toBeLessThan(24 * 1024);
  // What is shown while it comes is thinned out.
  expect(stdout.length).toBeLessThan(40_000_000);
  await expectNothingLost(scene);
});
