import { wholeRun } from "../../machine/floor.ts";
import { type Case, type Outcome, type Reader, saysBroken } from "./cases.ts";
import { jestCases } from "./jest.ts";
import { junitCases } from "./junit.ts";
import { mochaCases } from "./mocha.ts";
import { signCases } from "./signs.ts";
import { tapCases } from "./tap.ts";

const readers: readonly Reader[] = [
  tapCases,
  junitCases,
  jestCases,
  mochaCases,
  (output) => signCases(output, outcomeOf),
];

/** Of a runner that is not known: by whatever report it writes, and by its exit code, which has the last word. */
export function anyCases(output: string, exit: number | null): Case[] {
  const cases = readers.map((read) => read(output)).find((found) => found && found.length > 0) ?? [];
  const failed = cases.some(({ outcome }) => outcome !== "passed" && outcome !== "skipped");
  if (failed || (exit === 0 && cases.length > 0)) return cases;
  return [...cases, { name: wholeRun, outcome: exit === 0 ? "passed" : outcomeOf(output), detail: output }];
}

const asserts =
  /\bAssertion(?:Error|Failed\w*)?\b|\bERR_ASSERTION\b|\bassert(?:ion)?s?\b.*\bfail|\bnot ok\b|\bexpected\b/i;

const outcomeOf = (output: string): Outcome =>
  saysBroken(output) ? "load" : asserts.test(output) ? "assertion" : "error";
