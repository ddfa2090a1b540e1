// A command without a layer: what it changes in the workspace is known by a comparison around it.
import type { Recorder } from "../../io/changes/own-changes.ts";
import type { Snapshots } from "../../io/snapshot/snapshots.ts";
import type { Assessment } from "../../protocol/effect.ts";
import { judgedPlaces } from "./layered.ts";

export interface RecordedWorld {
  workspace: string;
  snapshots?: () => Promise<Pick<Snapshots, "restore" | "take" | "earlier"> | { unavailable: string }>;
  /** Keeps what was there before. */
  changes?: () => Promise<Recorder>;
}

/** Nothing stands between such a run and the workspace: what differs after it is its doing. */
export async function recordedRun<T>(world: RecordedWorld, assessment: Assessment, run: () => Promise<T>): Promise<T> {
  const changes = await world.changes?.();
  if (!changes) return run();
  const { written, deleted } = judgedPlaces(assessment, world.workspace);
  const trees = async () => {
    const found = await world.snapshots?.();
    return found && !("unavailable" in found) ? found : undefined;
  };
  return changes.aroundCommand([...written, ...deleted], trees, run);
}
