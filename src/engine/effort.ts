// How much the models of a turn are asked to think: what a person has said for the session, else what is set for the arm.
import type { Arm } from "../model/contract/arm.ts";
import { fittingEffort } from "../model/registry/efforts.ts";
import type { Effort } from "../protocol/effort.ts";
import type { SessionState } from "./session/state.ts";

/** What the settings say for an arm. */
export type EffortSetting = (arm: string) => Effort | undefined;

/** The level that is asked for: the wanted one, or the nearest that the arm knows; undefined where it knows none. */
const effortFor = ({ efforts = [] }: Pick<Arm, "efforts">, wanted: Effort | undefined): Effort | undefined =>
  wanted && fittingEffort(wanted, efforts);

/** As it is now, for all of a turn. */
export function effortOfTurn({ effort: wanted }: Pick<SessionState, "effort">, setting: EffortSetting | undefined) {
  return (arm: Arm): Effort | undefined => effortFor(arm, wanted ?? setting?.(arm.name));
}

/** Why another level is asked for than the wanted one; undefined where it is that one. */
export function effortNote({ name, efforts = [] }: Pick<Arm, "name" | "efforts">, wanted: Effort): string | undefined {
  const level = fittingEffort(wanted, efforts);
  if (level === wanted) return undefined;
  if (level === undefined && name.startsWith("cli/"))
    return `${name} takes no effort from fettle, so none is passed on (${wanted} was wanted).`;
  if (level === undefined) return `${name} is not known to reason, so no effort is asked for (${wanted} was wanted).`;
  return `${name} knows no effort ${wanted}, so ${level} is asked for. It knows ${efforts.join(", ")}.`;
}
