// What a requirement is done by: commands that passed, of plans that changed something that is checked.
import { expect, test } from "vitest";
import { type PhaseCheck, requirementRows } from "../../../src/work/project/formats/evidence.ts";

const tree = "t1";
const check = (plan: string, more: Partial<PhaseCheck> = {}): PhaseCheck => ({
  ...{ plan, level: "flowing", claim: "it works", command: "npm test", exit: 0, tree },
  ...{ result: "shown", by: "command", why: "" },
  ...more,
});
const read = { command: undefined, exit: undefined, by: "code", level: "exists" } as const;

test.each<[string, PhaseCheck[], { done: boolean; byPerson?: boolean; why: string }]>([
  ["a command that failed before", [check("01", { before: "not shown" })], { done: true, why: "" }],
  ["a command of which nobody knows what it did before", [check("01")], { done: true, why: "" }],
  [
    "a suite that was green before, beside a file that was not there",
    [check("01", { before: "shown" }), check("01", { ...read, before: "not shown" })],
    { done: true, why: "" },
  ],
  [
    "a suite that was green before, and nothing else",
    [check("01", { before: "shown" })],
    { done: false, byPerson: true, why: "01: all that shows it was so before the phase" },
  ],
  [
    "what an agent has read does not make up for it",
    [check("01", { before: "shown" }), check("01", { by: "agent", level: "truth" })],
    { done: false, byPerson: true, why: "01: all that shows it was so before the phase" },
  ],
  [
    "no person makes up for what failed",
    [check("01", { before: "shown" }), check("01", { result: "failed", exit: 1, claim: "the other" })],
    { done: false, why: "01: the other" },
  ],
  [
    "no person makes up for a file alone",
    [check("01", { ...read, before: "shown" })],
    { done: false, why: "no command has shown anything of 01" },
  ],
])("%s", (_, checks, row) => {
  expect(requirementRows([{ id: "R-01", plans: ["01"] }], checks, tree)).toEqual([
    { id: "R-01", plans: ["01"], ...row },
  ]);
});
