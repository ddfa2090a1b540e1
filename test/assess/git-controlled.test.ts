// What git would write of fettle's own files and its own is forbidden, by whatever road the path is named.
import { symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import { openWorld } from "../guard/world.ts";

const forbidden = [
  "git checkout HEAD~1 -- .fettle/team.toml",
  "git checkout HEAD~1 .fettle",
  "git checkout -- ./.fettle/",
  "git checkout HEAD~1 -- '.fett*'",
  "git checkout HEAD~1 -- '*.toml'",
  "git restore --source HEAD~1 .fettle/team.toml",
  "git restore -s HEAD~1 ':/.fettle/team.toml'",
  "git restore ':(top,icase).FETTLE/team.toml'",
  "git restore ':(glob)**/team.toml'",
  "git stash push .fettle/team.toml",
  "git stash -- .fettle",
  "git stash push -m x -u -- .fettle/",
  "cd src && git restore ../.fettle/team.toml",
  "git -C src checkout HEAD~1 -- ../.fettle",
  "git mv a.toml .fettle/team.toml",
  "git mv .fettle x",
  "git rm '.fettle/*'",
  "git checkout-index -f .fettle/team.toml",
  "git read-tree --prefix=.fettle/ -u HEAD~1:x",
  "git archive -o .fettle/team.toml HEAD",
  "git archive --output=.git/hooks/pre-commit HEAD",
  "git format-patch -o .fettle HEAD~1",
  "git worktree add .fettle/x",
  "git submodule add https://example.com/a .fettle",
  "git apply policy.patch",
  "git apply --directory=.fettle x.patch",
  "git am policy.patch",
  "git restore linked/team.toml",
];
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
