// Copy-on-write layers over a workspace: what a command writes lands in a folder of its own, and fettle looks at it
// before any of it reaches the workspace.
import type { Stats } from "node:fs";

/** A folder of elsewhere that commands see in the workspace, and write to as if it were theirs; it stays as it is. */
export interface SharedFolder {
  from: string;
  /** Inside of the workspace. */
  to: string;
  /** A folder whose entries are seen in the place of those that have the same names in `from`. */
  over?: string;
}

/** The layer of one run. */
export interface RunLayer {
  /** Holds exactly what the run wrote; deleted paths are character devices 0/0. */
  readonly upper: string;
  /** The same of what it wrote to borrowed folders, each at its place in the workspace; undefined when it wrote nothing there. */
  lentUpper(): string | undefined;
  /** False when what was kept has been forgotten since it began: nothing of it is kept any more. */
  current(): boolean;
  /** Words to stand before bubblewrap's: they mount the layers and then become what follows them. */
  readonly words: readonly string[];
  /** Removes the folder of the run. To be called when nothing has it mounted any more. */
  close(): void;
}

/** Makes layers that are all mounted the same way. */
export interface LayerSource {
  /** Two sources with the same key mount the same things; only the folder that takes the writes differs. */
  readonly key: string;
  /** Where the merged view is mounted; the sandbox shows it in the place of the workspace. */
  readonly merged: string;
  open(): RunLayer;
}

/** A file that commands may not read: they see `shown` in its place (nothing, where it is undefined). */
export interface MaskedFile {
  /** Below the workspace, absolute. */
  path: string;
  shown?: string | undefined;
}

/**
 * One thing that a run wrote. `path` is relative to the workspace. `before` tells what the commands saw there when the
 * run began: nothing, or something, which may lie in the workspace or only in the session's layer (`kept`).
 */
export type Change = { path: string; before?: Below } & (
  | { kind: "file"; stats: Stats }
  | { kind: "folder" }
  | { kind: "link"; target: string }
  /** `files`: what is gone, the path itself or what lay below it, as far as it lies in the workspace. */
  | { kind: "removed"; files: string[] }
  | { kind: "special" }
);

export interface Below {
  kind: "file" | "folder" | "link" | "other";
  /** It lies only in the session's layer: the workspace has nothing there. */
  kept: boolean;
  size: number;
  mode: number;
  /** Milliseconds; of the last change of content or of rights. */
  changedAt: number;
  /** Known again as long as nobody writes it or puts something else in its place. */
  seal: string;
}

/** Deleted files of one folder that are named. Where a change names as many there may be more. */
export const mostRemoved = 20_000;

/** Where the writes of a run went. Paths are relative to the workspace. */
export interface WriteReport {
  /** In the workspace now, what was deleted among it. */
  applied: string[];
  /** Those of `applied` that are gone. */
  removed?: string[];
  /** Of `applied`: a name for what each file holds now, as far as they are few and not large. */
  contents?: { path: string; state: string }[];
  /** In the session's layer: seen by later commands only. */
  kept: string[];
  /** Those of `kept` that later commands do not see, and the workspace still has. */
  hidden?: string[];
  /** Those of them that a planned command of a task made, that nothing ignores and that the plan does not name. */
  generated: string[];
  /** Nowhere. `why` is a clause for the model and the person. */
  dropped: { path: string; why: string }[];
  /** More was written than is looked at: the rest went nowhere. */
  more?: true;
}
