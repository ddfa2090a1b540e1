// A whole task by tests of tape.
import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { goodCrew, plan, say, write } from "../../../work/task/crew.ts";
import { approve, look, openScene, planned } from "../../../work/task/tasks.ts";

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
