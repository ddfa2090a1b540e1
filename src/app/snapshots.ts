import type { SnapshotSource } from "../engine/checkpoint.ts";
import type { Program } from "./program.ts";

/** Opened at the first checkpoint; a machine without git has none. */
export function snapshotSource(program: Program): SnapshotSource {
  let opened: ReturnType<SnapshotSource> | undefined;
  const open: SnapshotSource = async () => {
    const { openSnapshots, snapshotsPossible } = await import("../io/snapshot/snapshots.ts");
    if (!snapshotsPossible()) return { unavailable: "git is not installed" };
    const { max_mb: megabytes, max_files: maxFiles } = program.config().settings.checkpoint;
    return openSnapshots({
      gitDir: program.project.snapshots,
      workspace: program.workspace,
      maxBytes: megabytes * 1024 * 1024,
      maxFiles,
    });
  };
  return () => {
    opened ??= open();
    return opened;
  };
}
