// NN-REVIEW.md and its kin: what was found, each finding with its state, and what became of it in the document beside it.
import { headOf } from "./head-write.ts";
import { oneLine, sectionsOf, table } from "./sections.ts";

export const severities = ["low", "medium", "high", "critical"] as const;

export interface Finding {
  title: string;
  state: string;
  place: string;
  evidence: string;
  action: string;
  severity: (typeof severities)[number] | "";
  /** What code has found wrong with what the agent said. */
  doubt?: string;
}

interface Shown {
  title: string;
  head: Readonly<Record<string, string | number>>;
  summary: string;
  states: readonly string[];
  items: readonly Finding[];
}

/** Front matter with a count for each state, the table, and one section for each finding. */
export function findingsText({ title, head, summary, states, items }: Shown): string {
  const counts = Object.fromEntries(
    states.map((state) => [state.replaceAll("-", "_"), items.filter((item) => item.state === state).length]),
  );
  const rows = items.map((item, at) => [String(at + 1), item.state, oneLine(item.title), oneLine(item.place)]);
  return [
    headOf({ ...head, ...counts }).trimEnd(),
    `# ${title}`,
    oneLine(summary),
    ["## Findings", "", ...(items.length === 0 ? ["None."] : table(["#", "State", "What", "Where"], rows))].join("\n"),
    ...items.map((item, at) =>
      [
        `### ${at + 1}. ${oneLine(item.title)}`,
        "",
        `**State:** ${item.state}`,
        ...(item.severity === "" ? [] : [`**Severity:** ${item.severity}`]),
        ...(item.place === "" ? [] : [`**Where:** \`${oneLine(item.place).replaceAll("`", "'")}\``]),
        ...(item.doubt === undefined ? [] : [`**Doubt:** ${item.doubt}`]),
        ...(item.evidence.trim() === "" ? [] : ["", quotedBlock(item.evidence)]),
        ...(item.action.trim() === "" ? [] : ["", `**To do:** ${oneLine(item.action)}`]),
      ].join("\n"),
    ),
  ]
    .join("\n\n")
    .concat("\n");
}

/** An agent's words, which make no heading and no front matter of their own. */
const quotedBlock = (text: string): string =>
  text
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join("\n");

const timeAt = (text: string, key: string): string =>
  new RegExp(`^${key}:\\s*"?([^"\\n]+)"?\\s*$`, "m").exec(text)?.[1] ?? "";

/** When the review was made; empty where its head does not say. */
export const reviewedAt = (text: string): string => timeAt(text, "reviewed");
/** When it was written what became of its findings. */
export const writtenAt = (text: string): string => timeAt(text, "written");

/** What a document of findings says of each: its title, what stands behind the marks of its section, and what is quoted there. */
export function readFindings(text: string): Finding[] {
  return sectionsOf(text, 3).flatMap(({ title, level, body }) => {
    const name = level === 3 ? /^\d+\.\s+(.*)$/.exec(title)?.[1] : undefined;
    if (name === undefined) return [];
    const field = (key: string) =>
      new RegExp(`^\\*\\*${key}:\\*\\*[^\\S\\n]*(.*)$`, "m").exec(body)?.[1]?.trim().replaceAll("`", "") ?? "";
    const severity = severities.find((each) => each === field("Severity").toLowerCase()) ?? "";
    const doubt = field("Doubt");
    const state = field("State").toLowerCase();
    const evidence = body
      .split("\n")
      .flatMap((line) => /^> ?(.*)$/.exec(line)?.[1] ?? [])
      .join("\n");
    const read: Finding = { title: name, state, place: field("Where"), severity, evidence, action: field("To do") };
    return { ...read, ...(doubt !== "" && { doubt }) };
  });
}
