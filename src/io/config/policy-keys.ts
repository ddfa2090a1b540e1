// Keys of machine, user and team policy files.
import { type Key, keyOf, keys } from "./keys.ts";
import { amount, choice, flag, never, type Row, texts, whole } from "./setting-kinds.ts";

/** Roles from the least to the most that a caller may do. */
export const roleNames = ["read-only", "standard", "privileged", "admin"] as const;

const limitRows: Record<string, Row> = {
  "policy.policy_enforced": never(flag, "False: this file is checked but not in force."),
  "policy.max_autonomy_level": never(whole(0, 5), "Highest autonomy level."),
  "policy.max_role": never(choice(...roleNames), "The most that any caller's role may be."),
  "policy.allow_git_push": never(flag, "False: nothing is pushed."),
  "policy.allow_network": never(flag, "False: no host is reached, except the model's."),
  "policy.allow_incognito": never(flag, "False: no session without records of its content."),
  "policy.allow_containment": never(flag, "True: contained executions may count as L1; without this line they do not."),
  "policy.network_allowlist": never(texts(), "Hosts that may be granted at most."),
  "policy.require_audit_log": never(flag, "True: nothing runs when the ledger cannot be written."),
  "policy.session_limit_usd": never(amount(0), "Most that one session may cost, US dollars; 0 is unlimited."),
  "policy.monthly_limit_usd": never(amount(0), "Most that one month may cost, US dollars; 0 is unlimited."),
  "policy.daily_limit_usd": never(amount(0), "Most that one day may cost, US dollars; 0 is unlimited."),
  "policy.task_limit_usd": never(amount(0), "Most that one task may cost, US dollars; 0 is unlimited."),
  "policy.phase_limit_usd": never(
    amount(0),
    "Most that all steps of one phase of a project may cost, US dollars; 0 is unlimited.",
  ),
  "policy.wave_limit_usd": never(amount(0), "Most that one wave of subagents may cost, US dollars; 0 is unlimited."),
  "policy.subagent_limit_usd": never(amount(0), "Most that one subagent may cost, US dollars; 0 is unlimited."),
  "approval.four_eyes": never(flag, "True: whoever asked for the run does not approve its acts."),
  "approval.quorum": never(whole(1, 20), "How many different people an approval needs at least."),
  "approval.senior_lines": never(whole(1), "Changed lines from which an approval is a senior's; 200 at most."),
  "approval.architect_lines": never(whole(1), "More changed lines than these are an architect's; 500 at most."),
  "approval.architect_files": never(whole(1), "More changed files than these are an architect's; 20 at most."),
  rules: never({ type: "rules" }, "Rules that deny or ask, whatever anybody configures."),
  examples: never({ type: "examples" }, "What must come of a call under this policy; `fettle policy test`."),
};
const limitKeys = Object.entries(limitRows).map(keyOf);

/** `[preferences]` holds settings, as soft defaults below everybody's own. */
const preferenceKeys: readonly Key[] = keys
  .filter(({ kind }) => kind.type !== "rules")
  .map((each) => ({ ...each, path: ["preferences", ...each.path] }));

export const policyKeys: readonly Key[] = [...limitKeys, ...preferenceKeys];
export const policyLimitKeys = limitKeys;
