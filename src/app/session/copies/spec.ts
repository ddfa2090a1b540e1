// What those who work side by side are given of the workspace. Made in copies.ts.
import type { Gate } from "../../../guard/gate.ts";
import type { FileChange } from "../../../protocol/action.ts";
import type { Diff } from "../../../protocol/result.ts";
import type { Snapshots } from "../../../io/snapshot/snapshots.ts";

export interface OpenCopy {
  folder: string;
  /** The session's own gate, with that folder for its workspace. */
  gate(): Promise<Gate>;
  /** The files as they are there now, but for those that no checkpoint can hold. */
  take: Snapshots["take"];
  /** False when something of it could not be removed. */
  close(): Promise<boolean>;
}

/**
 * How one tree is made of another: by the changes that a text can tell, then by putting `others` in place, also where the
 * text does not tell all. `added`: the paths of both at which the other tree has nothing. `unheld`: what is there otherwise
 * than a checkpoint could hold, and so is not to be had.
 */
export interface Difference {
  changes: FileChange[];
  others: string[];
  added: string[];
  unheld: string[];
}

export interface Copies {
  /** The files of the workspace as they are now. */
  tree(): Promise<string>;
  open(tree: string): Promise<OpenCopy>;
  diff(from: string, to: string): Promise<Diff>;
  /** For a change of the workspace: secrets of the files there stand in it as their marks. */
  difference(from: string, to: string): Promise<Difference>;
  /** Those of the paths at which the workspace has a file, whether a checkpoint holds it or not. */
  occupied(paths: readonly string[]): string[];
}
