// What earlier missions came to know, as the first prompt of a later one says it.
import type { TaskRecord } from "../../../protocol/task.ts";

/** What an answer says besides the JSON that it may be. */
export function wordsOf(text: string): string {
  const [start, end] = [text.search(/(?:```(?:json)?\s*)?\{/), text.lastIndexOf("}")];
  if (start < 0 || end < start) return text.trim();
  return `${text.slice(0, start)}${text.slice(end + 1).replace(/^\s*```/, "")}`.trim();
}

/** Nothing where nobody has learnt anything; the mission itself is left out, it knows. */
export function learntLines({ learnt = [], said = [], feedback = [] }: TaskRecord, mission: string): string[] {
  const others = learnt.filter((each) => each.mission !== mission);
  const read = [...new Set(others.flatMap((each) => each.read))];
  return [
    ...(read.length > 0 ? [`Earlier missions read these files, so what matters is in them: ${read.join(", ")}`] : []),
    ...others.filter((each) => each.said !== "").map((each) => `The ${each.mission} said: ${each.said}`),
    ...feedback.map((text) => `The person said of the plan or of a result: ${text}`),
    ...said.map((text) => `The person said while it was worked on: ${text}`),
  ];
}
