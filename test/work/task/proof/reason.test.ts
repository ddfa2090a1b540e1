// Why a test is red: what lies in its subject counts, what lies in the test and its surroundings does not.
import { expect, test } from "vitest";
import type { Outcome } from "../../../../src/work/task/proof/formats/cases.ts";
import { redBySubject } from "../../../../src/work/task/proof/reason.ts";
import { readReport } from "../../../../src/work/task/proof/report.ts";

const around = {
  test: "tests/unit/test_sums.x",
  text: 'import test, { mock } from "node:test";\nimport * as sums from "../../src/shop/sums.ts";\n',
  subjects: ["src/shop/sums.ts", "src/shop/sums.py", "src/shop/index.ts", "lib/new-thing.mjs"],
  root: "/w",
};
const failing = (detail: string, outcome: Outcome = "error") =>
  redBySubject(
    { result: "error", passed: 0, skipped: 0, failed: ["t"], detail, cases: [{ name: "t", outcome, detail }] },
    around,
  );

test.each([
  ["TypeError: sums.half is not a function"],
  ["TypeError: Cannot read properties of undefined (reading 'total')"],
  ["SyntaxError: The requested module '../../src/shop/sums.ts' does not provide an export named 'half'"],
  ["Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/w/lib/new-thing.mjs' imported from /w/tests/unit/test_sums.x"],
  ["Error: Cannot find module '../../src/shop/sums' from 'tests/unit/test_sums.x'"],
  ['Error: Failed to resolve import "@/shop/sums" from "tests/unit/test_sums.x". Does the file exist?'],
  ["ModuleNotFoundError: No module named 'shop.sums'"],
  ["ImportError: cannot import name 'half' from 'shop.sums' (/w/src/shop/sums.py)"],
  ["AttributeError: module 'shop.sums' has no attribute 'half'"],
  ["AttributeError: 'Till' object has no attribute 'total'"],
  ["TypeError: add() got an unexpected keyword argument 'digits'"],
  ["Error: No such option: --digits"],
  ["./sums_test.go:9:7: undefined: Half"],
  ["error[E0425]: cannot find function `half` in this scope"],
  ["Sums.java:[7,49] cannot find symbol"],
  ['NotImplementedError\n  File "/w/tests/unit/test_sums.x", line 3\n  File "/w/src/shop/sums.py", line 7, in half'],
  ["Error: not there yet\n    at half (/w/src/shop/sums.ts:3:9)\n    at /w/tests/unit/test_sums.x:4:1"],
])("by its subject: %s", (detail) => {
  expect(failing(detail)?.kind).toBe("missing");
});

test.each([
  ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from /w/tests/unit/test_sums.x"],
  ["ModuleNotFoundError: No module named 'requests'"],
  ["ImportError: cannot import name 'Session' from 'requests' (/usr/lib/python3/requests/__init__.py)"],
  ["SyntaxError: The requested module 'node:fs' does not provide an export named 'half'"],
  ["SyntaxError: Unexpected token ')'\n    at /w/tests/unit/test_sums.x:4:1"],
  ['SyntaxError: invalid syntax\n  File "/w/src/shop/sums.py", line 7'],
  ["ReferenceError: asert is not defined\n    at /w/tests/unit/test_sums.x:4:1"],
  ["Error: boom\n    at /w/tests/unit/test_sums.x:4:1"],
  ["Test timed out in 5000ms."],
  ["TypeError: mock.module is not a function"],
])("not by its subject: %s", (detail) => {
  expect(failing(detail)).toBeUndefined();
  const cases = [
    { name: "a", outcome: "assertion" as const, detail: "1 !== 2" },
    { name: "b", outcome: "error" as const, detail },
  ];
  expect(redBySubject({ result: "error", passed: 0, skipped: 0, failed: [], detail, cases }, around)).toBeUndefined();
});

test("a runner that is not known: its report where it writes one that can be read, else its exit code and its words", () => {
  const result = (output: string, exit: number) => readReport("any", output, undefined, exit).result;
  expect(result("TAP version 13\nok 1 a\n1..1\n", 0)).toBe("passed");
  expect(result("TAP version 13\nok 1 a\n1..1\n", 1)).toBe("error");
  expect(result("TAP version 13\nnot ok 1 a\n  ---\n  operator: equal\n  expected: 2\n  actual: 1\n  ...\n", 1)).toBe(
    "assertion",
  );
  expect(result("all good\n", 0)).toBe("passed");
  expect(result("AssertionError: 1 != 2\n", 1)).toBe("assertion");
  expect(readReport("any", "Error: Cannot find module './x'\n", undefined, 1)).toMatchObject({ cause: "load" });
});
