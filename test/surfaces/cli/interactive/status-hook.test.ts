// What a program of the person's own says in the status line.
import { beforeAll, expect, test } from "vitest";
import { hook, script } from "../../../scenarios/hook-files.ts";
import { configure, jsonLines, makeScene } from "../../../scenarios/scene.ts";
import { open, ready } from "../../../scenarios/shown.ts";
import { buildOnce } from "../../../support/program.ts";

beforeAll(buildOnce, 60_000);

test("a hook of the event status says a line in the status line, as text; one that hangs or fails is told once, and each run is recorded", async () => {
  await using scene = await makeScene(() => ({ say: "Heard." }), { files: { "a.txt": "a\n" } });
  const says = script(
    scene,
    "says.sh",
    `input=$(cat); turn=\${input##*'"turn":'}; printf 'ticket\\033[2J\\033]0;owned\\007 42, turn %s\\nnot this line\\n' "\${turn%%[,\\}]*}"\n`,
  );
  const hangs = script(scene, "hangs.sh", "sleep 60\n");
  const fails = script(scene, "fails.sh", "echo nobody sees this; exit 1\n");
  const named = (name: string) => `name = "${name}"`;
  configure(
    scene,
    [hook("status", says), hook("status", hangs, named("hangs")), hook("status", fails, named("fails"))].join(""),
  );
  const shown = open(scene, { columns: 120, rows: 40 });
  await shown.shows(ready);
  await shown.enter("hello", "· ticket 42, turn 1");
  await shown.shows("The hook hangs says nothing for the status line");
  await shown.shows("The hook fails says nothing for the status line: it ended with exit code 1");
  await shown.enter("again", "· ticket 42, turn 2");
  expect(shown.everything().match(/The hook fails says nothing/g)).toHaveLength(1);
  expect(shown.raw()).not.toMatch(/\x1b\[2J|owned|not this line|nobody sees/);
  const ran = jsonLines((await scene.run(["audit", "export"])).stdout).flatMap((entry) =>
    entry["name"] === "hook.ran" ? [entry["data"] as { event: string; hook: string; ended: string }] : [],
  );
  expect(ran.filter((each) => each.event === "status" && each.hook === "hangs")[0]?.ended).toMatch(/stopped|timeout/);
});
