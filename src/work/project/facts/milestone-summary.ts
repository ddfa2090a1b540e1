// What a milestone came to, for somebody who joins: from its archive and from the files of its phases, by code.
import type { PlanningStep, ProjectPhase } from "../../../protocol/project.ts";
import { introOf, oneLine, sectionNamed, sectionsOf, table } from "../formats/sections.ts";
import { bindingDecisions, readContext } from "../formats/context-document.ts";
import type { Known } from "./kept.ts";
import { fault } from "./naming.ts";
import { belowPlanning } from "../formats/workstream.ts";

type Texts = ReadonlyMap<string, string>;

/** Without a version: of the phases that there are. */
export function milestoneSummary(
  texts: Texts,
  view: Known,
  given: string,
  at: string,
): { steps: PlanningStep[]; activity: string } {
  const version = given === "" ? (view.milestone ?? "current") : `v${given.replace(/^v/i, "")}`;
  const archive = texts.get(`milestones/${version}-ROADMAP.md`);
  if (given !== "" && archive === undefined && version !== view.milestone)
    throw fault("no-milestone", `There is no milestone ${version}.`, "See: .planning/MILESTONES.md");
  const listed =
    archive === undefined
      ? undefined
      : new Set([...archive.matchAll(/\bPhase\s+0*([\d.]+)\s*:/g)].map(([, number]) => number));
  const phases = view.phases.filter(({ number, shipped }) => (listed ? listed.has(number) : !shipped));
  const project = sectionsOf(texts.get("PROJECT.md") ?? "", 3);
  const text = [
    ...[`# Milestone ${version}: Summary`, "", `**Written:** ${at.slice(0, 10)}, by code from the planning files`, ""],
    ...["## What It Is", "", introOf(sectionNamed(project, "what this is")?.body ?? "") || "Not said.", ""],
    ...["## Phases", ""],
    ...table(
      ["Phase", "Goal", "State", "Plans"],
      phases.map(({ number, name, goal = "", state, plans }) => [
        `${number}. ${name}`,
        goal,
        state,
        String(plans.length),
      ]),
    ),
    ...["", "## What Was Built", "", ...orNone(phases.flatMap((phase) => built(texts, phase)))],
    ...["", "## Decisions", "", ...orNone(phases.flatMap((phase) => decided(texts, phase)))],
    ...[
      "",
      "## Requirements",
      "",
      ...orNone(view.requirements.map(({ id, text: what, state }) => `- ${id} (${state}): ${oneLine(what)}`)),
    ],
    ...[
      "",
      "## Open",
      "",
      ...orNone(view.openItems.map(({ phase, state, text: what }) => `- Phase ${phase}, ${state}: ${oneLine(what)}`)),
    ],
    "",
  ].join("\n");
  const path = `reports/MILESTONE_SUMMARY-${version}.md`;
  return { steps: [{ kind: "write", path, text }], activity: `summary of milestone ${version} written` };
}

const orNone = (lines: readonly string[]): readonly string[] => (lines.length === 0 ? ["None."] : lines);

function built(texts: Texts, { plans }: ProjectPhase): string[] {
  return plans.flatMap(({ id, path }) => {
    const summary = texts.get(belowPlanning(path).replace(/PLAN\.md$/, "SUMMARY.md"));
    const title = /^#\s+(.+)$/m.exec(summary ?? "")?.[1];
    return title === undefined ? [] : [`- ${id}: ${oneLine(title.replace(/^Plan\s+\S+:\s*/, ""))}`];
  });
}

function decided(texts: Texts, { number, folder }: ProjectPhase): string[] {
  const prefix = belowPlanning(folder);
  const path = [...texts.keys()].find(
    (each) => prefix !== undefined && each.startsWith(`${prefix}/`) && each.endsWith("CONTEXT.md"),
  );
  const text = path === undefined ? undefined : texts.get(path);
  return text === undefined
    ? []
    : bindingDecisions(readContext(text)).map(({ id, text: what }) => `- Phase ${number}, ${id}: ${oneLine(what)}`);
}
