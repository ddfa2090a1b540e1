// VERIFICATION.md, from the evidence.
import { headOf } from "../formats/head-write.ts";
import type { PhaseCheck, PhaseEvidence } from "../formats/evidence.ts";

interface Told {
  evidence: PhaseEvidence;
  goal: string;
  /** What only a person can look at. */
  human: readonly string[];
  /** It was verified before, with that status. */
  before?: string;
}

export function verificationOf({ evidence, goal, human, before }: Told): string {
  const { checks, phase, at, status, commit, tree } = evidence;
  const shown = checks.filter(({ result }) => result === "shown");
  const failed = checks.filter(({ result }) => result === "failed");
  const head = headOf({
    ...{ phase, verified: at, status, score: `${shown.length}/${checks.length} must-haves verified` },
    ...(before !== undefined && { re_verification: { previous_status: before, gaps_remaining: failed.length } }),
    ...{ commit, tree },
    gaps: failed.map(({ claim, why, plan }) => ({ truth: claim, status: "failed", reason: why, plan })),
    human_verification: human.map((test) => ({ test })),
  });
  return [
    head.trimEnd(),
    `# Phase ${phase}: Verification`,
    ...(goal === "" ? [] : [`**Goal:** ${goal}`]),
    `**Status:** ${status}. Written by fettle on tree \`${tree.slice(0, 12)}\`; the evidence is in the JSON beside this file.`,
    ["## Checks", table(checks)].join("\n\n"),
    [
      "## Requirements",
      ...evidence.requirements.map(({ id, done, why }) => `- ${id}: ${done ? "shown" : `not shown, ${why}`}`),
    ].join("\n"),
    ...(human.length > 0
      ? [["## Human Verification Required", ...human.map((each) => `- [ ] ${each}`)].join("\n")]
      : []),
  ]
    .join("\n\n")
    .concat("\n");
}

function table(checks: readonly PhaseCheck[]): string {
  const rows = checks.map(({ plan, level, claim, command = "", exit, result, by, why, before }) =>
    [
      plan,
      level,
      claim,
      command === "" ? by : `\`${command}\``,
      exit === undefined || exit === null ? "" : String(exit),
      `${result}${why === "" ? "" : `: ${why}`}${before === "shown" ? ", as before the phase" : ""}`,
    ].map(cell),
  );
  const head = ["Plan", "Level", "Claim", "Shown by", "Exit", "Result"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

const cell = (text: string): string => (text.split("\n")[0] ?? "").trim().replaceAll("|", "\\|");
