// The phase that a person names.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { ProjectPhase, ProjectView } from "../../../protocol/project.ts";

export const phaseGiven = (words: readonly string[]): string | undefined =>
  words[0]?.replace(/^0+(?=\d)/, "").toUpperCase();

/** As the files know it. Throws a Fault. */
export function phaseIn({ phases }: Pick<ProjectView, "phases">, wanted: string | undefined): ProjectPhase {
  const phase = phases.find(({ number }) => number === wanted);
  if (phase) return phase;
  const text = wanted === undefined || wanted === "" ? "No phase is named." : `There is no phase ${wanted}.`;
  throw new Fault("project.no-phase", Exit.usage, text, "List them: fettle project phases");
}
