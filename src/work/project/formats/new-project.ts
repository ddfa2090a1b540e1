// The files that a project begins with: PROJECT.md, REQUIREMENTS.md, ROADMAP.md, STATE.md. What is read of them is elsewhere.
import {
  blockOf,
  headOf,
  introOf,
  itemsOf,
  oneLine,
  rowsOf,
  sectionNamed,
  sectionsOf,
  table,
  titleOf,
} from "./sections.ts";

export interface ProjectDocument {
  name: string;
  /** Two or three sentences: what it is, and for whom. */
  what: string;
  /** The one thing that has to work. */
  value: string;
  active: string[];
  validated: string[];
  /** Each with its reason. */
  excluded: { what: string; why: string }[];
  context: string;
  constraints: { kind: string; what: string; why: string }[];
  decisions: { choice: string; why: string; outcome: string }[];
}

const comment = (text: string): string => `<!-- ${text} -->`;
const day = (at: string): string => at.slice(0, 10);
const orNone = (lines: readonly string[], none: string): readonly string[] => (lines.length === 0 ? [none] : lines);

export function projectText(project: ProjectDocument, at: string, trigger: string): string {
  const { active, validated, excluded, constraints, decisions } = project;
  const pair = (one: string, other: string) => (other === "" ? oneLine(one) : `${oneLine(one)} — ${oneLine(other)}`);
  return [
    ...[`# ${titleOf(project.name)}`, "", "## What This Is", "", blockOf(project.what), ""],
    ...["## Core Value", "", blockOf(project.value), "", "## Requirements", ""],
    ...["### Validated", "", comment("Shipped and confirmed."), ""],
    ...orNone(
      validated.map((each) => `- ✓ ${oneLine(each)}`),
      "(None yet — ship to validate)",
    ),
    ...["", "### Active", "", comment("What is being built."), "", ...active.map((each) => `- [ ] ${oneLine(each)}`)],
    ...["", "### Out of Scope", "", comment("With the reason, so that it is not added again."), ""],
    ...excluded.map(({ what, why }) => `- ${pair(what, why)}`),
    ...["", "## Context", "", blockOf(project.context), "", "## Constraints", ""],
    ...constraints.map(({ kind, what, why }) => `- **${oneLine(kind)}**: ${pair(what, why)}`),
    ...["", "## Key Decisions", ""],
    ...table(
      ["Decision", "Rationale", "Outcome"],
      decisions.map(({ choice, why, outcome }) => [choice, why, outcome]),
    ),
    ...["", "---", `*Last updated: ${day(at)} after ${trigger}*`, ""],
  ].join("\n");
}

export function readProject(text: string): ProjectDocument {
  const all = sectionsOf(text, 3);
  const body = (name: string) => sectionNamed(all, name)?.body ?? "";
  const items = (name: string) =>
    itemsOf(body(name).replace(/<!--[\s\S]*?-->/g, "")).map((item) => item.replace(/\n/g, " "));
  const split = (item: string) => {
    const at = item.indexOf(" — ");
    return at < 0 ? ([item, ""] as const) : ([item.slice(0, at), item.slice(at + 3)] as const);
  };
  return {
    name: all.find(({ level }) => level === 1)?.title ?? "",
    ...{ what: introOf(body("what this is")), value: introOf(body("core value")) },
    active: items("active").map((item) => item.replace(/^\[[ xX]\]\s+/, "")),
    validated: items("validated").map((item) => item.replace(/^✓\s+/, "")),
    excluded: items("out of scope").map((item) => {
      const [what, why] = split(item);
      return { what, why };
    }),
    context: body("context"),
    constraints: items("constraints").map((item) => {
      const [, kind = "", rest = item] = /^\*\*(.+?)\*\*:\s*(.*)$/.exec(item) ?? [];
      const [what, why] = split(rest);
      return { kind, what, why };
    }),
    decisions: rowsOf(body("key decisions")).map(([choice = "", why = "", outcome = ""]) => ({ choice, why, outcome })),
  };
}

export interface RequirementsDocument {
  project: string;
  value: string;
  now: { category: string; items: { id: string; text: string }[] }[];
  later: { category: string; items: { id: string; text: string }[] }[];
  excluded: { what: string; why: string }[];
}

/** `phaseOf`: of each requirement; those without one are TBD. */
export function requirementsText(
  { project, value, now, later, excluded }: RequirementsDocument,
  phaseOf: ReadonlyMap<string, string>,
  at: string,
): string {
  const ids = now.flatMap(({ items }) => items.map(({ id }) => id));
  const mapped = ids.filter((id) => phaseOf.has(id)).length;
  const groups = (all: RequirementsDocument["now"], box: string) =>
    all.flatMap(({ category, items }) => [
      ...[`### ${titleOf(category)}`, ""],
      ...items.map(({ id, text }) => `- ${box}**${id}**: ${oneLine(text)}`),
      "",
    ]);
  return [
    ...[`# Requirements: ${titleOf(project)}`, "", `**Defined:** ${day(at)}`, `**Core Value:** ${oneLine(value)}`, ""],
    ...["## v1 Requirements", "", ...groups(now, "[ ] ")],
    ...["## v2 Requirements", "", "Not in the current roadmap.", "", ...groups(later, "")],
    ...[
      "## Out of Scope",
      "",
      ...table(
        ["Feature", "Reason"],
        excluded.map(({ what, why }) => [what, why]),
      ),
      "",
    ],
    ...["## Traceability", ""],
    ...table(
      ["Requirement", "Phase", "Status"],
      ids.map((id) => [id, phaseOf.has(id) ? `Phase ${phaseOf.get(id)}` : "TBD", "Pending"]),
    ),
    ...["", "**Coverage:**", `- v1 requirements: ${ids.length} total`, `- Mapped to phases: ${mapped}`],
    ...[`- Unmapped: ${ids.length - mapped}`, ""],
  ].join("\n");
}

