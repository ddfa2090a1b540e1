// What a contained run did that only the person can let through: asked as a change of files, through the same gate.
import { someOf } from "../base/some-of.ts";
import { shellWord } from "../base/shell-word.ts";
import type { Action, GateCall } from "../protocol/action.ts";
import { failure, textResult } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import { heldChanges, type RunOutcome } from "./fence/layered.ts";
import type { Held } from "./fence/settling.ts";
import { type Grant, GrantError } from "./contract/grant.ts";
import { textIn } from "../base/text-in.ts";

export const heldCall = (call: GateCall, { held }: RunOutcome): GateCall => ({
  id: `${call.id}.held`,
  tool: call.tool,
  action: { kind: "change", changes: heldChanges(held) },
  origin: call.origin,
  held: { command: commandOf(call.action), files: held.map(({ path, why }) => ({ path, why })) },
});

const commandOf = (action: Action): string =>
  action.kind === "shell"
    ? action.command
    : action.kind === "program"
      ? action.argv.map(shellWord).join(" ")
      : action.kind;

/** Does what was held, whole or not at all. */
export async function runHeld(grant: Grant, { held }: RunOutcome): Promise<Result> {
  try {
    for (const change of heldChanges(held)) {
      if (change.op === "delete") await grant.files.remove(change.path);
      else if (change.op === "write") await grant.files.write(change.path, change.content);
      else if (change.op === "move") await grant.files.move(change.path, change.to);
      else throw new GrantError(`A run is never asked to ${change.op} a file.`);
    }
    return textResult("");
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const left = await grant.files.undo();
    const more = left.length > 0 ? ` Not put back: ${left.join(", ")}.` : "";
    return failure("layer.held", error.message + more);
  }
}

const named = (paths: readonly string[]): string => someOf(paths, 8);

/** The result of the command, with a line of what became of what was held; `heldBack` where it was not let through. */
export function withHeld(result: Result, held: readonly Held[], answer: Result): Result {
  const paths = named(held.map((each) => each.path));
  const why = [...new Set(held.map((each) => each.why))].join("; ");
  const said = textIn(answer.parts, " ").trim();
  const text =
    answer.status === "done"
      ? `[done in the workspace, after it was allowed: ${paths} (${why})]`
      : `[not done in the workspace: ${paths} (${why}), so it is there as before. ${said}]`;
  const refused = answer.status === "done" ? {} : { params: { ...result.params, heldBack: true } };
  return { ...result, ...refused, parts: [...result.parts, { type: "text", text }] };
}
