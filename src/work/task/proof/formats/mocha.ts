import { type Case, jsonWith } from "./cases.ts";

interface MochaTest {
  fullTitle?: string;
  title?: string;
  err?: Record<string, unknown>;
}

/** mocha's JSON. It has none when a file cannot be loaded. Failed hooks stand among the failures only. */
export function mochaCases(output: string): Case[] | undefined {
  const report = jsonWith(output, "stats");
  if (!Array.isArray(report?.["tests"]) || !Array.isArray(report["failures"])) return undefined;
  const failures = report["failures"] as MochaTest[];
  const failed = new Set(failures.map(nameOf));
  const pending = (Array.isArray(report["pending"]) ? report["pending"] : []) as MochaTest[];
  const waiting = new Set(pending.map(nameOf));
  const rest = (report["tests"] as MochaTest[]).map(nameOf).filter((name) => !failed.has(name));
  return [
    ...rest.map((name): Case => ({ name, outcome: waiting.has(name) ? "skipped" : "passed", detail: "" })),
    ...failures.map(
      (test): Case => ({
        name: nameOf(test),
        outcome: asserts(test.err ?? {}) ? "assertion" : "error",
        detail: text(test.err),
      }),
    ),
  ];
}

const nameOf = ({ fullTitle, title }: MochaTest): string => fullTitle ?? title ?? "";

const text = (thrown: MochaTest["err"]): string => String(thrown?.["stack"] ?? thrown?.["message"] ?? "").trim();

/** Assertion libraries name their error, or say what they compared. */
function asserts(thrown: Record<string, unknown>): boolean {
  const compared = "actual" in thrown && "expected" in thrown && ("operator" in thrown || "showDiff" in thrown);
  const code = thrown["code"] === "ERR_ASSERTION" || "matcherResult" in thrown;
  return compared || code || /^(?:\w*\.)?Assertion(?:Error|FailedError)\b/.test(text(thrown));
}
