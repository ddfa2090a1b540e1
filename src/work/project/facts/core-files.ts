// Core files that are missing, made from those that there are: what nobody has written down stands there as not known.
import type { PlanningStep } from "../../../protocol/project.ts";
import { projectText, requirementsText, roadmapText, stateText } from "../formats/new-project.ts";
import { parseRequirements } from "../formats/requirements.ts";
import { splitPhase } from "../formats/phase-number.ts";
import type { Known } from "./kept.ts";
import type { PlanningFiles } from "./view.ts";

const unknown = "Not known: the file was missing and was made anew.";

export function missingCore({ texts, folders, unreadable }: PlanningFiles, view: Known, at: string): PlanningStep[] {
  const name = view.name ?? "Project";
  const isMissing = (path: string) => !texts.has(path) && unreadable.every((each) => each.path !== path);
  const phases = view.phases.map(({ number, name: title, goal, requirements, plans }) => ({
    ...{ number, name: title === "" ? `Phase ${number}` : title.replaceAll("-", " ") },
    goal: goal ?? unknown,
    dependsOn: [],
    requirements: [...new Set([...requirements, ...plans.flatMap((plan) => plan.requirements)])],
    success: [],
  }));
  const named = [...new Set(phases.flatMap(({ requirements }) => requirements))];
  const known = new Set(parseRequirements(texts.get("REQUIREMENTS.md") ?? "").map(({ id }) => id));
  const phaseOf = new Map(
    phases.flatMap(({ number, requirements }) => requirements.map((id) => [id, number] as const)),
  );
  const made: Readonly<Record<string, () => string>> = {
    "PROJECT.md": () =>
      projectText(
        {
          ...{ name, what: unknown, value: unknown, context: "", active: [], validated: [], excluded: [] },
          ...{ constraints: [], decisions: [] },
        },
        at,
        "repair",
      ),
    "REQUIREMENTS.md": () =>
      requirementsText(
        {
          ...{ project: name, value: unknown, later: [], excluded: [] },
          now: categories(named.filter((id) => !known.has(id))),
        },
        phaseOf,
        at,
      ),
    "ROADMAP.md": () => roadmapText({ project: name, overview: unknown, phases }),
    "STATE.md": () => {
      const first = folders.map((folder) => splitPhase(folder)?.name ?? "").find((each) => each !== "") ?? name;
      return stateText({ milestone: view.milestone ?? "v1.0", value: unknown, first, phases: phases.length }, at);
    },
  };
  return Object.entries(made).flatMap(([path, text]): PlanningStep[] =>
    isMissing(path) ? [{ kind: "write", path, text: text() }] : [],
  );
}

function categories(ids: readonly string[]): { category: string; items: { id: string; text: string }[] }[] {
  const groups = Map.groupBy(ids, (id) => id.replace(/-\d+$/, ""));
  return [...groups].map(([category, own]) => ({ category, items: own.map((id) => ({ id, text: unknown })) }));
}
