import type { Assessment } from "../../protocol/effect.ts";
import type { DecideContext, LimitVerdict } from "../contract/ports.ts";

/** A judge that can only tighten. `name` is the rule of its decisions, unless the verdict names a closer one. */
export interface Limit {
  readonly name: string;
  judge(assessment: Assessment, context: DecideContext): LimitVerdict;
  /** An approval for the session answers what this limit asks; no other permit ever does. */
  readonly answeredBySession?: boolean;
}