export function readRequirements(text: string): RequirementsDocument {
  const all = sectionsOf(text, 2);
  const field = (name: string) => new RegExp(`^\\*\\*${name}:\\*\\*\\s*(.*)$`, "m").exec(text)?.[1]?.trim() ?? "";
  const groups = (title: string) =>
    sectionsOf(sectionNamed(all, title)?.body ?? "", 3).map(({ title: category, body }) => ({
      category,
      items: itemsOf(body).flatMap((item) => {
        const [, id, what = ""] = /^(?:\[[ xX]\]\s+)?\*\*([A-Z][A-Z0-9]*-\d+)\*\*:\s*([\s\S]*)$/.exec(item) ?? [];
        return id === undefined ? [] : [{ id, text: what.trim() }];
      }),
    }));
  return {
    ...{ project: (all[0]?.title ?? "").replace(/^Requirements:\s*/i, ""), value: field("Core Value") },
    ...{ now: groups("v1"), later: groups("v2") },
    excluded: rowsOf(sectionNamed(all, "out of scope")?.body ?? "").map(([what = "", why = ""]) => ({ what, why })),
  };
}

export interface RoadmapDocument {
  project: string;
  overview: string;
  phases: {
    number: string;
    name: string;
    goal: string;
    dependsOn: string[];
    requirements: string[];
    success: string[];
  }[];
}

export function roadmapText({ project, overview, phases }: RoadmapDocument): string {
  return [
    ...[`# Roadmap: ${titleOf(project)}`, "", "## Overview", "", blockOf(overview), "", "## Phases", ""],
    ...phases.map(({ number, name, goal }) => `- [ ] **Phase ${number}: ${oneLine(name)}** - ${oneLine(goal)}`),
    ...["", "## Phase Details", "", ...phases.flatMap(phaseLines), "## Progress", ""],
    ...table(
      ["Phase", "Plans Complete", "Status", "Completed"],
      phases.map(({ number, name }) => [`${number}. ${name}`, "0/TBD", "Not started", "-"]),
    ),
    "",
  ].join("\n");
}

const phaseLines = ({
  number,
  name,
  goal,
  dependsOn,
  requirements,
  success,
}: RoadmapDocument["phases"][number]): string[] => [
  ...[`### Phase ${number}: ${titleOf(name)}`, `**Goal**: ${oneLine(goal)}`],
  `**Depends on**: ${dependsOn.length === 0 ? "Nothing" : dependsOn.map((each) => `Phase ${each}`).join(", ")}`,
  `**Requirements**: ${requirements.length === 0 ? "TBD" : requirements.join(", ")}`,
  "**Success Criteria** (what must be TRUE):",
  ...success.map((each, at) => `  ${at + 1}. ${oneLine(each)}`),
  ...["**Plans**: TBD", ""],
];

/** Its success criteria, from its section of the roadmap. */
export function successCriteria(roadmap: string, number: string): string[] {
  const section = sectionsOf(roadmap, 4).find(({ title }) =>
    new RegExp(`^(?:[^\\w\\s]+\\s*)?Phase\\s+0*${number.replaceAll(".", "\\.")}\\s*:`, "i").test(title),
  );
  const found: string[] = [];
  let inside = false;
  for (const line of (section?.body ?? "").split("\n")) {
    if (/^\s*(?:[-*]\s+)?\*\*Success Criteria/i.test(line)) inside = true;
    else if (inside) {
      const item = /^\s*(?:\d+[.)]|[-*])\s+(.*\S)/.exec(line)?.[1];
      if (item !== undefined && !item.startsWith("**")) found.push(item.replace(/^\[[ xX]\]\s+/, ""));
      else if (line.trim() !== "") break;
    }
  }
  return found;
}

export interface Beginning {
  milestone: string;
  value: string;
  first: string;
  phases: number;
}

/** Position and progress are set by code after every change (`facts/kept.ts`). */
export const stateText = ({ milestone, value, first, phases }: Beginning, at: string): string =>
  [
    ...headOf({ gsd_state_version: "1.0", milestone, status: "planning" }),
    ...["", "# Project State", "", "## Project Reference", "", `See: .planning/PROJECT.md (updated ${day(at)})`, ""],
    ...[`**Core value:** ${oneLine(value)}`, `**Current focus:** ${oneLine(first)}`, "", "## Current Position", ""],
    ...[`Phase: 1 of ${phases} (${oneLine(first)})`, "Plan: 0 of 0 in current phase", "Status: Ready to plan"],
    ...[`Last activity: ${day(at)} — project begun`, "", "Progress: [░░░░░░░░░░] 0%", ""],
    ...["## Performance Metrics", "", "**Velocity:**", "- Total plans completed: 0", ""],
    ...["## Accumulated Context", "", "### Decisions", "", "See PROJECT.md, Key Decisions.", ""],
    ...["### Pending Todos", "", "None yet.", "", "### Blockers/Concerns", "", "None yet.", ""],
    ...["## Deferred Items", "", "None yet.", "", "## Session Continuity", "", `Last session: ${at.slice(0, 16)}`],
    ...["Stopped at: Roadmap created", "Resume file: None", ""],
  ].join("\n");
