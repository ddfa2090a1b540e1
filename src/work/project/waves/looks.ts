// What a person looks at while a phase is carried out (workflow.human_verify_mode: mid-flight), before the next wave begins.
import { sha256 } from "../../../base/digest.ts";
import type { ProjectWork } from "../work/work.ts";
import { humanChecks } from "./checkpoints.ts";
import type { PhasePlans } from "./phase.ts";

const keyOf = (line: string): string => `looked:${sha256(line).slice(0, 16)}`;

/** A person has looked at it in this run, and found it right. */
export const wasSeen = (work: ProjectWork, line: string): boolean => work.world.kept.get(keyOf(line)) === true;

/**
 * Asks of each plan that is done what only a person can look at. Undefined: all of it is right, or is left for the end of the
 * phase: by the mode, with --auto, and for plans of one wave where `parallelization.skip_checkpoints` says so.
 */
export async function notRight(work: ProjectWork, phase: string, plans: PhasePlans): Promise<string | undefined> {
  const settings = await work.settings();
  if (settings["workflow.human_verify_mode"] !== "mid-flight" || work.auto) return undefined;
  const skips = settings["parallelization.skip_checkpoints"];
  const done = plans.done.filter(({ plan }) => !skips || !plans.beside.has(plan.id));
  for (const line of humanChecks(done)) {
    if (wasSeen(work, line)) continue;
    const commit = (await work.repository.commit("HEAD")) ?? "";
    if (!(await work.confirm(`Look at it before the next wave begins. ${line}. Is it right?`))) return line;
    await work.world.kept.set(keyOf(line), true);
    work.note("project.looked", { phase, about: line, commit });
  }
  return undefined;
}
