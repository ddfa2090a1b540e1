import { type Case, type Outcome, saysBroken } from "./cases.ts";

const block = /^={70}\n(FAIL|ERROR|UNEXPECTED SUCCESS): (.+)\n([\s\S]*?)(?=^={70}\n|^-{70}\nRan \d+ test|(?![\s\S]))/gm;
const verdict = /^(?:.* )?\.\.\. (ok|skipped\b.*|expected failure)$/;

/** What `python -m unittest -v` writes; the standard library has no other report. */
export function unittestCases(output: string): Case[] | undefined {
  if (!/^Ran \d+ tests? in /m.test(output)) return undefined;
  const failed = [...output.matchAll(block)].map(([, kind = "", name = "", text = ""]): Case => {
    const detail = text.replaceAll(/^-{70}\n/gm, "").trim();
    return { name, outcome: outcomeOf(kind, name, detail), detail };
  });
  const lines = output.split("\n");
  const rest = lines.flatMap((text, index): Case[] => {
    const found = verdict.exec(text);
    if (!found) return [];
    const own = /^(.*?\(\S+\))/.exec(text)?.[1];
    const name = own ?? /^(.*?\(\S+\))/.exec(lines[index - 1] ?? "")?.[1] ?? text.split(" ... ")[0] ?? "";
    return [{ name, outcome: found[1] === "ok" ? "passed" : "skipped", detail: "" }];
  });
  const unexpected =
    /unexpected successes=[1-9]/.test(output) && !failed.some(({ outcome }) => outcome === "assertion");
  return [
    ...rest,
    ...failed,
    ...(unexpected
      ? [{ name: "", outcome: "assertion" as const, detail: "A test passed that was expected to fail." }]
      : []),
  ];
}

function outcomeOf(kind: string, name: string, detail: string): Outcome {
  if (kind !== "ERROR") return "assertion";
  if (name.includes("unittest.loader._FailedTest")) return "load";
  const last = detail.split("\n").findLast((text) => /^[\w.]+(?:Error|Exception)\b/.test(text));
  return saysBroken(last ?? "") ? "load" : "error";
}
