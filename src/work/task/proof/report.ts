// What came of a test run, read from the framework's own machine-readable report: told apart is why a test failed.
import type { TestResult } from "../../../protocol/task.ts";
import type { ReportFormat } from "../stacks/profile.ts";

export interface TestReport {
  result: TestResult;
  passed: number;
  /** Names of those that failed. */
  failed: string[];
  /** The first failure, in the framework's words. */
  detail: string;
}

interface Case {
  name: string;
  outcome: "passed" | "assertion" | "error" | "skipped";
  detail: string;
}

const readers: Record<ReportFormat, (text: string) => Case[] | undefined> = {
  junit: junitCases,
  "vitest-json": jestCases,
  "jest-json": jestCases,
};

/** `assertion`: at least one test failed, and each that failed did so in an assertion. No report at all is an error. */
export function readReport(format: ReportFormat, output: string): TestReport {
  const cases = readers[format](output);
  if (!cases) return { result: "error", passed: 0, failed: [], detail: lastLines(output) };
  const bad = cases.filter(({ outcome }) => outcome === "assertion" || outcome === "error");
  const passed = cases.filter(({ outcome }) => outcome === "passed").length;
  const detail = (bad.find(({ outcome }) => outcome === "error") ?? bad[0])?.detail ?? "";
  const failed = bad.map(({ name }) => name);
  if (bad.some(({ outcome }) => outcome === "error")) return { result: "error", passed, failed, detail };
  if (bad.length > 0) return { result: "assertion", passed, failed, detail };
  return { result: passed > 0 ? "passed" : "none", passed, failed, detail: passed > 0 ? "" : "No test ran." };
}

const lastLines = (text: string): string => text.trim().split("\n").slice(-8).join("\n");

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
const decoded = (text: string): string =>
  text
    .replaceAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1")
    .replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, number?: string, hex?: string, name?: string) =>
      name ? (entities[name] ?? all) : String.fromCodePoint(number ? Number(number) : Number.parseInt(hex ?? "0", 16)),
    );

const attribute = (tag: string, name: string): string =>
  decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");

/** JUnit XML as node:test and pytest write it, wherever in the output it begins. */
function junitCases(output: string): Case[] | undefined {
  const start = output.search(/<testsuites?[\s>]/);
  const end = output.lastIndexOf("</testsuites>");
  if (start < 0 || end < start) return undefined;
  const xml = output.slice(start, end);
  return [...xml.matchAll(/<testcase\b((?:"[^"]*"|[^>"])*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, attributes = "", body = ""]): Case => {
      const name = attribute(attributes, "name");
      const failure = /<(failure|error)\b((?:"[^"]*"|[^>"])*?)(?:\/>|>([\s\S]*?)<\/\1>)/.exec(body);
      if (!failure) return { name, outcome: body.includes("<skipped") ? "skipped" : "passed", detail: "" };
      const [, kind, head = "", text = ""] = failure;
      const message = attribute(head, "message");
      const detail = [message, decoded(text)].filter(Boolean).join("\n").trim();
      return { name, outcome: kind === "failure" && asserts(message, detail) ? "assertion" : "error", detail };
    },
  );
}

/** An assertion of the framework's or the language's own; what else is thrown is an error, wherever it is thrown. */
function asserts(message: string, detail: string): boolean {
  if (/^(?:AssertionError|assert\b|Failed: DID NOT RAISE)/.test(message)) return true;
  const cause = /\bcause:\s*(\w*Error\b)|^\s*(\w*Error)(?: \[|:)/m.exec(detail);
  const thrown = cause?.[1] ?? cause?.[2];
  return thrown === "AssertionError" || (thrown === undefined && detail.includes("ERR_ASSERTION"));
}

interface JestReport {
  testResults?: {
    status?: string;
    message?: string;
    name?: string;
    assertionResults?: { status?: string; fullName?: string; title?: string; failureMessages?: string[] }[];
  }[];
}

/** The JSON of jest, which vitest writes too. A file that cannot be loaded has a failed suite without tests. */
function jestCases(output: string): Case[] | undefined {
  const report = jsonIn(output);
  if (!report?.testResults) return undefined;
  return report.testResults.flatMap(({ status, message = "", name = "", assertionResults = [] }): Case[] => {
    const cases = assertionResults.map((each): Case => {
      const detail = plain((each.failureMessages ?? []).join("\n"));
      const failed = each.status === "failed";
      const outcome = failed ? (assertsJest(detail) ? "assertion" : "error") : each.status === "passed" ? "passed" : "skipped";
      return { name: each.fullName ?? each.title ?? "", outcome, detail };
    });
    const broken = status === "failed" && !cases.some(({ outcome }) => outcome === "assertion" || outcome === "error");
    return broken ? [...cases, { name, outcome: "error", detail: plain(message) }] : cases;
  });
}

const assertsJest = (detail: string): boolean =>
  /^AssertionError\b/.test(detail) || /^(?:Error: )?expect\(/.test(detail) || /^JestAssertionError/.test(detail);

const escape = "\u001b";
const plain = (text: string): string => text.replaceAll(new RegExp(`${escape}\\[[0-9;]*m`, "g"), "");

function jsonIn(output: string): JestReport | undefined {
  for (let start = output.indexOf("{"); start >= 0; start = output.indexOf("\n{", start + 1)) {
    const end = output.lastIndexOf("}");
    try {
      return JSON.parse(output.slice(start, end + 1)) as JestReport;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}
