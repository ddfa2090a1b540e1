import { type Case, jsonLines, type Outcome } from "./cases.ts";

/** `go test -json` (documented by `go doc test2json`): one event on each line; what did not compile has no tests. */
export function goCases(output: string): Case[] | undefined {
  const said = new Map<string, string>();
  const ended = new Map<string, { name: string; action: string }>();
  let any = false;
  for (const event of jsonLines(output)) {
    const { Action: action, Package: folder = "", Test: test, Output: text, ImportPath: built } = event as GoEvent;
    if (typeof action !== "string") continue;
    any = true;
    const key = test === undefined ? (built ?? folder).replace(/ \[.*\]$/, "") : `${folder}\n${test}`;
    if (action === "output" || action === "build-output") said.set(key, (said.get(key) ?? "") + (text ?? ""));
    else if (/^(?:pass|fail|skip|build-fail)$/.test(action)) ended.set(key, { name: test ?? key, action });
  }
  if (!any) return undefined;
  const failures = [...ended]
    .filter(([, { action }]) => action === "fail" || action === "build-fail")
    .map(([key]) => key);
  return [...ended].flatMap(([key, { name, action }]): Case[] => {
    const detail = (said.get(key) ?? "").trim();
    const isPackage = !key.includes("\n");
    if (action === "skip") return isPackage ? [] : [{ name, outcome: "skipped", detail: "" }];
    if (action === "pass") return isPackage ? [] : [{ name, outcome: "passed", detail: "" }];
    const inner = failures.some((other) => other.startsWith(isPackage ? `${key}\n` : `${key}/`));
    // A package and a parent fail with their parts; what they say of themselves is the parts' failure.
    if (inner && !crashed(detail)) return [];
    return [{ name, outcome: isPackage ? ofPackage(action, detail, output) : ofTest(detail), detail }];
  });
}

interface GoEvent {
  Action?: string;
  Package?: string;
  ImportPath?: string;
  Test?: string;
  Output?: string;
}

const crashed = (text: string): boolean =>
  /^\s*(?:panic: |fatal error: |SIG[A-Z]+: )|testing\.go:\d+: race detected|test timed out after/m.test(text);

const ofTest = (text: string): Outcome => (crashed(text) ? "error" : "assertion");

function ofPackage(action: string, text: string, output: string): Outcome {
  const broken = action === "build-fail" || /\[(?:build|setup) failed\]/.test(text + output);
  return broken ? "load" : "error";
}
