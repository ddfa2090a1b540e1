// A PLAN.md as it is carried out and verified: what its head and tasks say, and its own words as a whole.
import { splitFrontMatter } from "../../../extensions/markdown/front-matter.ts";
import { parsePlan, type Plan } from "./plan.ts";
import { type DocumentTask, type MustHaves, readPlan } from "./plan-document.ts";

export interface ExecutablePlan {
  plan: Plan;
  /** What it is for, in its own words. */
  objective: string;
  /** All below the head. */
  body: string;
  modified: string[];
  deleted: string[];
  tasks: DocumentTask[];
  mustHaves: MustHaves;
}

export async function executablePlan(place: { id: string; path: string }, text: string): Promise<ExecutablePlan> {
  const split = await splitFrontMatter(text);
  const body = "problem" in split ? text : split.body;
  const { objective, files, deleted, tasks, mustHaves } = await readPlan(text);
  const plan = await parsePlan(place, text);
  return { plan, objective: objective || firstLine(body), body, modified: files, deleted, tasks, mustHaves };
}

const firstLine = (body: string): string =>
  body
    .split("\n")
    .map((line) => line.replace(/^#+\s*/, "").trim())
    .find((line) => line !== "" && !line.startsWith("<")) ?? "";
