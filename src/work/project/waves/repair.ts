// What a plan comes to that failed at its work: it is tried again as it was signed, and told why it failed (workflow.node_repair).
import type { TaskRecord } from "../../../protocol/task.ts";
import type { ProjectWork } from "../work/work.ts";
import type { TaskEnd } from "../work/world.ts";
import type { ExecutablePlan } from "../formats/executable-plan.ts";

export interface Ended {
  document: ExecutablePlan;
  end: TaskEnd;
}

/** By the id of a plan: why it failed before. */
export type Failures = ReadonlyMap<string, string>;

/** Whoever said no, and a plan that cannot be signed as it is, is not asked again. */
const failedAtWork = ({ state, planApproval, outcome }: TaskRecord): boolean =>
  planApproval !== undefined && outcome?.kind === "failed" && (state === "FAILED" || state === "FAILED_BY_TIMEOUT");

const longestReason = 4_000;

/**
 * `again`: works on these plans anew. The signature of the wave covers the attempts, as nothing of the plans differs; what would
 * need another plan (fewer tasks, other pieces) is left to the person. The count outlives a kill.
 */
export async function repaired(
  work: ProjectWork,
  first: readonly Ended[],
  again: (failures: Failures) => Promise<Ended[]>,
): Promise<Ended[]> {
  const settings = await work.settings();
  const budget = settings["workflow.node_repair"] ? Math.floor(settings["workflow.node_repair_budget"]) : 0;
  const { kept } = work.world;
  const keyOf = ({ document }: Ended) => `repairs:${document.plan.id}`;
  const madeOf = (ended: Ended) => Number(kept.get(keyOf(ended)) ?? 0);
  let ends = [...first];
  for (;;) {
    const failed = ends.filter((ended) => ended.end.paused === undefined && failedAtWork(ended.end.task));
    const left = failed.filter((ended) => madeOf(ended) < budget);
    if (left.length === 0 || ends.some(({ end }) => end.paused !== undefined)) break;
    const failures = new Map<string, string>();
    for (const ended of left) {
      const { id } = ended.document.plan;
      const why = (ended.end.task.outcome?.text ?? "").slice(0, longestReason);
      failures.set(id, why);
      await kept.set(keyOf(ended), madeOf(ended) + 1);
      work.tell(
        `Plan ${id} failed: ${why.split("\n")[0] ?? ""} It is tried again, repair ${madeOf(ended)} of ${budget}.`,
        false,
      );
    }
    const made = await again(failures);
    ends = ends.map((ended) => made.find(({ document }) => document === ended.document) ?? ended);
  }
  // The next run begins to count anew.
  for (const ended of ends) if (ended.end.paused === undefined && madeOf(ended) > 0) await kept.drop(keyOf(ended));
  return ends;
}
