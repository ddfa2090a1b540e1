import type { Assessment } from "../../protocol/effect.ts";
import type { DecideContext } from "../contract/ports.ts";

export interface Covered {
  rule: string;
  text: string;
  /** It runs, and the person is told. */
  tell: boolean;
  /** Only because it runs on a layer. */
  contained?: true;
}

/** Answers an ask, never lifts a limit. */
export interface Permit {
  readonly name: string;
  covers(assessment: Assessment, context: DecideContext): Covered | undefined;
}
