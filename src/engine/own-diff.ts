// Of what differs, what fettle itself has done: the person's own work of the same time is no part of a turn.
import type { Plan, Step } from "../io/changes/plan.ts";
import type { Diff, FileDiff } from "../protocol/result.ts";

/** `whole`: from the checkpoint to now. What git ignores is told without its lines: it may be a file for secrets. */
export function ownDiff(plan: Plan, whole: Diff): Diff {
  const steps = [...plan.back, ...plan.both];
  const own = new Set([...steps, ...plan.left].map((each) => each.path));
  const files = whole.files.filter((file) => own.has(file.path) || (file.from !== undefined && own.has(file.from)));
  const known = new Set(files.flatMap((file) => (file.from === undefined ? [file.path] : [file.path, file.from])));
  const beyond = steps.filter((step) => !known.has(step.path) && isFile(step)).map(withoutLines);
  return { files: [...files, ...beyond].toSorted((left, right) => (left.path < right.path ? -1 : 1)) };
}

const isFile = ({ before, after }: Step): boolean =>
  [before, after].some(({ kind }) => kind === "file" || kind === "link");

function withoutLines({ path, before, after }: Step): FileDiff {
  const change = before.kind === "absent" ? "created" : after.kind === "absent" ? "deleted" : "modified";
  return { path, change, added: 0, removed: 0, patch: "" };
}
