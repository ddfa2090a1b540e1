// What begins, changes and ends a workstream: its own roadmap, state and requirements, beside those of the main project.
import type { PlanningPreview, PlanningStep } from "../../../protocol/project.ts";
import { requirementsText, roadmapText, stateText } from "../formats/new-project.ts";
import { isBacklog } from "../formats/phase-number.ts";
import { activeFile, isStreamName } from "../formats/workstream.ts";
import type { Known } from "./kept.ts";
import { fault } from "./naming.ts";
import type { PlanningFiles } from "./view.ts";

const written = (path: string, text: string): PlanningStep => ({ kind: "write", path, text });

export function streamBegun(files: PlanningFiles, view: Known, at: string, name: string): PlanningPreview {
  if (!isStreamName(name))
    throw fault("stream-name", `${JSON.stringify(name)} cannot be the name of a workstream.`, "Use a-z, 0-9 and -.");
  if (files.streams?.includes(name))
    throw fault("stream-there", `There is a workstream ${name} already.`, `fettle project workstreams switch ${name}`);
  const folder = `workstreams/${name}`;
  const project = view.name ?? "Project";
  const value = `The workstream ${name}.`;
  const state = { milestone: view.milestone ?? "v1.0", value, first: name, phases: 0 };
  const requirements = { project: `${project}: ${name}`, value, now: [], later: [], excluded: [] };
  return {
    steps: [
      written(`${folder}/ROADMAP.md`, roadmapText({ project: `${project}: ${name}`, overview: value, phases: [] })),
      written(`${folder}/REQUIREMENTS.md`, requirementsText(requirements, new Map(), at)),
      written(`${folder}/STATE.md`, stateText(state, at)),
      written(activeFile, `${name}\n`),
    ],
    activity: `workstream ${name} begun`,
  };
}

/** Without a name: back to the main project. */
export function streamSwitched({ streams = [] }: PlanningFiles, name: string | undefined): PlanningPreview {
  if (name !== undefined && !streams.includes(name)) throw noStream(name, streams);
  return {
    steps: [written(activeFile, name === undefined ? "" : `${name}\n`)],
    activity: name === undefined ? "back to the main project" : `workstream ${name} is worked on`,
  };
}

/** `files` and `view` are those of the workstream. */
export function streamCompleted(files: PlanningFiles, view: Known, at: string, name: string): PlanningPreview {
  const { streams = [], texts } = files;
  if (files.stream !== name || !streams.includes(name)) throw noStream(name, streams);
  const open = view.phases.filter(({ number, state }) => !isBacklog(number) && state !== "done" && state !== "claimed");
  if (open.length > 0)
    throw fault(
      "stream-open",
      `Phases of ${name} are open: ${open.map(({ number }) => number).join(", ")}.`,
      `See what comes next: FETTLE_WORKSTREAM=${name} fettle project next`,
    );
  const to = `milestones/ws-${name}-${at.replace(/\D/g, "").slice(0, 14)}`;
  return {
    steps: [
      { kind: "move", from: `workstreams/${name}`, to },
      ...(texts.get(activeFile)?.trim() === name ? [written(activeFile, "")] : []),
    ],
    activity: `workstream ${name} completed`,
  };
}

const noStream = (name: string, streams: readonly string[]) =>
  fault(
    "no-workstream",
    `There is no workstream ${JSON.stringify(name)}.`,
    streams.length === 0 ? "Begin one: fettle project workstreams create NAME" : `There are: ${streams.join(", ")}`,
  );
