// Names that fettle reads by itself, given to a pipe that nobody writes to: opened to read it would be waited for, and
// nothing would end the wait, as the whole program stands still.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { byResults, call, makeScene, stopOf } from "../scenarios/scene.ts";

const work = byResults(
  { calls: [call("shell", { command: "echo hi > new.txt; sh tool.sh --help" }, "first")] },
  { calls: [call("shell", { command: "echo hi > newer.txt" }, "second")] },
  { say: "ok" },
);

test.each(["sub/.git/commondir", "sub/.git", "tool.sh", "package.json", "AGENTS.md", ".env"])("%s", async (name) => {
  await using scene = await makeScene(work, { git: true });
  scene.put(`${name}.below`, "");
  execFileSync("mkfifo", [scene.at(name)]);
  const { code, events } = await scene.tell(["go"], { env: { FETTLE_TOOLS__TIMEOUT_SECS__OTHER: "1" } });
  expect([code, stopOf(events)?.kind]).toEqual([expect.any(Number), "done"]);
});

test.each([".fettle/config.toml", ".fettle/team.toml"])("%s is refused in one sentence", async (name) => {
  await using scene = await makeScene(work, { git: true, files: { ".fettle/x": "" } });
  execFileSync("mkfifo", [scene.at(name)]);
  const { code, stderr } = await scene.run(["-p", "go"]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/cannot be read \(ENOTFILE\)/)]);
});
