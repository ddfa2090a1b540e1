// Tests of tape: assertions with the names of their tests, one file of them, and a whole task by them.
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { readReport } from "../../../src/work/task/proof/report.ts";
import { ownProof } from "../../../src/work/task/stacks/own.ts";
import { lookAt } from "../../../src/work/task/stacks/list.ts";
import { goodCrew, plan, say, write } from "./crew.ts";
import { approve, look, openScene, planned } from "./tasks.ts";

const output = `TAP version 13
# above
not ok 1 should be strictly equal
  ---
    operator: equal
    expected: 10
    actual:   0
    at: Test.<anonymous> (/x/test/red.js:3:26)
    stack: |-
      Error: should be strictly equal
          at Test.<anonymous> (/x/test/red.js:3:26)
  ...
# below
ok 2 should be strictly equal
# open
not ok 3 test exited without ending: open
  ---
    operator: fail
  ...

1..3
# tests 3
# fail  2
`;

test("a failed comparison of tape is an assertion with the name of its test; a test that does not end is none", () => {
  const { cases } = readReport("any", output, undefined, 1);
  expect(cases.map(({ name, outcome }) => [name, outcome])).toEqual([
    ["above › should be strictly equal", "assertion"],
    ["below › should be strictly equal", "passed"],
    ["open › test exited without ending: open", "error"],
  ]);
  expect(cases[0]?.detail).toContain("expected 10, actual 0");
});

test("one file below nyc is run through npx, which finds the runner; a script that only calls another one is looked through", async () => {
  const files = {
    "package.json": JSON.stringify({
      scripts: { pretest: "npm run lint", test: "npm run only", only: "nyc tape 'test/**/*.js'" },
    }),
  };
  const found = await lookAt(Object.keys(files), () => Promise.resolve(files["package.json"]), "npm test");
  expect(ownProof("test/a.js", found)?.command).toBe("npx --no-install nyc tape test/a.js");
});

/** Of the same shape as tape: what a test compares is a point, and what it throws ends the run. */
const runner = `#!/usr/bin/env node
const fs = require("node:fs"), path = require("node:path");
const files = process.argv.slice(2).flatMap((word) => word.includes("*") ? fs.readdirSync("test").map((name) => "test/" + name) : [word]);
console.log("TAP version 13");
for (const file of files) require(path.resolve(file));
`;
const tape = `let n = 0;
module.exports = (name, body) => {
  console.log("# " + name);
  body({
    equal(actual, expected) {
      n += 1;
      if (actual === expected) return console.log("ok " + n + " should be strictly equal");
      process.exitCode = 1;
      console.log("not ok " + n + " should be strictly equal\\n  ---\\n    operator: equal\\n    expected: " + expected + "\\n    actual:   " + actual + "\\n  ...");
    },
    end() {},
  });
};
`;
const files = {
  "package.json": `${JSON.stringify({ name: "sample", main: "src/round.js", scripts: { test: "tape 'test/**/*.js'" } })}\n`,
  "src/round.js": "exports.round = (value) => Math.floor(value);\n",
  "test/old.js":
    'const test = require("tape");\nconst { round } = require("../src/round.js");\ntest("whole", (t) => {\n  t.equal(round(2), 2);\n  t.end();\n});\n',
  ".gitignore": "node_modules/\n",
};
const compared =
  'const test = require("tape");\nconst { round } = require("../src/round.js");\ntest("half", (t) => {\n  t.equal(round(1.5), 2);\n  t.end();\n});\n';
const thrown = `require("node:assert");\n${compared.replace("t.equal(round(1.5), 2)", 'require("node:assert").equal(round(1.5), 2);\n  t.equal(round(1.5), 2)')}`;

test("a task by tests of tape: a comparison that is red and one that throws; a coder that first does it wrong", async () => {
  for (const [at, text] of [compared, thrown].entries()) {
    await using scene = await openScene(
      {
        auditor: goodCrew["auditor"] as never,
        architect: () =>
          say(
            plan({
              files: [
                { path: "test/half.js", action: "create", intent: "shows it" },
                { path: "src/round.js", action: "modify", intent: "rounds" },
              ],
              test: { paths: ["test/half.js"], subject: ["src/round.js"] },
              commands: { test: "npm test" },
              acceptance: [{ claim: "1.5 becomes 2", command: "npm test" }],
            }),
          ),
        verifier: ({ said }) => (said === 0 ? write("test/half.js", text) : say("Written.")),
        coder: ({ said, visit }) =>
          said > 0
            ? say("Done.")
            : write(
                "src/round.js",
                `exports.round = (value) => Math.floor(value${visit === 1 ? " + 1" : " + 0.5"});\n`,
              ),
      },
      files,
    );
    scene.put("node_modules/tape/index.js", tape);
    scene.put("node_modules/tape/package.json", '{ "name": "tape", "version": "5.0.0" }');
    scene.put("node_modules/.bin/tape", runner);
    chmodSync(scene.at("node_modules/.bin/tape"), 0o755);
    const { id, stderr } = await planned(scene);
    const { task } = await look(scene, id);
    expect(task.state, stderr).toBe("FEEDBACK_WAIT");
    expect(task.locks?.[0]?.red.command).toBe("node_modules/.bin/tape test/half.js");
    expect(task.locks?.[0]?.red.failed).toEqual(at === 0 ? ["half › should be strictly equal"] : ["the whole run"]);
    expect((await approve(scene, id)).stdout).toContain("Merged into main");
  }
});
