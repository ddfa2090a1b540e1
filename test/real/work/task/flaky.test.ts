// A test that is red once and green once: no proof, no excuse, and nothing that sends sound work back; the pages name it.
import { expect, test } from "vitest";
import { fixed, goodCrew, nodeFiles, quickCrew, say, test1, write } from "../../../work/task/crew.ts";
import { approve, look, openScene, planned } from "../../../work/task/tasks.ts";

const counted = (name: string, fails: string, title: string) =>
  [
    'import test from "node:test";',
    'import assert from "node:assert";',
    'import { readFileSync, writeFileSync } from "node:fs";',
    `const file = \`\${process.env.TMPDIR}/${name}\`;`,
    "let count = 1;",
    'try { count = Number(readFileSync(file, "utf8")) + 1; } catch {}',
    "writeFileSync(file, String(count));",
    `test("${title}", () => assert.ok(!(${fails}), "by chance"));`,
    "",
  ].join("\n");

/** Counted anew wherever it is run: red at first with the change, and the second time without it. */
const unsteady = `${counted("runs", "count === (round(1.5) === 2 ? 1 : 2)", "some runs are red")}import { round } from "../src/round.js";\n`;
const chance = `${counted("tries", "count % 2 === 1", "a half, by chance")}import { round } from "../src/round.js";\nround(1);\n`;
const broken = "export const round = (value) => (value === 2 ? 3 : Math.floor(value + 0.5));\n";

test("a flaky test in the suite is run three times, on the commit and on the base, and named; one that is to be the proof is none", {
  timeout: 240_000,
}, async () => {
  const heard: string[] = [];
  await using scene = await openScene(
    {
      ...quickCrew,
      verifier({ said, users }) {
        if (said > 0) return say("Written.");
        heard.push(users.at(-1) ?? "");
        return write("test/round.test.js", heard.length === 1 ? chance : test1);
      },
      // What it breaks first is red each time, and is no chance.
      coder({ said, users }) {
        const first = !users.some((text) => text.includes("fails:"));
        return said === 0 ? { ...write("src/round.js", first ? broken : fixed), say: "Rounds." } : say("Done.");
      },
      auditor: goodCrew["auditor"] as never,
    },
    { ...nodeFiles, "test/unsteady.test.js": unsteady },
  );
  const { id, stderr } = await planned(scene);
  expect(heard[1]).toContain("a half, by chance fails once and passes once, so it is flaky and shows nothing");
  const { task } = await look(scene, id);
  expect(task.locks?.[0]?.red.failed, stderr).toEqual(["a half is rounded up"]);
  expect(task.healing?.repairs).toEqual({ "node --test --test-reporter=tap": 1 });
  const [check] = task.rehearsal?.checks ?? [];
  expect([check?.result, check?.redBefore, check?.flaky]).toEqual(["works", [], ["some runs are red"]]);
  expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
    /red once and green once, and now run on the base: some runs are red.*Flaky, red once and green once: some runs are red/,
  );
  expect(task.sentBack ?? []).toEqual([]);
  expect((await approve(scene, id)).stdout).toContain("Merged");
});
