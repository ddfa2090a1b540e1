// NN-SPEC.md: requirements of a phase that a check can refute, and how clear they are.
import { blockOf, introOf, itemsOf, oneLine, rowsOf, sectionNamed, sectionsOf, table } from "./sections.ts";

/** The least that each has to reach, and its weight in the ambiguity of the whole. */
export const clarityNeeded = {
  goal: { title: "Goal Clarity", least: 0.75, weight: 0.35 },
  boundary: { title: "Boundary Clarity", least: 0.7, weight: 0.25 },
  constraint: { title: "Constraint Clarity", least: 0.65, weight: 0.2 },
  acceptance: { title: "Acceptance Criteria", least: 0.7, weight: 0.2 },
} as const;
export const mostAmbiguity = 0.2;

export type ClarityKey = keyof typeof clarityNeeded;
export const clarityKeys = Object.keys(clarityNeeded) as ClarityKey[];
export type Clarity = Readonly<Record<ClarityKey, number>>;

/** From 0 to 1: what is left unclear, weighed. */
export const ambiguityOf = (clarity: Clarity): number =>
  Math.round(100 * (1 - clarityKeys.reduce((sum, key) => sum + clarityNeeded[key].weight * clarity[key], 0))) / 100;

export const isClear = (clarity: Clarity): boolean =>
  ambiguityOf(clarity) <= mostAmbiguity && clarityKeys.every((key) => clarity[key] >= clarityNeeded[key].least);

export interface SpecDocument {
  phase: string;
  name: string;
  goal: string;
  background: string;
  requirements: { label: string; statement: string; current: string; target: string; acceptance: string }[];
  inScope: string[];
  outOfScope: { what: string; why: string }[];
  constraints: string[];
  acceptance: string[];
  clarity: Clarity;
  interview: { round: number; question: string; decision: string }[];
}

export function specText(spec: SpecDocument, at: string): string {
  const { requirements, clarity } = spec;
  const rows = clarityKeys.map((key) => {
    const { title, least } = clarityNeeded[key];
    return [title, clarity[key].toFixed(2), String(least), clarity[key] >= least ? "✓" : "⚠", ""];
  });
  const ambiguity = ambiguityOf(clarity);
  return [
    ...[`# Phase ${spec.phase}: ${oneLine(spec.name)} — Specification`, "", `**Created:** ${at.slice(0, 10)}`],
    ...[
      `**Ambiguity score:** ${ambiguity.toFixed(2)} (gate: ≤ ${mostAmbiguity.toFixed(2)})`,
      `**Requirements:** ${requirements.length} locked`,
      "",
    ],
    ...[
      "## Goal",
      "",
      blockOf(spec.goal),
      "",
      "## Background",
      "",
      blockOf(spec.background),
      "",
      "## Requirements",
      "",
    ],
    ...requirements.flatMap(({ label, statement, current, target, acceptance }, at) => [
      `${at + 1}. **${oneLine(label)}**: ${oneLine(statement)}`,
      ...[
        `   - Current: ${oneLine(current)}`,
        `   - Target: ${oneLine(target)}`,
        `   - Acceptance: ${oneLine(acceptance)}`,
        "",
      ],
    ]),
    ...[
      "## Boundaries",
      "",
      "**In scope:**",
      ...spec.inScope.map((each) => `- ${oneLine(each)}`),
      "",
      "**Out of scope:**",
    ],
    ...spec.outOfScope.map(({ what, why }) => `- ${oneLine(what)} — ${oneLine(why)}`),
    ...[
      "",
      "## Constraints",
      "",
      ...spec.constraints.map((each) => `- ${oneLine(each)}`),
      "",
      "## Acceptance Criteria",
      "",
    ],
    ...spec.acceptance.map((each) => `- [ ] ${oneLine(each)}`),
    ...["", "## Ambiguity Report", ""],
    ...table(
      ["Dimension", "Score", "Min", "Status", "Notes"],
      [...rows, ["**Ambiguity**", ambiguity.toFixed(2), `≤${mostAmbiguity}`, isClear(clarity) ? "✓" : "⚠", ""]],
    ),
    ...["", "## Interview Log", ""],
    ...table(
      ["Round", "Question", "Decision"],
      spec.interview.map(({ round, question, decision }) => [String(round), question, decision]),
    ),
    "",
  ].join("\n");
}

export function readSpec(text: string): SpecDocument {
  const all = sectionsOf(text, 2);
  const [, phase = "", name = ""] = /^Phase\s+(\S+):\s*(.*?)\s+—\s+Specification$/i.exec(all[0]?.title ?? "") ?? [];
  const body = (title: string) => sectionNamed(all.slice(1), title)?.body ?? "";
  const [inside = "", outside = ""] = body("boundaries").split(/^\*\*Out of scope:\*\*\s*$/im);
  const scores = new Map(
    rowsOf(body("ambiguity report")).map(([title = "", score = ""]) => [title, Number(score) || 0]),
  );
  return {
    ...{ phase, name, goal: introOf(body("goal")), background: introOf(body("background")) },
    requirements: itemsOf(body("requirements")).flatMap((item) => {
      const [head = "", ...rest] = item.split("\n");
      const [, label, statement = ""] = /^\*\*(.+?)\*\*:\s*(.*)$/.exec(head) ?? [];
      const part = (key: string) =>
        rest.flatMap((line) => new RegExp(`^[-*]\\s+${key}:\\s*(.*)$`, "i").exec(line)?.[1] ?? [])[0] ?? "";
      return label === undefined
        ? []
        : [
            {
              ...{ label, statement },
              ...{ current: part("current"), target: part("target"), acceptance: part("acceptance") },
            },
          ];
    }),
    inScope: itemsOf(inside),
    outOfScope: itemsOf(outside).map((item) => {
      const [what = "", ...why] = item.split(" — ");
      return { what, why: why.join(" — ") };
    }),
    constraints: itemsOf(body("constraints")),
    acceptance: itemsOf(body("acceptance criteria")).map((item) => item.replace(/^\[[ xX]\]\s+/, "")),
    clarity: {
      goal: scores.get(clarityNeeded.goal.title) ?? 0,
      boundary: scores.get(clarityNeeded.boundary.title) ?? 0,
      constraint: scores.get(clarityNeeded.constraint.title) ?? 0,
      acceptance: scores.get(clarityNeeded.acceptance.title) ?? 0,
    },
    interview: rowsOf(body("interview log")).map(([round = "", question = "", decision = ""]) => ({
      ...{ round: Number(round) || 0, question, decision },
    })),
  };
}
