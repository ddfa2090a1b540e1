// What taking back would do, as people are shown it before.
import type { LeftOut } from "./event.ts";
import type { Diff } from "./result.ts";

/**
 * `diff`: what would be done to the files. `foreign`: somebody else changed it, alone or besides fettle. `left`: fettle
 * changed it, and it cannot be put back.
 */
export interface RewindPreview {
  turn: number;
  prompt: string;
  tree?: string;
  conversation: { turnsDropped: number };
  diff: Diff;
  foreign: string[];
  left: { path: string; why: string }[];
  leftOut: LeftOut[];
}

/** `undo`: the last undo or rewind would be taken back. `nothing`: there is nothing that could be taken back. */
export interface UndoPreview {
  of: "turn" | "undo" | "nothing";
  left: { path: string; why: string }[];
}
