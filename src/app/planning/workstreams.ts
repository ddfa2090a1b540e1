// The main project and its workstreams, side by side.
import type { ProjectView, WorkstreamRow } from "../../protocol/project.ts";
import type { Program } from "../program/program.ts";
import { activeStream } from "./active-workstream.ts";
import { planningFiles, viewIn } from "./files.ts";

export async function workstreamRows(program: Program): Promise<WorkstreamRow[]> {
  const { streams = [] } = await planningFiles(program.workspace);
  const active = await activeStream(program);
  const rows: WorkstreamRow[] = [];
  for (const name of [undefined, ...streams.toSorted()])
    rows.push(rowOf(await viewIn(program, name), { ...(name !== undefined && { name }), active: name === active }));
  return rows;
}

function rowOf({ phases, problems, next }: ProjectView, of: Pick<WorkstreamRow, "name" | "active">): WorkstreamRow {
  const plans = phases.flatMap((phase) => phase.plans);
  const isIn = (wanted: string) => phases.filter(({ state }) => state === wanted).length;
  return {
    ...of,
    phases: { all: phases.length, verified: isIn("done"), ticked: isIn("claimed") },
    plans: { all: plans.length, summarized: plans.filter(({ summarized }) => summarized).length },
    errors: problems.filter(({ level }) => level === "error").length,
    next,
  };
}
