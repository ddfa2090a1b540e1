// What one of several has made in its copy comes into the workspace: as one change through the gate, or not at all.
import { randomBytes } from "node:crypto";
import type { Gate } from "../../../guard/gate.ts";
import type { Grant } from "../../../guard/grant.ts";
import type { FileChange } from "../../../protocol/action.ts";
import { failure, textResult } from "../../../protocol/outcome.ts";
import type { Result } from "../../../protocol/result.ts";
import type { Difference } from "../../copies.ts";
import type { Stage } from "./stage.ts";

/** `changed`: files that somebody has changed since. `refused`: nothing was changed, for that reason. */
export type Taking = "taken" | { changed: string[] } | { refused: string };

interface Winner {
  base: string;
  tree: string;
}

export async function takeOver(stage: Stage, { base, tree }: Winner, signal: AbortSignal): Promise<Taking> {
  const { staff } = stage;
  const copies = await staff.copies();
  const difference = await copies.difference(base, tree);
  const wanted = pathsOf(difference);
  if (wanted.length === 0) return "taken";
  const now = await copies.tree();
  const since = now === base ? [] : pathsOf(await copies.difference(base, now));
  const changed = wanted.filter((path) => since.some((other) => collide(path, other)));
  if (changed.length > 0) return { changed };
  const result = await passed(await staff.gate(), { tree, difference }, signal);
  return result.status === "done" ? "taken" : { refused: textOf(result) };
}

const pathsOf = ({ changes, others }: Difference): string[] => [...changes.map(({ path }) => path), ...others];

/** The same file, or one stands where the other has a folder. */
const collide = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

const textOf = ({ parts }: Result): string => parts.map((part) => (part.type === "text" ? part.text : "")).join(" ");

interface Wanted {
  tree: string;
  difference: Difference;
}

/** What no text can tell is put in place as from a checkpoint, before the rest is known to be done. */
function passed(gate: Gate, { tree, difference }: Wanted, signal: AbortSignal): Promise<Result> {
  const { changes, others } = difference;
  const call = () => ({ id: `take-${randomBytes(6).toString("hex")}`, origin: "fettle" as const });
  const place = (): Promise<Result> =>
    gate.pass(
      { ...call(), tool: "rewind", action: { kind: "restore", checkpoint: tree, paths: others } },
      async (grant) => textResult(`Put in place: ${(await grant.restore()).restored.join(", ")}.`),
      signal,
    );
  if (changes.length === 0) return place();
  return gate.pass(
    { ...call(), tool: "apply_patch", action: { kind: "change", changes } },
    (grant) => written(grant, changes, others.length > 0 ? place : undefined),
    signal,
  );
}

/** All of it, or nothing. */
async function written(
  { files }: Grant,
  changes: readonly FileChange[],
  more: (() => Promise<Result>) | undefined,
): Promise<Result> {
  let failed: Result | undefined;
  try {
    // A file may stand where another one needs a folder.
    for (const { op, path } of changes) if (op === "delete") await files.remove(path);
    for (const change of changes) if (change.op === "write") await files.write(change.path, change.content);
    const placed = await more?.();
    if (placed && placed.status !== "done") failed = placed;
  } catch (error) {
    failed = failure("take.failed", error instanceof Error ? error.message : String(error));
  }
  if (!failed) return textResult(`Taken over: ${changes.map(({ path }) => path).join(", ")}.`);
  const kept = await files.undo();
  return failure("take.failed", [textOf(failed), ...kept].join(" "));
}
