import { injection, never, role } from "./fixed.ts";
import type { Limit } from "./limit.ts";
import { askRules, denyRules, policy } from "./policy.ts";
import { ceiling, denied, taint } from "./session.ts";

/** In order: the first that denies names the decision. */
export const limits: readonly Limit[] = [injection, policy, denyRules, never, role, ceiling, taint, denied, askRules];
