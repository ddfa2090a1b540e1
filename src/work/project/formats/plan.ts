// NN-MM-PLAN.md: a head that says what the plan needs and touches, and its tasks.
import { splitFrontMatter } from "../../../extensions/markdown/front-matter.ts";

export const taskParts = ["name", "files", "action", "verify", "done"] as const;

export interface PlanTask {
  type: string;
  /** Those that it has, and that are not empty. */
  parts: Set<(typeof taskParts)[number]>;
  name: string;
}

export interface Plan {
  /** `03-01`, after the file's name. */
  id: string;
  path: string;
  type: string;
  wave?: number;
  dependsOn: string[];
  /** That it changes or deletes; undefined where the head does not say. */
  files?: string[];
  requirements: string[];
  autonomous: boolean;
  /** Made for gaps that a verification has found. */
  forGaps: boolean;
  tasks: PlanTask[];
  /** What is wrong with the head. */
  problem?: string;
}

export async function parsePlan(place: { id: string; path: string }, text: string): Promise<Plan> {
  const split = await splitFrontMatter(text);
  const head = "problem" in split ? {} : split.head;
  const wave = Number(head["wave"]);
  const files = head["files_modified"];
  return {
    ...place,
    type: typeof head["type"] === "string" ? head["type"] : "execute",
    ...(Number.isInteger(wave) && wave > 0 && { wave }),
    dependsOn: textsOf(head["depends_on"]),
    ...(files !== undefined && { files: [...textsOf(files), ...textsOf(head["files_deleted"])] }),
    requirements: textsOf(head["requirements"]),
    autonomous: head["autonomous"] !== false,
    forGaps: head["gap_closure"] === true,
    tasks: tasksOf("problem" in split ? text : split.body),
    ...("problem" in split && { problem: split.problem }),
  };
}

/** A list, or one text; YAML reads `01` as a number. */
export function textsOf(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return items.flatMap((item) => {
    const text = typeof item === "string" || typeof item === "number" ? String(item).trim() : "";
    return text === "" ? [] : [text];
  });
}

/** Cut by hand: a pattern over a damaged file without closing tags would take the square of its length. */
function tasksOf(body: string): PlanTask[] {
  const tasks: PlanTask[] = [];
  for (const piece of body.split(/<task(?=[\s>])/).slice(1)) {
    const inside = piece.split("</task>", 1)[0] ?? "";
    const open = inside.indexOf(">");
    if (open < 0) continue;
    const content = inside.slice(open + 1);
    const parts = new Set(taskParts.filter((part) => between(content, `<${part}>`, `</${part}>`) !== ""));
    tasks.push({
      type: /type\s*=\s*["']([^"']{1,80})["']/.exec(inside.slice(0, open))?.[1] ?? "auto",
      parts,
      name: between(content, "<name>", "</name>"),
    });
  }
  return tasks;
}

function between(text: string, open: string, close: string): string {
  const from = text.indexOf(open);
  const to = from < 0 ? -1 : text.indexOf(close, from);
  return to < 0 ? "" : text.slice(from + open.length, to).trim();
}
