// Every limit that policy may set, as data, and which of two values of it is the stricter one.
import type { Autonomy, Role } from "../../protocol/decision.ts";
import { methodCovered, nameMatches, parsePattern, pathCovered } from "../../base/host-pattern.ts";
import { roleNames } from "./policy-keys.ts";
import type { RuleSettings } from "./setting-kinds.ts";

/** What policy says, apart from where it says it. US dollars; Infinity and undefined where nobody says. */
export interface PolicyLimits {
  maxAutonomy: Autonomy;
  maxRole: Role;
  allowNetwork: boolean;
  allowGitPush: boolean;
  allowIncognito: boolean;
  allowContainment: boolean;
  networkAllowlist: string[] | undefined;
  requireLedger: boolean;
  sessionLimitUsd: number;
  monthlyLimitUsd: number;
  dailyLimitUsd: number;
  taskLimitUsd: number;
  phaseLimitUsd: number;
  waveLimitUsd: number;
  subagentLimitUsd: number;
  fourEyes: boolean;
  quorum: number;
  seniorLines: number;
  architectLines: number;
  architectFiles: number;
  denyRules: RuleSettings[];
  askRules: RuleSettings[];
}

type PolicyField = keyof PolicyLimits;
export type PolicyValue = PolicyLimits[PolicyField];

/** How two values meet: the lower, the higher, both must allow, one demands, hosts of both lists, rules of either. */
type Meeting = "lowest" | "highest" | "both" | "either" | "role" | "hosts" | "rules";

export interface Measure {
  /** Key in a policy file. */
  key: string;
  field: PolicyField;
  open: PolicyValue;
  meeting: Meeting;
}

const measure = (key: string, field: PolicyField, open: PolicyValue, meeting: Meeting): Measure => ({
  key,
  field,
  open,
  meeting,
});

export const measures: readonly Measure[] = [
  measure("policy.max_autonomy_level", "maxAutonomy", 5, "lowest"),
  measure("policy.max_role", "maxRole", "admin", "role"),
  measure("policy.allow_network", "allowNetwork", true, "both"),
  measure("policy.allow_git_push", "allowGitPush", true, "both"),
  measure("policy.allow_incognito", "allowIncognito", true, "both"),
  measure("policy.allow_containment", "allowContainment", true, "both"),
  measure("policy.network_allowlist", "networkAllowlist", undefined, "hosts"),
  measure("policy.require_audit_log", "requireLedger", true, "either"),
  measure("policy.session_limit_usd", "sessionLimitUsd", Number.POSITIVE_INFINITY, "lowest"),
  measure("policy.monthly_limit_usd", "monthlyLimitUsd", Number.POSITIVE_INFINITY, "lowest"),
  measure("policy.daily_limit_usd", "dailyLimitUsd", Number.POSITIVE_INFINITY, "lowest"),
  measure("policy.task_limit_usd", "taskLimitUsd", Number.POSITIVE_INFINITY, "lowest"),
  measure("policy.phase_limit_usd", "phaseLimitUsd", Number.POSITIVE_INFINITY, "lowest"),
  measure("policy.wave_limit_usd", "waveLimitUsd", Number.POSITIVE_INFINITY, "lowest"),
  measure("policy.subagent_limit_usd", "subagentLimitUsd", Number.POSITIVE_INFINITY, "lowest"),
  measure("approval.four_eyes", "fourEyes", false, "either"),
  measure("approval.quorum", "quorum", 1, "highest"),
  measure("approval.senior_lines", "seniorLines", 200, "lowest"),
  measure("approval.architect_lines", "architectLines", 500, "lowest"),
  measure("approval.architect_files", "architectFiles", 20, "lowest"),
  measure("rules", "denyRules", [], "rules"),
  measure("rules", "askRules", [], "rules"),
];

/** Nothing is limited, and the ledger is required. A fresh copy. */
export const openLimits = (): PolicyLimits =>
  Object.fromEntries(
    measures.map(({ field, open }) => [field, Array.isArray(open) ? [] : open]),
  ) as unknown as PolicyLimits;

export function stricter(meeting: Meeting, left: PolicyValue, right: PolicyValue): PolicyValue {
  switch (meeting) {
    case "lowest":
      return Math.min(left as number, right as number);
    case "highest":
      return Math.max(left as number, right as number);
    case "both":
      return left === true && right === true;
    case "either":
      return left === true || right === true;
    case "role":
      return roleNames[Math.min(roleNames.indexOf(left as Role), roleNames.indexOf(right as Role))];
    case "hosts":
      return commonHosts(left as string[] | undefined, right as string[] | undefined);
    case "rules":
      return bothRules(left as RuleSettings[], right as RuleSettings[]);
  }
}

/** Do two values of a limit say the same? Where a rule stands is not what it says. */
export const sameValue = (left: PolicyValue, right: PolicyValue): boolean => comparable(left) === comparable(right);

function comparable(value: PolicyValue): string {
  if (value === Number.POSITIVE_INFINITY) return "unlimited";
  if (!Array.isArray(value)) return JSON.stringify(value) ?? "none";
  return JSON.stringify(value.map((each) => (typeof each === "string" ? each : ruleText(each))).toSorted());
}

const ruleParts = ["action", "effect", "program", "args", "paths", "hosts"] as const;

/** What a rule says, without its place and examples. */
export const ruleText = (rule: RuleSettings): string => JSON.stringify(ruleParts.map((part) => rule[part] ?? null));

export function bothRules(left: readonly RuleSettings[], right: readonly RuleSettings[]): RuleSettings[] {
  const known = new Set(left.map(ruleText));
  return [...left, ...right.filter((rule) => !known.has(ruleText(rule)))];
}

export const commonRules = (left: readonly RuleSettings[], right: readonly RuleSettings[]): RuleSettings[] => {
  const there = new Set(right.map(ruleText));
  return left.filter((rule) => there.has(ruleText(rule)));
};

/** Patterns of either list that lie within the other; undefined: no list is prescribed. */
export function commonHosts(left: string[] | undefined, right: string[] | undefined): string[] | undefined {
  if (!left || !right) return left ?? right;
  const within = (hosts: string[], others: string[]) =>
    hosts.filter((host) => others.some((other) => hostWithin(host, other)));
  return [...new Set([...within(right, left), ...within(left, right)])];
}

/** Is everything that pattern `host` covers covered by `allowed`? Without a port a pattern means those of http and https. */
export function hostWithin(host: string, allowed: string): boolean {
  const there = parsePattern(host);
  const wanted = parsePattern(allowed);
  const usual = there.port === undefined || there.port === "80" || there.port === "443";
  if (wanted.port === undefined ? !usual : wanted.port !== there.port) return false;
  if (wanted.method !== undefined && !methodCovered(there.method ?? "any", wanted.method)) return false;
  if (wanted.path !== undefined && !(there.path !== undefined && pathCovered(there.path, wanted.path))) return false;
  return nameMatches(there.name, wanted.name);
}
