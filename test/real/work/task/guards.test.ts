// Tests that prove nothing, each in a task of its own.
import { expect, test } from "vitest";
import { quickCrew, say, test1, write } from "../../../work/task/crew.ts";
import { look, openScene, planned } from "../../../work/task/tasks.ts";

const head =
  'import test from "node:test";\nimport assert from "node:assert";\nimport { round } from "../src/round.js";\n';
const reds: [name: string, attempts: [text: string, told: RegExp][]][] = [
  [
    "cannot be parsed, wants a dependency that is not there, or asserts what is always true",
    [
      [`${head}test("half", () => { assert.equal(round(1.5), 2);\n`, /test\/round\.test\.js cannot be parsed/],
      [`${head}import "left-pad";\n`, /not for a reason that lies in src\/round\.js \(it cannot be read,/],
      [`${head}test("half", () => { round(1.5); assert.ok(true); });\n`, /passes already/],
    ],
  ],
  [
    "replaces its subject, is thrown out of, or passes already",
    [
      [
        `import test from "node:test";\nimport assert from "node:assert";\nconst round = () => 2;\ntest("half", () => assert.equal(round(1.5), 2));\n`,
        /passes already/,
      ],
      [
        `${head}test("half", () => { throw new Error(String(round(1.5))); });\n`,
        /not for a reason that lies in src\/round\.js \(something else was thrown\)/,
      ],
      [test1.replace(", 2)", ", 1)"), /passes already/],
    ],
  ],
];

test.each(reds)("a test proves nothing that %s", async (_, attempts) => {
  await using scene = await openScene({
    ...quickCrew,
    verifier: ({ said, visit }) =>
      said === 0 ? write("test/round.test.js", attempts[visit - 1]?.[0] ?? "") : say("Written."),
  });
  const { code, id, stderr } = await planned(scene);
  expect([code, (await look(scene, id)).task.locks]).toEqual([3, []]);
  for (const [, told] of attempts) expect(stderr).toMatch(told);
});
