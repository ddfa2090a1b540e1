// What is done in a copy of the workspace is judged as if it were done in the workspace: rules, policies and refusals
// speak of that.
import type { Assessment } from "../protocol/effect.ts";
import { within } from "./assess/sensitive.ts";
import type { DecideContext, Facts } from "./ports.ts";

type Place = Pick<Facts, "workspace" | "standsFor">;

/** The path in the workspace that the copy's stands for; any other path as it is. */
export function meantPath(target: string, { workspace, standsFor }: Place): string {
  return standsFor !== undefined && within(target, workspace) ? standsFor + target.slice(workspace.length) : target;
}

/** Keys of refused effects, as `deniedKeys` makes them. */
export const meantKeys = (keys: readonly string[], place: Place): string[] =>
  keys.map((key) => {
    const [kind = "", ...target] = key.split(" ");
    return `${kind} ${meantPath(target.join(" "), place)}`;
  });

/** How an assessment made in a copy is decided on. */
export function meant(
  assessment: Assessment,
  context: DecideContext,
  place: Place,
): { assessment: Assessment; context: DecideContext } {
  const { standsFor } = place;
  if (standsFor === undefined) return { assessment, context };
  const effects = assessment.effects.map((effect) => ({ ...effect, target: meantPath(effect.target, place) }));
  const denied = context.denied.map((keys) => meantKeys(keys, place));
  return { assessment: { ...assessment, effects }, context: { ...context, workspace: standsFor, denied } };
}
