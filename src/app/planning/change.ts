// What a person changes about the planning files by a command: shown first, then done, and noted in the ledger.
import type { PlanningChange, PlanningPreview } from "../../protocol/project.ts";
import { changesOf } from "../../work/project/facts/changes.ts";
import type { PlanningFiles } from "../../work/project/facts/view.ts";
import { callerOf } from "../program/caller.ts";
import type { Program } from "../program/program.ts";
import { withLedger } from "../record/audit.ts";
import { planningFiles } from "./files.ts";
import { alone } from "./write.ts";

async function computed(files: PlanningFiles, change: PlanningChange): Promise<PlanningPreview> {
  const { steps, activity } = await changesOf(files, change, new Date().toISOString());
  const differ = steps.filter((step) => step.kind === "move" || files.texts.get(step.path) !== step.text);
  return { activity, steps: differ };
}

export const previewPlanning = async (program: Program, change: PlanningChange): Promise<PlanningPreview> =>
  computed(await planningFiles(program.workspace), change);

/** Computed again under the lock: what was shown may have changed meanwhile. Rejects with a Fault. */
export async function changePlanning(program: Program, change: PlanningChange): Promise<void> {
  await alone(program, async (carryOut) => {
    const { steps, activity } = await computed(await planningFiles(program.workspace), change);
    const files = steps.map((step) => `.planning/${step.kind === "write" ? step.path : step.to}`);
    withLedger(program, (ledger) => ledger.note("project.changed", { by: callerOf(program).name, activity, files }));
    await carryOut(steps);
  });
}
