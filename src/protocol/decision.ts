import { z } from "zod";
import { Risk } from "./effect.ts";

export const Verdict = z.enum(["allow", "notify", "ask", "deny"]);
export type Verdict = z.infer<typeof Verdict>;

export const ApproverRole = z.enum(["developer", "senior", "architect", "admin"]);
export type ApproverRole = z.infer<typeof ApproverRole>;

/** `rule` names what decided, e.g. `autonomy.2`, `risk.L3`, `policy.max_autonomy_level`, `rules[3]`, `session.approval`. */
export const Decision = z.object({
  verdict: Verdict,
  risk: Risk,
  rule: z.string(),
  text: z.string(),
  approver: ApproverRole.optional(),
  /** It runs on a layer: the autonomy table counted it as L1. `risk` is the bare one. */
  contained: z.boolean().optional(),
  /** Nobody was asked only because it is contained: what it takes away of the person's waits for an answer afterwards. */
  quiet: z.boolean().optional(),
});
export type Decision = z.infer<typeof Decision>;

/** How much is asked: 0 ask, 1 cautious, 2 standard, 3 trusted, 4 autonomous, 5 full. */
export const Autonomy = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]);
export type Autonomy = z.infer<typeof Autonomy>;
/** Combines with any autonomy: `plan` allows L0 only, `deny` allows only what an explicit rule allows. */
export const Ceiling = z.enum(["none", "plan", "deny"]);
export type Ceiling = z.infer<typeof Ceiling>;

export const Role = z.enum(["read-only", "standard", "privileged", "admin"]);
export type Role = z.infer<typeof Role>;
