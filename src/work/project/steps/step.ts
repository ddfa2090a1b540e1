import type { Json } from "../../../protocol/message.ts";
import type { StepArguments } from "../../../protocol/project.ts";
import { splitPhase } from "../formats/phase-number.ts";
import type { ProjectWork } from "../work/work.ts";

/** What a step comes to. */
export interface StepEnd {
  text: string;
  /** 0 where absent. */
  exit?: number;
  /** All of it was done, whatever it came to: the next run asks anew. So it is with exit 0, too. */
  over?: true;
  /** For programs that read `--json`. */
  data?: Json;
}

/** A command of `fettle project` that asks models: code that asks agents one question each. */
export interface ProjectStep {
  name: string;
  /**
   * The phase that it works on, or `project` for all of it: one process at a time works on it, and what was left is gone on
   * with. Absent: the step begins anew each time. `phaseOf`: without a number it is the phase whose turn it is.
   */
  phase?(args: StepArguments): string | undefined;
  /** It asks no model, so none has to be set up. */
  withoutModel?: true;
  run(work: ProjectWork, args: StepArguments): Promise<StepEnd>;
}

/** The phase that is named; for a step with it, that is the one whose turn it is where none is. */
export const phaseOf = ({ words }: StepArguments): string | undefined => {
  const given = words[0];
  return given === undefined ? undefined : (splitPhase(given)?.number ?? given);
};
