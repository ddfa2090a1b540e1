// What runners print for people: a sign before the name of each test, or a letter for each test behind the name of its file.
import { type Case, type Outcome, saysBroken } from "./cases.ts";

const sign = /^\s*(?:([✔✓√])|([✖✗✘×✕]))\s+(\S.*)$/;
const pytest = /^(\S+\.py) ([.FEsxX]+)\s+\[ *\d+%\]$/;
const verbose = /^(\S+::\S.*?) (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b/;
const unittest = /^(\w+ \([\w.]+\)) \.\.\. (ok|FAIL|ERROR|skipped)\b/;

/** How long it took, and how many there are in it, changes from run to run. */
const settled = (name: string): string => name.replace(/(?:\s*\([^()]*\d[^()]*\)|\s+[\d.]+ ?m?s)+$/, "").trim();

const good = /^(?:ok|PASSED|XPASS)$/;
const idle = /^(?:skipped|SKIPPED|XFAIL)$/;

/** Undefined where no line is one of a test. */
export function signCases(output: string, red: (output: string) => Outcome): Case[] | undefined {
  const failure = saysBroken(output) ? "load" : red(output);
  const of = (name: string, outcome: "passed" | "skipped" | "failed"): Case => ({
    ...{ name: settled(name), outcome: outcome === "failed" ? failure : outcome },
    detail: outcome === "failed" ? output : "",
  });
  const cases = output.split("\n").flatMap((line): Case[] => {
    const [, passed, failed, signed = ""] = sign.exec(line) ?? [];
    if (passed ?? failed) return /^failing tests:?$/.test(signed) ? [] : [of(signed, passed ? "passed" : "failed")];
    const [, file = "", letters = ""] = pytest.exec(line) ?? [];
    if (letters !== "")
      return [...letters].map((letter) =>
        of(file, /[.X]/.test(letter) ? "passed" : /[sx]/.test(letter) ? "skipped" : "failed"),
      );
    const [, name = "", how = ""] = verbose.exec(line) ?? unittest.exec(line) ?? [];
    return name === "" ? [] : [of(name, good.test(how) ? "passed" : idle.test(how) ? "skipped" : "failed")];
  });
  return cases.length > 0 ? cases : undefined;
}
