// How much a model is asked to think before it answers.
import { z } from "zod";
import { efforts } from "./efforts.ts";
import { Json } from "./message.ts";
import type { StrategyName } from "./router.ts";

export const Effort = z.enum(efforts);
export type Effort = z.infer<typeof Effort>;

/** What of a request's sampling really went out, after everything that a vendor's package or a server made us leave out. */
export const Sent = z.object({
  maxOutputTokens: z.number().int().optional(),
  temperature: z.number().optional(),
  /** In our own word, where an effort was asked for. */
  effort: Effort.optional(),
  /** The vendor's own fields, as they were sent. */
  reasoning: z.record(z.string(), Json).optional(),
});
export type Sent = z.infer<typeof Sent>;

/** `wanted` by a person or the settings; `sent` of the newest whole answer since, null: none was. */
export interface EffortView {
  wanted: Effort;
  sent?: Effort | null;
}

/** What a person has said of how a session's models work. */
export interface SessionWishes {
  /** Absent: nobody has said so. */
  effort?: EffortView;
  /** Absent: as configured. */
  strategy?: StrategyName;
}
