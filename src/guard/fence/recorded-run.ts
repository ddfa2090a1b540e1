// A command without a layer: what it changes in the workspace is known by a comparison around it.
import type { Assessment } from "../../protocol/effect.ts";
import { judgedPlaces } from "./layered.ts";
import type { ProcessWorld } from "./process.ts";

type World = Pick<ProcessWorld, "changes" | "snapshots" | "workspace">;

/** Nothing stands between such a run and the workspace: what differs after it is its doing. */
export async function recordedRun<T>(world: World, assessment: Assessment, run: () => Promise<T>): Promise<T> {
  const changes = await world.changes?.();
  if (!changes) return run();
  const { written, deleted } = judgedPlaces(assessment, world.workspace);
  const trees = async () => {
    const found = await world.snapshots?.();
    return found && !("unavailable" in found) ? found : undefined;
  };
  return changes.aroundCommand([...written, ...deleted], trees, run);
}
