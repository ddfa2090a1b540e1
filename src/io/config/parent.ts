// A fettle that another one started does no more than its parent may: the parent's limits come in its environment.
import { isA, withFallback } from "../../base/fallback.ts";
import type { Autonomy, Ceiling, Role } from "../../protocol/decision.ts";
import { openLimits } from "./policy-measures.ts";
import { type PolicySettings, sealed } from "./policy.ts";
import { closedPolicy, storedTerms, strictestPolicy, termsFrom } from "./terms.ts";

/** Set for everything that a grant starts. It can only tighten: whoever removes it is held by the sandbox, not by this. */
export const parentVariable = "FETTLE_PARENT";

const place = "the fettle that started this one";

/** What holds in a session at this moment. */
interface ParentLimits {
  autonomy: Autonomy;
  ceiling: Ceiling;
  role: Role;
  tainted: boolean;
  /** Off: contained executions are asked about, in the child too. */
  containment?: "on" | "off";
  /** Nothing of the session is kept. */
  incognito?: boolean;
  policy: PolicySettings;
}

export interface Inherited {
  policy: PolicySettings;
  tainted: boolean;
  incognito: boolean;
}

/** Under a ceiling nothing that a child could do but read would have been let through. */
export function handedDown(limits: ParentLimits): string {
  const { autonomy, ceiling, role, tainted, containment, incognito, policy } = limits;
  const bounds = bounded(autonomy, ceiling === "none" ? role : "read-only", containment !== "off");
  const { policy: said } = storedTerms({ policy: strictestPolicy(bounds, policy), rules: [], hosts: [] });
  return JSON.stringify({ policy: said, tainted, ...(incognito === true && { incognito }) });
}

/** Undefined without a parent. What cannot be read allows reading alone. */
export function fromParent(env: NodeJS.ProcessEnv): Inherited | undefined {
  const text = env[parentVariable];
  if (text === undefined) return undefined;
  return parsed(text) ?? { policy: closedPolicy(place), tainted: true, incognito: true };
}

const parsed = (text: string): Inherited | undefined =>
  withFallback(undefined, isA(SyntaxError, TypeError), () => {
    const said = JSON.parse(text) as { policy?: Record<string, unknown>; tainted?: unknown; incognito?: unknown };
    const { policy, tainted } = said;
    const terms = termsFrom({ policy, rules: [], hosts: [] });
    const whole = typeof policy?.["maxAutonomy"] === "number" && typeof policy["maxRole"] === "string";
    if (!terms || !whole || typeof tainted !== "boolean") return undefined;
    return { policy: terms.policy, tainted, incognito: said.incognito === true };
  });

const bounded = (maxAutonomy: Autonomy, maxRole: Role, allowContainment: boolean): PolicySettings =>
  sealed({ ...openLimits(), maxAutonomy, maxRole, allowContainment }, { max_autonomy_level: place, max_role: place });
