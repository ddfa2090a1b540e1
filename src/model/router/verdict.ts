// What one arm says of the work of another, as data that is checked.
import { answerJson } from "../../base/json-text.ts";
import type { Json } from "../../protocol/message.ts";

export interface Verdict {
  accept: boolean;
  problems: string[];
}

export const verdictSchema: Json = {
  type: "object",
  properties: { accept: { type: "boolean" }, problems: { type: "array", items: { type: "string" } } },
  required: ["accept", "problems"],
};

export const ballotSchema = (labels: readonly string[]): Json => ({
  type: "object",
  properties: { best: { type: "string", enum: [...labels] }, why: { type: "string" } },
  required: ["best", "why"],
});

const mostProblems = 10;
const longest = 600;

/** A rejection that names no problem is none: there is nothing to go on with. Undefined: no verdict. */
export function verdictIn(answer: string): Verdict | undefined {
  const value = objectIn(answer);
  if (typeof value?.["accept"] !== "boolean") return undefined;
  const named = Array.isArray(value["problems"]) ? value["problems"] : [];
  const problems = named.flatMap((each) => (typeof each === "string" && each.trim() !== "" ? [each.trim()] : []));
  const kept = problems.slice(0, mostProblems).map((each) => each.slice(0, longest));
  return value["accept"] || kept.length === 0 ? { accept: true, problems: [] } : { accept: false, problems: kept };
}

/** The label that was named, when it is one of those there are. */
export function ballotIn(answer: string, labels: readonly string[]): { best: string; why: string } | undefined {
  const value = objectIn(answer);
  const best = labels.find((label) => label === value?.["best"]);
  const why = value?.["why"];
  return best === undefined ? undefined : { best, why: typeof why === "string" ? why.slice(0, longest) : "" };
}

function objectIn(answer: string): { [key: string]: unknown } | undefined {
  const value = answerJson(answer);
  return typeof value === "object" && value !== null ? (value as { [key: string]: unknown }) : undefined;
}
