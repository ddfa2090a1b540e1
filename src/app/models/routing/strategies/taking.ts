// What one of several has made in its copy comes into the workspace: as one change through the gate, or not at all.
import { randomBytes } from "node:crypto";
import type { Gate, Run } from "../../../../guard/gate.ts";
import type { Grant } from "../../../../guard/contract/grant.ts";
import type { FileChange } from "../../../../protocol/action.ts";
import { failure, textResult } from "../../../../protocol/outcome.ts";
import type { Result } from "../../../../protocol/result.ts";
import type { Copies, Difference } from "../../../session/copies/spec.ts";
import type { Stage } from "./stage.ts";
import { textIn } from "../../../../base/text-in.ts";

/** `changed`: files that somebody has changed since. `covered`: files that it would write over, and no checkpoint holds. */
export type Hindrance = { changed: string[] } | { covered: string[] };

/** `refused`: nothing was changed, for that reason. */
export type Taking = "taken" | Hindrance | { refused: string };

interface Winner {
  base: string;
  tree: string;
}

export async function takeOver(stage: Stage, { base, tree }: Winner, signal: AbortSignal): Promise<Taking> {
  const { staff } = stage;
  const copies = await staff.copies();
  const difference = await copies.difference(base, tree);
  if (pathsOf(difference).length === 0) return "taken";
  let hindrance = await hindranceOf(copies, base, difference);
  if (hindrance) return hindrance;
  // Hooks and people take their time before it is done.
  const look = async () => {
    hindrance = await hindranceOf(copies, base, difference);
    return hindrance === undefined;
  };
  const result = await passed(await staff.gate(), { base, tree, difference, look }, signal);
  if (hindrance) return hindrance;
  return result.status === "done" ? "taken" : { refused: textIn(result.parts, " ") };
}

async function hindranceOf(copies: Copies, base: string, difference: Difference): Promise<Hindrance | undefined> {
  const now = await copies.tree();
  const since = now === base ? undefined : await copies.difference(base, now);
  const elsewhere = since ? [...pathsOf(since), ...since.unheld] : [];
  const changed = pathsOf(difference).filter((path) => elsewhere.some((other) => collide(path, other)));
  if (changed.length > 0) return { changed };
  const covered = copies.occupied(difference.added);
  return covered.length > 0 ? { covered } : undefined;
}

const pathsOf = ({ changes, others }: Difference): string[] => [
  ...new Set([...changes.map(({ path }) => path), ...others]),
];

/** The same file, or one stands where the other has a folder. */
const collide = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

interface Wanted extends Winner {
  difference: Difference;
  /** False when something has come in the way. */
  look(): Promise<boolean>;
}

const nextCall = () => ({ id: `take-${randomBytes(6).toString("hex")}`, origin: "fettle" as const });

/** What no text can tell is put in place as from a checkpoint, once the rest is done. */
async function passed(gate: Gate, { base, tree, difference, look }: Wanted, signal: AbortSignal): Promise<Result> {
  const { changes, others } = difference;
  const restored = (checkpoint: string, paths: string[], run: Run, until = signal): Promise<Result> =>
    gate.pass({ ...nextCall(), tool: "rewind", action: { kind: "restore", checkpoint, paths } }, run, until);
  const changed = (): Promise<Result> =>
    gate.pass(
      { ...nextCall(), tool: "apply_patch", action: { kind: "change", changes } },
      async ({ files }) => ((await look()) ? written(files, changes) : late),
      signal,
    );
  if (others.length === 0) return changed();
  let begun = false;
  const result = await restored(tree, others, async (grant) => {
    const first = changes.length > 0 ? await changed() : (await look()) ? undefined : late;
    if (first && first.status !== "done") return first;
    begun = true;
    return put(grant);
  });
  // Also after the call was stopped: half of it is worse than nothing.
  if (begun && result.status !== "done") await restored(base, pathsOf(difference), put, new AbortController().signal);
  return result;
}

const late = failure("take.late", "The files were changed meanwhile.");

const put: Run = async (grant) => textResult(`Put in place: ${(await grant.restore()).restored.join(", ")}.`);

/** All of it, or nothing. */
async function written(files: Grant["files"], changes: readonly FileChange[]): Promise<Result> {
  try {
    // A file may stand where another one needs a folder.
    for (const { op, path } of changes) if (op === "delete") await files.remove(path);
    for (const change of changes) if (change.op === "write") await files.write(change.path, change.content);
    return textResult(`Taken over: ${changes.map(({ path }) => path).join(", ")}.`);
  } catch (error) {
    const kept = await files.undo();
    return failure("take.failed", [error instanceof Error ? error.message : String(error), ...kept].join(" "));
  }
}
