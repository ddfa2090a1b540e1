// NN-VALIDATION.md: which command shows which requirement of a phase.
import { splitFrontMatter } from "../../../extensions/markdown/front-matter.ts";
import { headOf, oneLine, rowsOf, sectionNamed, sectionsOf, table } from "./sections.ts";

export interface ValidationTask {
  /** `03-01-02`: the second task of plan 03-01. */
  id: string;
  plan: string;
  wave: number;
  requirements: string[];
  command: string;
  status: "pending" | "green" | "red" | "flaky";
}

export interface ValidationDocument {
  phase: string;
  slug: string;
  /** `draft` until the tests were looked at. */
  status: string;
  /** Each requirement of the phase has a task with a command. */
  compliant: boolean;
  quick: string;
  full: string;
  tasks: ValidationTask[];
  manual: { behaviour: string; requirement: string; how: string }[];
}

const marks = { pending: "⬜ pending", green: "✅ green", red: "❌ red", flaky: "⚠️ flaky" } as const;

export function validationText(validation: ValidationDocument, at: string): string {
  const { phase, slug, status, compliant, quick, full, tasks, manual } = validation;
  const command = (text: string) => (text === "" ? "-" : `\`${text}\``);
  return [
    ...headOf({
      phase,
      slug,
      status,
      nyquist_compliant: compliant,
      wave_0_complete: compliant,
      created: at.slice(0, 10),
    }),
    ...["", `# Phase ${phase} — Validation Strategy`, "", "## Test Infrastructure", ""],
    ...table(
      ["Property", "Value"],
      [
        ["**Quick run command**", command(quick)],
        ["**Full suite command**", command(full)],
      ],
    ),
    ...["", "## Per-Task Verification Map", ""],
    ...table(
      ["Task ID", "Plan", "Wave", "Requirement", "Automated Command", "Status"],
      tasks.map((task) => [
        task.id,
        task.plan,
        String(task.wave),
        task.requirements.join(", ") || "-",
        command(task.command),
        marks[task.status],
      ]),
    ),
    ...["", "## Manual-Only Verifications", ""],
    ...table(
      ["Behavior", "Requirement", "Test Instructions"],
      manual.map((each) => [each.behaviour, each.requirement, each.how]),
    ),
    ...["", `**Approval:** ${status === "draft" ? "pending" : oneLine(status)}`, ""],
  ].join("\n");
}

export async function readValidation(text: string): Promise<ValidationDocument> {
  const split = await splitFrontMatter(text);
  const { head, body } = "problem" in split ? { head: {} as Record<string, unknown>, body: text } : split;
  const all = sectionsOf(body, 2);
  const rows = (title: string) => rowsOf(sectionNamed(all, title)?.body ?? "");
  const bare = (cell = "") => (cell === "-" ? "" : cell.replace(/^`(.*)`$/, "$1"));
  const property = (name: string) => bare(rows("test infrastructure").find(([key = ""]) => key.includes(name))?.[1]);
  const columns = (sectionNamed(all, "per-task")?.body ?? "").split("\n").find((line) => line.startsWith("|")) ?? "";
  const names = columns
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim().toLowerCase());
  return {
    ...{
      phase: String(head["phase"] ?? ""),
      slug: String(head["slug"] ?? ""),
      status: String(head["status"] ?? "draft"),
    },
    ...{ compliant: head["nyquist_compliant"] === true, quick: property("Quick run"), full: property("Full suite") },
    tasks: rows("per-task").map((row): ValidationTask => {
      const cell = (name: string) => row[names.indexOf(name)] ?? "";
      const status = (["green", "red", "flaky"] as const).find((each) => cell("status").includes(each)) ?? "pending";
      return {
        ...{ id: cell("task id"), plan: cell("plan"), wave: Number(cell("wave")) || 1, status },
        ...{
          requirements: cell("requirement").match(/\b[A-Z][A-Z0-9]*-\d+\b/g) ?? [],
          command: bare(cell("automated command")),
        },
      };
    }),
    manual: rows("manual-only").map((row) => ({
      ...{ behaviour: row[0] ?? "", requirement: row[1] ?? "", how: row.at(-1) ?? "" },
    })),
  };
}
