import type { Assessment } from "../../protocol/effect.ts";
import type { DecideContext } from "../contract/ports.ts";

/** Answers an ask, never lifts a limit. `tell`: it runs, and the person is told. */
export interface Permit {
  readonly name: string;
  covers(assessment: Assessment, context: DecideContext): { rule: string; text: string; tell: boolean } | undefined;
}
