// Reports that real frameworks wrote (fixtures/README.md), and why each test in them failed.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readReport, type TestReport } from "../../../../src/work/task/proof/report.ts";
import type { ReportFormat } from "../../../../src/work/task/stacks/profile.ts";

const folder = path.join(import.meta.dirname, "fixtures");
const text = (name: string) => readFileSync(path.join(folder, name), "utf8");
const outcomes = ({ cases }: TestReport) => Object.fromEntries(cases.map(({ name, outcome }) => [name, outcome]));

const javascript = {
  "sum adds": "assertion",
  "sum adds zero": "passed",
  "sum by node": "assertion",
  "sum counts": "assertion",
  explodes: "error",
  later: "skipped",
  "plain error": "error",
};

const nodes = {
  adds: "assertion",
  "adds zero": "passed",
  explodes: "error",
  later: "skipped",
  "plain error": "error",
  "todo one": "skipped",
};

const libtest = {
  adds: "assertion",
  bang: "assertion",
  boomed: "error",
  message: "assertion",
  panics: "assertion",
  result: "error",
  skipped: "skipped",
  todo_later: "error",
  zero: "passed",
};

const whole: readonly [ReportFormat, string, Record<string, string>][] = [
  ["tap", "node20-sum.tap", nodes],
  ["tap", "node24-sum.tap", nodes],
  ["jest-json", "jest-sum.json", javascript],
  ["vitest-json", "vitest-sum.json", { ...javascript, snap: "assertion", slow: "error" }],
  ["mocha-json", "mocha-sum.json", javascript],
  [
    "junit",
    "node24-sum.junit",
    {
      "sum › adds": "assertion",
      "sum › adds zero": "passed",
      explodes: "error",
      later: "skipped",
      "plain error": "error",
    },
  ],
  [
    "junit",
    "pytest-sums.xml",
    {
      "test_sums › test_adds": "assertion",
      "test_sums › test_zero": "passed",
      "test_sums › test_boom": "error",
      "test_sums › test_later": "error",
      "test_sums › test_skipped": "skipped",
      "test_sums › test_raises": "assertion",
      "test_sums › test_setup": "error",
      "test_sums › test_x": "skipped",
      "test_sums › test_message": "assertion",
      "test_sums › test_fails": "assertion",
      "test_sums.TestU › test_eq": "assertion",
    },
  ],
  [
    "junit",
    "mvn-sum.xml",
    {
      "p.SumsTest › raises": "assertion",
      "p.SumsTest › all": "assertion",
      "p.SumsTest › adds": "assertion",
      "p.SumsTest › boom": "error",
      "p.SumsTest › later": "error",
      "p.SumsTest › zero": "passed",
      "p.SumsTest › skipped": "skipped",
    },
  ],
  [
    "unittest",
    "unittest-unit.txt",
    {
      "test_eq (test_unit.Sums.test_eq)": "assertion",
      "test_ok (test_unit.Sums.test_ok)": "passed",
      "test_boom (test_unit.Sums.test_boom)": "error",
      "test_skip (test_unit.Sums.test_skip)": "skipped",
      "test_expected (test_unit.Sums.test_expected)": "skipped",
      "test_sub (test_unit.Sums.test_sub) (i=0)": "assertion",
    },
  ],
  ["libtest", "cargo-sums.txt", { ...libtest, "tests::inside": "assertion" }],
  ["libtest", "cargo-sums.json", libtest],
];

const rust = text("sums.rs.txt").split("\n");
const source = (file: string, line: number) => (file === "tests/sums.rs" ? rust[line - 1] : undefined);

describe("each test is told apart", () => {
  test.each(whole)("%s: %s", (format, name, expected) => {
    const report = readReport(format, text(name), source);
    expect(outcomes(report)).toMatchObject(expected);
    expect([report.result, report.cause]).toEqual(["error", "exception"]);
    for (const { outcome, detail } of report.cases)
      expect(outcome === "passed" || outcome === "skipped" || detail !== "").toBe(true);
  });
});

