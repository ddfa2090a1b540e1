import type { SnapshotSource } from "../../engine/checkpoint.ts";
import type { SnapshotOptions } from "../../io/snapshot/snapshots.ts";
import type { Program } from "./program.ts";

export function snapshotOptions({ config, project, workspace }: Program): SnapshotOptions {
  const { max_mb: megabytes, max_files: maxFiles } = config().settings.checkpoint;
  return { gitDir: project.snapshots, workspace, maxBytes: megabytes * 1024 * 1024, maxFiles };
}

/** Opened at the first checkpoint; a machine without git has none. */
export function snapshotSource(program: Program): SnapshotSource {
  let opened: ReturnType<SnapshotSource> | undefined;
  const open: SnapshotSource = async () => {
    const { openSnapshots, snapshotsPossible } = await import("../../io/snapshot/snapshots.ts");
    if (!snapshotsPossible()) return { unavailable: "git is not installed" };
    return openSnapshots(snapshotOptions(program));
  };
  return () => {
    opened ??= open();
    return opened;
  };
}
