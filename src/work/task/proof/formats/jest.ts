import { type Case, jsonWith, type Outcome, plain } from "./cases.ts";

interface JestReport {
  success?: boolean;
  testResults?: { status?: string; message?: string; name?: string; assertionResults?: JestCase[] }[];
}

interface JestCase {
  status?: string;
  fullName?: string;
  title?: string;
  failureMessages?: string[] | null;
  failureDetails?: unknown[];
}

/** The JSON of jest, which vitest writes too. A file that cannot be loaded is a failed suite without failed tests. */
export function jestCases(output: string): Case[] | undefined {
  const report = jsonWith(output, "testResults") as JestReport | undefined;
  if (!Array.isArray(report?.testResults)) return undefined;
  const cases = report.testResults.flatMap(({ status, message = "", name = "", assertionResults = [] }): Case[] => {
    const own = assertionResults.map(caseOf);
    const broken = status === "failed" && !own.some(({ outcome }) => outcome === "assertion" || outcome === "error");
    const kind: Outcome = own.length === 0 ? "load" : "error";
    return broken ? [...own, { name, outcome: kind, detail: plain(message).trim() }] : own;
  });
  const bad = cases.some(({ outcome }) => outcome !== "passed" && outcome !== "skipped");
  if (report.success !== false || bad) return cases;
  return [...cases, { name: "", outcome: "error", detail: "The run failed outside of any test." }];
}

function caseOf(each: JestCase): Case {
  const name = each.fullName ?? each.title ?? "";
  const detail = plain((each.failureMessages ?? []).join("\n")).trim();
  if (each.status === "passed") return { name, outcome: "passed", detail };
  if (each.status !== "failed") return { name, outcome: "skipped", detail };
  return { name, outcome: asserts(each.failureDetails, detail) ? "assertion" : "error", detail };
}

const wording = [
  /^AssertionError\b/,
  /^JestAssertionError\b/,
  /^(?:Error: )?Snapshot .* mismatched/,
  /^(?:Error: )?expect\.(?:assertions|hasAssertions)\(/,
  /^(?:Error: )?expected (?:number of assertions|any number of assertion)/,
  /^assert(?:\.\w+)*\((?:received|value)/,
];

/** jest tells what a matcher found; where it does not, the wording has to. */
function asserts(details: unknown[] | undefined, text: string): boolean {
  if (wording.some((pattern) => pattern.test(text))) return true;
  if (details === undefined) return /^(?:Error: )?expect\([^)]*\)\.\S/.test(text);
  return details.some((each) => {
    if (typeof each !== "object" || each === null) return false;
    return "matcherResult" in each || ("code" in each && each.code === "ERR_ASSERTION");
  });
}