describe("what cannot be read, imported or compiled is no red test", () => {
  test.each<[ReportFormat, string, RegExp]>([
    ["tap", "node20-import.tap", /does not provide an export/],
    ["tap", "node24-import.tap", /does not provide an export/],
    ["tap", "node24-syntax.tap", /Unexpected token/],
    ["jest-json", "jest-import.json", /Cannot find module/],
    ["vitest-json", "vitest-import.json", /Cannot find module/],
    ["vitest-json", "vitest-syntax.json", /PARSE_ERROR/],
    ["mocha-json", "mocha-import.json", /Cannot find module/],
    ["junit", "pytest-import.xml", /cannot import name 'nothing'/],
    ["junit", "pytest-syntax.xml", /SyntaxError/],
    ["junit", "mvn-import.txt", /cannot find symbol/],
    ["unittest", "unittest-uimport.txt", /cannot import name 'nothing'/],
    ["unittest", "unittest-syntax.txt", /SyntaxError/],
    ["libtest", "cargo-import.txt", /unresolved import/],
  ])("%s: %s", (format, name, said) => {
    const report = readReport(format, text(name));
    expect([report.result, report.cause, report.passed]).toEqual(["error", "load", 0]);
    expect(report.detail).toMatch(said);
  });
});

const go = (...events: object[]) =>
  events.map((event) => JSON.stringify({ Package: "example.com/sums", ...event })).join("\n");
const failing = (name: string, output: string) => [
  { Action: "run", Test: name },
  { Action: "output", Test: name, Output: output },
  { Action: "fail", Test: name },
];

/** Written after `go doc test2json`: Go is not installed where these tests were made. */
describe("go test -json", () => {
  test("assertions, panics, subtests and skips", () => {
    const report = readReport(
      "go-json",
      go(
        ...failing("TestAdd/small", "    sums_test.go:9: got 2, want 3\n"),
        { Action: "fail", Test: "TestAdd" },
        { Action: "run", Test: "TestZero" },
        { Action: "pass", Test: "TestZero" },
        { Action: "skip", Test: "TestLater" },
        { Action: "output", Output: "FAIL\n" },
        { Action: "fail" },
      ),
    );
    expect(outcomes(report)).toEqual({ "TestAdd/small": "assertion", TestZero: "passed", TestLater: "skipped" });
    expect(report.result).toBe("assertion");
  });
  test("a panic is no assertion", () => {
    const report = readReport(
      "go-json",
      go(...failing("TestBoom", "panic: runtime error: index out of range [recovered]\n"), { Action: "fail" }),
    );
    expect([report.result, report.cause]).toEqual(["error", "exception"]);
  });
  test("what does not build has no tests", () => {
    const old = `# example.com/sums\n./sums_test.go:6:9: undefined: Add\n${go({ Action: "output", Output: "FAIL\texample.com/sums [build failed]\n" }, { Action: "fail" })}`;
    const now = go(
      {
        Action: "build-output",
        ImportPath: "example.com/sums [example.com/sums.test]",
        Output: "./sums_test.go:6:9: undefined: Add\n",
      },
      { Action: "build-fail", ImportPath: "example.com/sums [example.com/sums.test]" },
      { Action: "output", Output: "FAIL\texample.com/sums [build failed]\n" },
      { Action: "fail", FailedBuild: "example.com/sums [example.com/sums.test]" },
    );
    for (const output of [old, now])
      expect([readReport("go-json", output).result, readReport("go-json", output).cause]).toEqual(["error", "load"]);
  });
});

/** Written after package:test's json_reporter.md: Dart is not installed where these tests were made. */
describe("dart's JSON reporter", () => {
  const lines = (...events: object[]) => events.map((event) => JSON.stringify(event)).join("\n");
  const start = { protocolVersion: "0.1.1", type: "start", time: 0 };
  const testStart = (id: number, name: string) => ({
    type: "testStart",
    test: { id, name, suiteID: 0, groupIDs: [] },
    time: 1,
  });
  const done = (testID: number, result: string, more = {}) => ({
    type: "testDone",
    testID,
    result,
    skipped: false,
    hidden: false,
    time: 2,
    ...more,
  });
  test("failures, errors and skips", () => {
    const report = readReport(
      "dart-json",
      lines(
        start,
        testStart(1, "loading test/sums_test.dart"),
        done(1, "success", { hidden: true }),
        testStart(2, "adds"),
        {
          type: "error",
          testID: 2,
          error: "Expected: <3>\n  Actual: <2>",
          stackTrace: "test/sums_test.dart 5:3",
          isFailure: true,
          time: 2,
        },
        done(2, "failure"),
        testStart(3, "explodes"),
        { type: "error", testID: 3, error: "RangeError", stackTrace: "lib/sums.dart 5:3", isFailure: false, time: 2 },
        done(3, "error"),
        testStart(4, "zero"),
        done(4, "success"),
        testStart(5, "later"),
        done(5, "success", { skipped: true }),
      ),
    );
    expect(outcomes(report)).toEqual({ adds: "assertion", explodes: "error", zero: "passed", later: "skipped" });
  });
  test("what does not load", () => {
    const said = {
      type: "error",
      testID: 1,
      error: "Failed to load: Undefined name 'add'.",
      stackTrace: "",
      isFailure: false,
      time: 2,
    };
    const report = readReport(
      "dart-json",
      lines(start, testStart(1, "loading test/sums_test.dart"), said, done(1, "error")),
    );
    expect([report.result, report.cause]).toEqual(["error", "load"]);
  });
});

