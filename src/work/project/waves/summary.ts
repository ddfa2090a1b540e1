// SUMMARY.md of a plan, from facts: commits, files, checks with exit codes and tree, what went beyond the plan. What the agent
// said of it stands at the end, as its words.
import type { Diff } from "../../../protocol/result.ts";
import type { TaskRecord } from "../../../protocol/task.ts";
import { headOf } from "../formats/head-write.ts";
import type { ExecutablePlan } from "../formats/executable-plan.ts";

export interface SummaryFacts {
  phase: string;
  document: ExecutablePlan;
  task: TaskRecord;
  diff: Diff;
  commits: readonly { id: string; subject: string }[];
  /** As `2026-01-31T12:00:00.000Z`. */
  at: string;
}

const longestWords = 1_500;

export function summaryOf({ phase, document, task, diff, commits, at }: SummaryFacts): string {
  const { plan } = document;
  const files = (change: Diff["files"][number]["change"]) =>
    diff.files.filter((file) => file.change === change).map(({ path }) => path);
  const head = {
    ...{ phase, plan: plan.id, type: plan.type, status: "complete" },
    requirements: plan.requirements,
    "key-files": {
      created: files("created"),
      modified: [...files("modified"), ...files("moved")],
      deleted: files("deleted"),
    },
    ...{ task: task.id, envelope: task.envelope?.digest ?? "" },
    duration: `${Math.max(1, Math.round(task.spentMs / 60_000))}min`,
    completed: at.slice(0, 10),
  };
  const said =
    task.learnt
      ?.find(({ mission }) => mission === "coder")
      ?.said.trim()
      .slice(0, longestWords) ?? "";
  const beyond = (task.amendments ?? []).map(({ what, by }) => `- ${oneLine(what)} (allowed by ${by})`);
  return [
    headOf(head).trimEnd(),
    `# Plan ${plan.id}: ${oneLine(document.objective)}`,
    "Written by fettle from what was done, not by an agent.",
    ["## Task Commits", ...commits.map(({ id, subject }) => `- \`${id.slice(0, 9)}\` ${oneLine(subject)}`)].join("\n"),
    ["## Files", ...diff.files.map(({ path, change }) => `- ${change} \`${path}\``)].join("\n"),
    ["## Checks", checksTable(task)].join("\n\n"),
    ["## Deviations from Plan", ...(beyond.length > 0 ? beyond : ["None."])].join("\n"),
    ...(said === "" ? [] : [["## What the agent said", ...said.split("\n").map((line) => `> ${line}`)].join("\n")]),
  ]
    .join("\n\n")
    .concat("\n");
}

function checksTable({ evidence = [] }: TaskRecord): string {
  const rows = evidence.map(({ claim, command, exit, tree }) =>
    [claim, command === "" ? "" : `\`${command}\``, exit === null ? "" : String(exit), tree.slice(0, 12)].map(cell),
  );
  const lines = [["Claim", "Command", "Exit", "Tree"], ["---", "---", "---", "---"], ...rows];
  return lines.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

const oneLine = (text: string): string => (text.split("\n")[0] ?? "").trim();
const cell = (text: string): string => oneLine(text).replaceAll("|", "\\|");
