// The plans of a phase as their files have them, and one more that closes gaps.
import type { PlanningStep } from "../../../protocol/project.ts";
import type { PlanningFiles } from "../facts/view.ts";
import { type PlanDocument, planText, readPlan } from "../formats/plan-document.ts";
import { withPlans } from "../formats/roadmap-plans.ts";
import type { PhaseGround } from "./phase-ground.ts";

export interface FiledPlan {
  id: string;
  document: PlanDocument;
}

export async function plansOf({ phase, files, folder }: PhaseGround): Promise<FiledPlan[]> {
  const plans: FiledPlan[] = [];
  for (const { id } of phase.plans) {
    const text = files.texts.get(`${folder}/${id}-PLAN.md`);
    if (text !== undefined) plans.push({ id, document: await readPlan(text) });
  }
  return plans;
}

/** Its number and phase are the next ones. Nothing is written here. */
export function gapPlan(
  { phase, folder, prefix }: PhaseGround,
  before: readonly FiledPlan[],
  made: Pick<PlanDocument, "objective" | "requirements" | "tasks" | "success">,
): FiledPlan {
  const last = Math.max(0, ...phase.plans.map(({ id }) => Number(/-(\d+)$/.exec(id)?.[1] ?? 0)));
  const plan = String(last + 1).padStart(2, "0");
  const id = `${prefix}-${plan}`;
  const document: PlanDocument = {
    ...{ phase: folder.slice("phases/".length), plan, type: "execute", autonomous: true, gapClosure: true },
    ...{ wave: 1, dependsOn: [], deleted: [], userSetup: [], context: [], threats: [] },
    files: [...new Set(made.tasks.flatMap(({ files }) => files))],
    mustHaves: {
      truths: made.success,
      artifacts: made.tasks.flatMap(({ files, name }) => files.map((path) => ({ path, provides: name }))),
      keyLinks: [],
    },
    verification: [...new Set(made.tasks.map(({ verify }) => verify))],
    ...made,
  };
  const common = before.filter((other) => other.document.files.some((file) => document.files.includes(file)));
  return { id, document: { ...document, dependsOn: common.map((other) => other.id) } };
}

export function planWritten(
  { texts, stream }: PlanningFiles,
  { phase, folder }: PhaseGround,
  before: readonly FiledPlan[],
  plan: FiledPlan,
): PlanningStep[] {
  const roadmap = texts.get("ROADMAP.md");
  const all = [...before, plan].map(({ id, document }) => ({ id, title: document.objective.split("\n")[0] ?? "" }));
  return [
    { kind: "write", path: `${folder}/${plan.id}-PLAN.md`, text: planText(plan.document, stream) },
    ...(roadmap === undefined
      ? []
      : [{ kind: "write" as const, path: "ROADMAP.md", text: withPlans(roadmap, phase.number, all) }]),
  ];
}
