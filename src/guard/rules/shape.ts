import type { Tag } from "./tags.ts";

/** Arguments with which a program is forbidden, whatever its row says of it otherwise. */
export interface Shape {
  readonly programs: string;
  /** On the arguments, joined by single spaces. */
  readonly words: RegExp;
  readonly why: string;
  readonly tag: Tag;
  /** Whole commands. */
  readonly match: readonly string[];
  readonly notMatch: readonly string[];
}
