// What git would write of fettle's own files and its own is forbidden, by whatever road the path is named.
import { symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { assess } from "../../../src/guard/assess/assess.ts";
import { openWorld } from "../world.ts";
import { corpusLines } from "../../support/corpus.ts";

const forbidden = corpusLines(import.meta, "corpus/git-controlled.txt");
const asked = [
  "git checkout main",
  "git restore src/a.ts",
  "git stash push src",
  "git stash",
  "git checkout HEAD~1 -- 'src/*.ts'",
  "git mv a b",
  "git apply x.patch",
  "git restore -- ':!.fettle' src",
  "git archive -o out.tar HEAD .fettle",
];

test("fettle's own files and git's are not written, taken back or put away by git", async () => {
  const world = openWorld();
  world.put(".fettle/team.toml", "[policy]\n");
  world.put("src/a.ts", "");
  world.put("policy.patch", "--- a/.fettle/team.toml\n+++ /dev/null\n@@ -1 +0,0 @@\n-[policy]\n");
  world.put("x.patch", "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -0,0 +1 @@\n+x\n");
  symlinkSync(".fettle", path.join(world.workspace, "linked"));
  world.facts.refresh();
  const risk = (command: string) => assess({ kind: "shell", command, background: false }, world.facts).risk;
  for (const command of forbidden) expect([command, risk(command)]).toEqual([command, "L3"]);
  for (const command of asked) expect([command, risk(command)]).toEqual([command, "L2"]);
  for (const command of ["git diff -- .fettle", "git log -p .fettle/team.toml", "git show HEAD:.fettle/team.toml"])
    expect([command, risk(command)]).toEqual([command, "L0"]);
  await world.close();
});
