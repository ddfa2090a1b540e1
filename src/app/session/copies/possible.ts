// Whether the workspace can be worked on in copies.
import path from "node:path";
import { ignoredFolders, takenSize } from "../../../io/snapshot/copy.ts";
import type { FolderSize } from "../../../io/folders/worktrees.ts";
import { dependencyFolders } from "../../../work/task/stacks/list.ts";
import { sandboxOf } from "../../program/machine.ts";
import type { Program } from "../../program/program.ts";
import { snapshotOptions, snapshotSource } from "../../program/snapshots.ts";

/** A copy takes about 2 seconds for every 5,000 files. */
const most: FolderSize = { files: 20_000, bytes: 256 * 1024 * 1024 };
const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;

/** Why the workspace, as it is now, cannot be worked on in copies; undefined when it can. */
export async function uncopyable(program: Program): Promise<string | undefined> {
  const snapshots = await snapshotSource(program)();
  if ("unavailable" in snapshots) return `copies are made of checkpoints, and ${snapshots.unavailable}`;
  const [left, ...more] = (await snapshots.take()).leftOut;
  if (left) {
    const others = more.length > 0 ? ` and ${more.length} more` : "";
    return `a copy would lack ${left.path}${others}, which no checkpoint holds (${left.why})`;
  }
  const { files, bytes } = takenSize(snapshotOptions(program));
  if (files > most.files || bytes > most.bytes)
    return `the workspace is too large to copy (${files} files, ${megabytes(bytes)}; at most ${most.files}, ${megabytes(most.bytes)})`;
  if (sandboxOf(program).name !== "none") return undefined;
  const [lent] = await dependencies(program);
  return lent && `without a sandbox ${lent} cannot be lent to a copy`;
}

export const named = (wanted: readonly string[]) => (name: string) => wanted.includes(path.posix.basename(name));

const dependencies = async (program: Program): Promise<string[]> =>
  (await ignoredFolders(snapshotOptions(program))).filter(named(dependencyFolders));
