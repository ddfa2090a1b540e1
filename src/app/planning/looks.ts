// What follows from the planning files and the repository together: counts, edges, open phases, schemas.
import path from "node:path";
import { readBytes } from "../../io/files/bytes.ts";
import { FileProblem } from "../../io/files/problem.ts";
import type { OpenPhase, PhaseEdge, ProjectStats, SchemaDrift } from "../../protocol/project.ts";
import { suggestedEdges } from "../../work/project/facts/dependencies.ts";
import { openPhases } from "../../work/project/facts/open-phases.ts";
import { schemaDrift } from "../../work/project/facts/schema-drift.ts";
import { settingsOf } from "../../work/project/facts/settings.ts";
import { Repository } from "../../work/task/world/git.ts";
import type { Program } from "../program/program.ts";
import { planningFiles, projectView } from "./files.ts";
import { activeStream } from "./active-workstream.ts";

export async function projectDependencies(program: Program): Promise<PhaseEdge[]> {
  return suggestedEdges(await projectView(program));
}

export async function projectOpen(program: Program): Promise<OpenPhase[]> {
  const { texts } = await planningFiles(program.workspace, await activeStream(program));
  return openPhases(await projectView(program), settingsOf(texts.get("config.json")).read);
}

const manifests = ["package.json", "requirements.txt", "pyproject.toml", "Gemfile"];

export async function projectDrift(program: Program): Promise<SchemaDrift[]> {
  const texts = await Promise.all(manifests.map((name) => textOf(path.join(program.workspace, name))));
  return schemaDrift(await planningFiles(program.workspace, await activeStream(program)), texts.join("\n"));
}

async function textOf(file: string): Promise<string> {
  try {
    return new TextDecoder().decode((await readBytes(file, { limit: 1024 * 1024 })).bytes);
  } catch (error) {
    if (error instanceof FileProblem) return "";
    throw error;
  }
}

export async function projectStats(program: Program): Promise<ProjectStats> {
  const { phases, requirements, todos, milestone } = await projectView(program);
  const plans = phases.flatMap((phase) => phase.plans);
  const repository = new Repository(program.workspace);
  const times = ((await repository.line("log", "--format=%aI", "--", ".")) ?? "").split("\n").filter(Boolean);
  const isIn = (...states: string[]) => phases.filter(({ state }) => states.includes(state)).length;
  return {
    ...(milestone !== undefined && { milestone }),
    phases: { all: phases.length, verified: isIn("done"), ticked: isIn("claimed") },
    plans: { all: plans.length, summarized: plans.filter(({ summarized }) => summarized).length },
    tasks: plans.reduce((sum, plan) => sum + plan.tasks, 0),
    requirements: {
      all: requirements.length,
      shown: requirements.filter(({ state }) => state === "done").length,
      ticked: requirements.filter(({ state }) => state === "claimed").length,
    },
    todos: todos.length,
    commits: times.length,
    ...(times.length > 0 && { first: times.at(-1) ?? "", last: times[0] ?? "" }),
  };
}