describe("JUnit XML", () => {
  const suite = (body: string) => `noise <b>\n<testsuite name="x">${body}</testsuite>\nmore`;
  test("several documents behind each other, with gradle's failures of either kind", () => {
    const gradle = suite(
      '<testcase name="a" classname="p.A"><failure message="x" type="java.lang.NullPointerException">at p</failure></testcase>',
    );
    const other = suite(
      '<testcase name="b" classname="p.B"><failure message="y" type="org.opentest4j.AssertionFailedError">at p</failure></testcase>',
    );
    expect(outcomes(readReport("junit", gradle + other))).toEqual({ "p.A › a": "error", "p.B › b": "assertion" });
    expect(readReport("junit", other).result).toBe("assertion");
  });
  test("a report that is cut off is none", () => {
    expect(readReport("junit", '<testsuites><testsuite name="x"><testcase name="a">').result).toBe("error");
  });
  test("nothing ran", () => {
    expect(readReport("junit", suite("")).result).toBe("none");
    expect(readReport("junit", suite('<testcase name="a"><skipped/></testcase>')).detail).toBe(
      "Every test was skipped.",
    );
  });
});

test("a report among other output is found, colours and all", () => {
  const red = "\u001b[31m";
  const report = `{"numTotalTests":1,"success":true,"testResults":[{"status":"passed","name":"a","assertionResults":[{"status":"passed","fullName":"x } {"}]}]}`;
  expect(readReport("jest-json", `${red}{ not: json }\nconsole.log {"a":1}\n${report}\ntrailing }`).result).toBe(
    "passed",
  );
  expect(readReport("jest-json", "no report at all")).toMatchObject({ result: "error", cause: "no report" });
});

test("a run that failed outside of its tests has not passed", () => {
  const report = `{"success":false,"testResults":[{"status":"passed","name":"a","assertionResults":[{"status":"passed","fullName":"x"}]}]}`;
  expect(readReport("vitest-json", report).result).toBe("error");
});

test("a runner that nobody knows: tests are told by the signs that it prints, each by its name, and without how long it took", () => {
  const told = (output: string, exit = 0) => {
    const { cases } = readReport("any", output, undefined, exit);
    return cases.map(({ name, outcome }) => [name, outcome]);
  };
  const node =
    "▶ round\n  ✔ whole numbers stay (0.52ms)\n  ✖ zero stays (1.2ms)\n✖ round (2ms)\n✖ failing tests:\nAssertionError: 1 == 0\n";
  expect(told(node, 1)).toEqual([
    ["whole numbers stay", "passed"],
    ["zero stays", "assertion"],
    ["round", "assertion"],
  ]);
  expect(told(" ✓ test/a.test.js (2 tests) 5ms\n   ✓ adds 2 numbers\n")).toEqual([
    ["test/a.test.js", "passed"],
    ["adds 2 numbers", "passed"],
  ]);
  expect(
    told("tests/test_a.py .s.F   [ 50%]\n1 failed\nassert 1 == 2\nAssertionError", 1).map(([, how]) => how),
  ).toEqual(["passed", "skipped", "passed", "assertion"]);
  expect(told("tests/test_a.py::test_x[1] PASSED [ 50%]\ntest_y (pkg.Case) ... ok\n")).toEqual([
    ["tests/test_a.py::test_x[1]", "passed"],
    ["test_y (pkg.Case)", "passed"],
  ]);
  expect(told("all is well\n")).toEqual([["the whole run", "passed"]]);
  expect(told("✔ a (1ms)\n", 1)).toEqual([
    ["a", "passed"],
    ["the whole run", "error"],
  ]);
});
