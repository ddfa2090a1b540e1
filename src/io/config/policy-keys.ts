// Keys of machine, user and team policy files.
import { amount, type Key, key, keys, whole } from "./keys.ts";

const flag = { type: "boolean" } as const;

/** Roles from the least to the most that a caller may do. */
export const roleNames = ["read-only", "standard", "privileged", "admin"] as const;

const limitKeys: readonly Key[] = [
  key("policy.policy_enforced", flag, "never", "False: this file is checked but not in force."),
  key("policy.max_autonomy_level", whole(0, 5), "never", "Highest autonomy level."),
  key("policy.max_role", { type: "choice", values: roleNames }, "never", "The most that any caller's role may be."),
  key("policy.allow_git_push", flag, "never", "False: nothing is pushed."),
  key("policy.allow_network", flag, "never", "False: no host is reached, except the model's."),
  key("policy.allow_incognito", flag, "never", "False: no session without records of its content."),
  key(
    "policy.allow_containment",
    flag,
    "never",
    "True: contained executions may count as L1; without this line they do not.",
  ),
  key("policy.network_allowlist", { type: "strings" }, "never", "Hosts that may be granted at most."),
  key("policy.require_audit_log", flag, "never", "True: nothing runs when the ledger cannot be written."),
  key("policy.session_limit_usd", amount(0), "never", "Most that one session may cost, US dollars; 0 is unlimited."),
  key("policy.monthly_limit_usd", amount(0), "never", "Most that one month may cost, US dollars; 0 is unlimited."),
  key("policy.daily_limit_usd", amount(0), "never", "Most that one day may cost, US dollars; 0 is unlimited."),
  key("policy.task_limit_usd", amount(0), "never", "Most that one task may cost, US dollars; 0 is unlimited."),
  key(
    "policy.wave_limit_usd",
    amount(0),
    "never",
    "Most that one wave of subagents may cost, US dollars; 0 is unlimited.",
  ),
  key("policy.subagent_limit_usd", amount(0), "never", "Most that one subagent may cost, US dollars; 0 is unlimited."),
  key("approval.four_eyes", flag, "never", "True: whoever asked for the run does not approve its acts."),
  key("approval.quorum", whole(1, 20), "never", "How many different people an approval needs at least."),
  key("approval.senior_lines", whole(1), "never", "Changed lines from which an approval is a senior's; 200 at most."),
  key("approval.architect_lines", whole(1), "never", "More changed lines than these are an architect's; 500 at most."),
  key("approval.architect_files", whole(1), "never", "More changed files than these are an architect's; 20 at most."),
  key("rules", { type: "rules" }, "never", "Rules that deny or ask, whatever anybody configures."),
  key("examples", { type: "examples" }, "never", "What must come of a call under this policy; `fettle policy test`."),
];

/** `[preferences]` holds settings, as soft defaults below everybody's own. */
const preferenceKeys: readonly Key[] = keys
  .filter(({ kind }) => kind.type !== "rules")
  .map((each) => ({ ...each, path: ["preferences", ...each.path] }));

export const policyKeys: readonly Key[] = [...limitKeys, ...preferenceKeys];
export const policyLimitKeys = limitKeys;
