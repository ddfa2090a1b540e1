// Reports of tape: assertions with the names of their tests, and one file of them. A whole task by them: test/real/work/task/tape.test.ts.
import { expect, test } from "vitest";
import { redBySubject } from "../../../src/work/task/proof/reason.ts";
import { readReport } from "../../../src/work/task/proof/report.ts";
import { ownProof } from "../../../src/work/task/stacks/own.ts";
import { lookAt } from "../../../src/work/task/stacks/list.ts";

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

const ended = (thrown: string) => `TAP version 13
# above
not ok 1 should be strictly equal
  ---
    operator: equal
    expected: 10
    actual:   0
    stack: |-
      Error: should be strictly equal
          at Test.<anonymous> (/w/test/red.js:3:26)
  ...
/w/test/red.js:4
${thrown}

Node.js v24.0.0
`;

test("a run of tape that a test ended by throwing shows that, and not only what failed until then", () => {
  const reasonOf = (thrown: string) => {
    const report = readReport("tap", ended(thrown));
    return redBySubject(report, { test: "test/red.js", text: "", subjects: ["red.js"], root: "/w" });
  };
  const own = "ReferenceError: parse is not defined\n    at Test.<anonymous> (/w/test/red.js:4:2)";
  const of = "Error: not there yet\n    at red (/w/red.js:9:2)\n    at Test.<anonymous> (/w/test/red.js:4:2)";
  expect(readReport("tap", ended(own))).toMatchObject({ result: "error", cause: "exception" });
  expect(reasonOf(own)).toBeUndefined();
  expect(reasonOf(of)).toMatchObject({ kind: "missing", failed: ["above › should be strictly equal"] });
  expect(readReport("tap", `${ended(own)}\n1..1\n`).result).toBe("assertion");
});
