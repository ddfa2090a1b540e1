// How several arms do one turn: each strategy makes a choice of what it is given.
import type { ArmChoice } from "../../../engine/arm-choice.ts";
import { cascade } from "./strategies/cascade.ts";
import { ensemble } from "./strategies/ensemble.ts";
import type { Stage } from "./strategies/stage.ts";
import { synthesis } from "./strategies/synthesis.ts";

/** Undefined: one arm does it. */
export function staged(stage: Stage): Promise<ArmChoice | undefined> {
  switch (stage.course.plan.strategy.strategy) {
    case "cascade":
      return cascade(stage);
    case "ensemble":
      return ensemble(stage);
    case "synthesis":
      return synthesis(stage);
    case "single":
      return Promise.resolve(undefined);
  }
}
