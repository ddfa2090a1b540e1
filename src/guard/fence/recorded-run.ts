// A command without a layer: what it changes in the workspace is known by a comparison around it.
import type { Recorder } from "../../io/changes/own-changes.ts";
import type { Snapshots } from "../../io/snapshot/snapshots.ts";
import type { ProcessExit } from "../../io/process/spec.ts";
import type { Assessment } from "../../protocol/effect.ts";
import { judgedPlaces } from "./layered.ts";

export interface RecordedWorld {
  workspace: string;
  snapshots?: () => Promise<Pick<Snapshots, "restore" | "take" | "earlier"> | { unavailable: string }>;
  /** Keeps what was there before. */
  changes?: () => Promise<Recorder>;
}

/** git says nothing of the files that it gives their earlier content. */
const takesBack = ({ effects }: Assessment): boolean =>
  effects.some(({ kind, target }) => kind === "vcs" && /^(?:checkout|restore)$/.test(target));

/** Nothing stands between such a run and the workspace: what differs after it is its doing. */
export async function recordedRun<T extends Pick<ProcessExit, "written">>(
  world: RecordedWorld,
  assessment: Assessment,
  run: () => Promise<T>,
): Promise<T> {
  const changes = await world.changes?.();
  if (!changes) return run();
  const { written, deleted } = judgedPlaces(assessment, world.workspace);
  const trees = async () => {
    const found = await world.snapshots?.();
    return found && !("unavailable" in found) ? found : undefined;
  };
  let changed: readonly string[] = [];
  const exit = await changes.aroundCommand([...written, ...deleted], trees, run, (paths) => (changed = paths));
  if (changed.length === 0 || exit.written || !takesBack(assessment)) return exit;
  return { ...exit, written: { applied: [...changed], kept: [], generated: [], dropped: [] } };
}
