// A policy may carry calls and what must come of each, so that whoever changes it sees what else changes.
import type { Autonomy, Role, Verdict } from "../../protocol/decision.ts";
import type { Json } from "../../protocol/message.ts";
import { isTable } from "./table.ts";

export interface PolicyExample {
  /** `file:line`. */
  place: string;
  tool: string;
  input: Json;
  expect: Verdict;
  /** The rule that must have decided, when it matters. */
  rule?: string;
  autonomy?: Autonomy;
  role?: Role;
}

const verdicts = ["allow", "notify", "ask", "deny"];
const roles = ["read-only", "standard", "privileged", "admin"];
const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

const parts: Record<string, { fits(value: unknown): boolean; text: string }> = {
  command: { fits: isText, text: "a command line" },
  tool: { fits: isText, text: "the name of a tool" },
  input: { fits: isTable, text: "a table" },
  expect: { fits: (value) => verdicts.includes(String(value)), text: `one of ${verdicts.join(", ")}` },
  rule: { fits: isText, text: "the name of a rule" },
  autonomy: { fits: (value) => [0, 1, 2, 3, 4, 5].includes(value as number), text: "a whole number from 0 to 5" },
  role: { fits: (value) => roles.includes(String(value)), text: `one of ${roles.join(", ")}` },
};

/** Undefined when `value` is a list of examples; else a sentence's end that begins with the number of the wrong one. */
export function examplesProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "must be a list of examples";
  for (const [at, example] of value.entries()) {
    const wrong = isTable(example) ? wrongPart(example) : "is not a table";
    if (wrong) return `${at + 1} ${wrong}`;
  }
  return undefined;
}

function wrongPart(example: Record<string, unknown>): string | undefined {
  const unknown = Object.keys(example).find((name) => !Object.hasOwn(parts, name));
  if (unknown) return `has an unknown key ${unknown}; an example has ${Object.keys(parts).join(", ")}`;
  const wrong = Object.keys(example).find((name) => parts[name]?.fits(example[name]) === false);
  if (wrong) return `cannot have ${wrong} = ${JSON.stringify(example[wrong])}: it must be ${parts[wrong]?.text}`;
  if (!("expect" in example)) return `has no expect (${verdicts.join(", ")})`;
  if ("command" in example === "tool" in example) return "needs a command, or a tool with its input, and not both";
  return "tool" in example && !("input" in example) ? "has a tool and no input" : undefined;
}

/** `value` has been checked. */
export const namedExamples = (value: unknown, places: readonly string[]): PolicyExample[] =>
  (value as (Omit<PolicyExample, "place"> & { command?: string })[]).map(({ command, ...example }, at) => ({
    ...example,
    ...(command !== undefined && { tool: "shell", input: { command } }),
    place: places[at] ?? "",
  }));
