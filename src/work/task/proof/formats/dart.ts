import { type Case, jsonLines } from "./cases.ts";

interface Test {
  name: string;
  hidden: boolean;
  /** True when every error of it was a failed expectation. */
  failure: boolean;
  detail: string[];
  result?: string;
  skipped: boolean;
}

/** The JSON reporter of package:test, which `flutter test --machine` writes too (pkgs/test/doc/json_reporter.md). */
export function dartCases(output: string): Case[] | undefined {
  const tests = new Map<number, Test>();
  let any = false;
  for (const event of jsonLines(output)) {
    any ||= event["type"] === "start" || event["type"] === "testStart";
    take(tests, event);
  }
  if (!any) return undefined;
  return [...tests.values()].filter(({ hidden, result }) => !hidden || result !== "success").map(caseOf);
}

function take(tests: Map<number, Test>, event: Record<string, unknown>): void {
  if (event["type"] === "testStart") {
    const { id, name } = event["test"] as { id: number; name: string };
    tests.set(id, { name, hidden: name.startsWith("loading "), failure: true, detail: [], skipped: false });
    return;
  }
  const test = tests.get(Number(event["testID"]));
  if (!test) return;
  if (event["type"] === "error") {
    test.failure &&= event["isFailure"] === true;
    test.detail.push(String(event["error"]), String(event["stackTrace"] ?? ""));
  } else if (event["type"] === "testDone") {
    test.result = String(event["result"]);
    test.skipped = event["skipped"] === true;
    test.hidden ||= event["hidden"] === true;
  }
}

function caseOf({ name, result, skipped, failure, detail }: Test): Case {
  const said = detail.join("\n").trim();
  if (skipped) return { name, outcome: "skipped", detail: "" };
  if (result === "success") return { name, outcome: "passed", detail: "" };
  if (name.startsWith("loading ")) return { name, outcome: "load", detail: said };
  return { name, outcome: result === "failure" && failure ? "assertion" : "error", detail: said };
}
