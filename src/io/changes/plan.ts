// What taking back a part of the record would do, path by path.
import { type PathState, sameState } from "./state.ts";

/** One change that fettle made at one path. `undo`: it took others back; all of one name belong together. */
export interface Change {
  turn: number;
  /** Relative to the workspace. */
  path: string;
  before: PathState;
  after: PathState;
  undo?: string;
  /** Found by comparing the whole workspace around a command: somebody else may have written it meanwhile. */
  compared?: true;
}

/** Something that fettle did and kept nothing of. */
export interface Unkept {
  turn: number;
  path: string;
  unkept: string;
}

export type Entry = Change | Unkept;

/** All since a turn, or what one undo did. */
export type Part = { since: number } | { undo: string };

const partPattern = /^own-(since|undo)-([0-9a-f]+)$/;

/** What stands in the place of a checkpoint where the record is what files are put back from. */
export const partName = (part: Part): string => ("since" in part ? `own-since-${part.since}` : `own-undo-${part.undo}`);

export function partNamed(name: string): Part | undefined {
  const [, kind, value = ""] = partPattern.exec(name) ?? [];
  if (kind === undefined) return undefined;
  return kind === "since" ? { since: Number(value) } : { undo: value };
}

export interface Step {
  path: string;
  /** As it was before, and as fettle left it. */
  before: PathState;
  after: PathState;
}

export interface Plan {
  back: Step[];
  /** Somebody else changed these, too: before, between or after. */
  both: Step[];
  /** fettle changed these, and what was there before is not kept. */
  left: { path: string; why: string }[];
}

export interface Look {
  now(path: string): PathState;
  kept(content: string): boolean;
}

/** Of these entries, oldest first. What stands as it was before, or was put back, is no part of it. */
export function planOf(entries: readonly Entry[], look: Look): Plan {
  const left = new Map<string, string>();
  const folded = new Map<string, Step & { broken: boolean }>();
  for (const entry of entries) {
    if ("unkept" in entry) left.set(entry.path, entry.unkept);
    else follow(folded, entry);
  }
  const plan: Plan = { back: [], both: [], left: [...left].map(([path, why]) => ({ path, why })) };
  for (const { broken, ...step } of folded.values()) {
    if (sameState(step.before, step.after)) continue;
    const now = look.now(step.path);
    if (sameState(now, step.before)) continue;
    if (broken || !sameState(now, step.after)) plan.both.push(step);
    else if (step.before.kind === "other") plan.left.push({ path: step.path, why: "it was neither a file nor a link" });
    else if (step.before.kind === "file" && !look.kept(step.before.content))
      plan.left.push({ path: step.path, why: "it was too large to be kept" });
    else plan.back.push(step);
  }
  return plan;
}

/** What a command changed is seen twice where another agent's call ran beside it. */
function follow(folded: Map<string, Step & { broken: boolean }>, { path, before, after }: Change): void {
  const known = folded.get(path);
  if (!known) folded.set(path, { path, before, after, broken: false });
  else if (!sameState(known.after, after)) {
    known.broken ||= !sameState(known.after, before);
    known.after = after;
  }
}
