// What came of a test run, read from the framework's own machine-readable report: told apart is why a test failed.
import type { TestResult } from "../../../protocol/task.ts";
import type { ReportFormat } from "../stacks/profile.ts";
import { type Case, plain, type Reader, saysBroken, type SourceLine } from "./formats/cases.ts";
import { anyCases } from "./formats/any.ts";
import { dartCases } from "./formats/dart.ts";
import { goCases } from "./formats/go.ts";
import { jestCases } from "./formats/jest.ts";
import { junitCases } from "./formats/junit.ts";
import { libtestCases } from "./formats/libtest.ts";
import { mochaCases } from "./formats/mocha.ts";
import { tapCases } from "./formats/tap.ts";
import { unittestCases } from "./formats/unittest.ts";

export interface TestReport {
  result: TestResult;
  /** With `error`: it could not be read, imported or compiled; something else was thrown; there is no report. */
  cause?: "load" | "exception" | "no report";
  passed: number;
  skipped: number;
  /** Names of those that failed. */
  failed: string[];
  /** The most telling failure, in the framework's words. */
  detail: string;
  cases: Case[];
}

const readers: Record<Exclude<ReportFormat, "any">, Reader> = {
  tap: tapCases,
  junit: junitCases,
  "vitest-json": jestCases,
  "jest-json": jestCases,
  "mocha-json": mochaCases,
  unittest: unittestCases,
  "go-json": goCases,
  libtest: libtestCases,
  "dart-json": dartCases,
};

/**
 * `assertion`: at least one test failed, and each that failed did so in an assertion. No report at all is an error.
 * With `source`, assertions that show only where they stand are recognised too. `exit` counts for a runner that is not known.
 */
export function readReport(
  format: ReportFormat,
  output: string,
  source?: SourceLine,
  exit: number | null = null,
): TestReport {
  const cases = format === "any" ? anyCases(plain(output), exit) : readers[format](plain(output), source);
  if (!cases) return noReport(output);
  const of = (...outcomes: readonly Case["outcome"][]) => cases.filter(({ outcome }) => outcomes.includes(outcome));
  const bad = of("load", "error", "assertion");
  const [passed, skipped, failed] = [of("passed").length, of("skipped").length, bad.map(({ name }) => name)];
  const counts = { passed, skipped, failed, cases };
  const [first] = [...of("load"), ...of("error"), ...of("assertion")];
  if (!first) {
    if (passed > 0) return { ...counts, result: "passed", detail: "" };
    return { ...counts, result: "none", detail: skipped > 0 ? "Every test was skipped." : "No test ran." };
  }
  if (first.outcome === "assertion") return { ...counts, result: "assertion", detail: first.detail };
  return { ...counts, result: "error", cause: first.outcome === "load" ? "load" : "exception", detail: first.detail };
}

function noReport(output: string): TestReport {
  const text = plain(output).trim();
  const lines = text.split("\n");
  const telling = lines.findIndex(saysBroken);
  const detail = (telling < 0 ? lines.slice(-12) : lines.slice(telling, telling + 12)).join("\n");
  return {
    result: "error",
    cause: saysBroken(text) ? "load" : "no report",
    passed: 0,
    skipped: 0,
    failed: [],
    detail,
    cases: [],
  };
}
