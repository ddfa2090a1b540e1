// Without checkpoints, what is deleted or overwritten is gone: reversible only where they cover it.
import type { Assessment } from "../protocol/effect.ts";
import type { DecideContext } from "./contract/ports.ts";

export const irretrievableText = "There are no checkpoints (git is missing), so it cannot be undone.";

/** The assessment itself when nothing would be lost. */
export function withoutCheckpoints(assessment: Assessment, { checkpoints }: DecideContext): Assessment {
  const { tags, effects } = assessment;
  const loses = tags.some((tag) => tag === "delete" || tag === "overwrite" || tag === "move");
  if (checkpoints !== false || !loses) return assessment;
  const lost = effects.map((effect) =>
    effect.kind === "delete" || effect.kind === "write" ? { ...effect, undo: "irreversible" as const } : effect,
  );
  return { ...assessment, effects: lost };
}
