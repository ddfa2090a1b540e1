// What nobody may exceed. Policy files are read in order of authority, and each may only tighten the ones before it.
import { createHash } from "node:crypto";
import type { RuleSettings } from "./settings.ts";
import { policyKeys } from "./keys.ts";
import { configFault, type LayerEntry, tomlEntriesOf } from "./layers.ts";
import { namedRules } from "./values.ts";

/** Same shape as `Policy` of guard/ports.ts, and the money limits. */
export interface PolicySettings {
  maxAutonomy: 0 | 1 | 2 | 3 | 4 | 5;
  allowNetwork: boolean;
  allowGitPush: boolean;
  networkAllowlist: string[] | undefined;
  requireLedger: boolean;
  denyRules: RuleSettings[];
  version: string;
  /** US dollars; Infinity when no policy says. */
  sessionLimitUsd: number;
  monthlyLimitUsd: number;
  /** Where each limit was set, by its key in the file. */
  places: Readonly<Record<string, string>>;
}

export interface PolicyFile {
  level: "machine" | "user" | "team";
  file: string;
  text: string;
}

type Draft = Omit<PolicySettings, "version" | "places"> & { places: Record<string, string>; ledgerSaid: boolean };

const start = (): Draft => ({
  maxAutonomy: 5,
  allowNetwork: true,
  allowGitPush: true,
  networkAllowlist: undefined,
  requireLedger: true,
  denyRules: [],
  sessionLimitUsd: Number.POSITIVE_INFINITY,
  monthlyLimitUsd: Number.POSITIVE_INFINITY,
  places: {},
  ledgerSaid: false,
});

/** Throws a Fault for a broken file and for one that loosens what stands above it. */
export function mergePolicy(files: readonly PolicyFile[]): { policy: PolicySettings; drafts: string[] } {
  const policy = start();
  const drafts: string[] = [];
  for (const file of files) {
    const entries = tomlEntriesOf(file.text, file.file, policyKeys);
    if (entries.some((entry) => entry.path[1] === "policy_enforced" && entry.value === false)) drafts.push(file.file);
    else for (const entry of entries) tighten(policy, entry, file);
  }
  const { places, ledgerSaid: _, ...rules } = policy;
  return { policy: { ...rules, places, version: digest(rules) }, drafts };
}

const digest = (rules: object): string =>
  createHash("sha256")
    .update(JSON.stringify(rules, (_, value: unknown) => (value === Number.POSITIVE_INFINITY ? "unlimited" : value)))
    .digest("hex");

function tighten(policy: Draft, entry: LayerEntry, file: PolicyFile): void {
  const name = entry.path.at(-1) ?? "";
  const { value } = entry;
  switch (name) {
    case "max_autonomy_level":
      policy.maxAutonomy = lowered(entry, value as number, policy.maxAutonomy, policy) as Draft["maxAutonomy"];
      break;
    case "session_limit_usd":
      policy.sessionLimitUsd = lowered(entry, limit(value), policy.sessionLimitUsd, policy);
      break;
    case "monthly_limit_usd":
      policy.monthlyLimitUsd = lowered(entry, limit(value), policy.monthlyLimitUsd, policy);
      break;
    case "allow_network":
      policy.allowNetwork = restricted(entry, policy.allowNetwork, policy);
      break;
    case "allow_git_push":
      policy.allowGitPush = restricted(entry, policy.allowGitPush, policy);
      break;
    case "network_allowlist":
      policy.networkAllowlist = narrowed(entry, policy);
      break;
    case "require_audit_log":
      requireLedger(policy, entry, file);
      break;
    case "rules":
      policy.denyRules.push(...denyRules(entry, file));
      break;
    default:
      return;
  }
  policy.places[name] = entry.place;
}

const limit = (value: unknown): number => (value === 0 ? Number.POSITIVE_INFINITY : (value as number));

function lowered(entry: LayerEntry, wanted: number, before: number, policy: Draft): number {
  if (wanted > before) throw loosening(entry, policy, String(before));
  return wanted;
}

function restricted(entry: LayerEntry, before: boolean, policy: Draft): boolean {
  if (entry.value === true && !before) throw loosening(entry, policy, "false");
  return entry.value === true;
}

function narrowed(entry: LayerEntry, policy: Draft): string[] {
  const wanted = entry.value as string[];
  const before = policy.networkAllowlist;
  const added = before && wanted.filter((host) => !before.some((allowed) => hostWithin(host, allowed)));
  if (added && added.length > 0) throw loosening(entry, policy, JSON.stringify(before));
  return wanted;
}

/** The ledger is required unless the machine's or the person's own policy, never a repository's, says otherwise. */
function requireLedger(policy: Draft, entry: LayerEntry, file: PolicyFile): void {
  const relaxes = entry.value === false && policy.requireLedger;
  if (relaxes && (policy.ledgerSaid || file.level === "team")) throw loosening(entry, policy, "true");
  policy.requireLedger = entry.value === true;
  policy.ledgerSaid = true;
}

function denyRules(entry: LayerEntry, file: PolicyFile): RuleSettings[] {
  const rules = namedRules(entry.value, `${file.level} policy (${file.file})`);
  for (const { action } of rules) {
    if (action === "deny") continue;
    throw configFault("policy", `${entry.place}: a policy holds deny rules only, this one says ${action}.`);
  }
  return rules;
}

function loosening(entry: LayerEntry, policy: Draft, before: string) {
  const name = entry.path.at(-1) ?? "";
  const above = policy.places[name] ?? "the default";
  return configFault(
    "policy",
    `${entry.place}: ${name} = ${JSON.stringify(entry.value)} would loosen ${before}, set by ${above}; a policy may only tighten.`,
    "Remove the line.",
  );
}

/** Is every host of pattern `host` one of pattern `allowed`? */
export function hostWithin(host: string, allowed: string): boolean {
  const [name, port] = split(host);
  const [pattern, patternPort] = split(allowed);
  if (patternPort !== undefined && patternPort !== port) return false;
  if (pattern === "*" || name === pattern) return true;
  return pattern.startsWith("*.") && name.endsWith(pattern.slice(1));
}

function split(host: string): [string, string | undefined] {
  const found = /^(.*?)(?::(\d+))?$/.exec(host.toLowerCase());
  return [found?.[1] ?? host, found?.[2]];
}
