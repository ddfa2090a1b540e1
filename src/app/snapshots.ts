import { Fault } from "../base/fault.ts";
import type { SnapshotSource } from "../engine/checkpoint.ts";
import type { Program } from "./program.ts";

/** Opened at the first checkpoint; a machine without git has none. */
export function snapshotSource(program: Program): SnapshotSource {
  let opened: ReturnType<SnapshotSource> | undefined;
  const open: SnapshotSource = async () => {
    const { openSnapshots } = await import("../io/snapshot/snapshots.ts");
    const { max_mb: megabytes, max_files: maxFiles } = program.config().settings.checkpoint;
    try {
      return openSnapshots({
        gitDir: program.project.snapshots,
        workspace: program.workspace,
        maxBytes: megabytes * 1024 * 1024,
        maxFiles,
      });
    } catch (error) {
      if (error instanceof Fault) return { unavailable: error.message };
      throw error;
    }
  };
  return () => {
    opened ??= open();
    return opened;
  };
}
