// The last step of loading: no layer, flag or environment variable goes beyond policy.
import type { Merged } from "./merge.ts";
import type { PolicySettings } from "./policy.ts";
import type { Settings } from "./settings.ts";
import { roleNames } from "./policy-keys.ts";
import { hostWithin } from "./policy-measures.ts";

export function clamp(merged: Merged, policy: PolicySettings): void {
  const { settings } = merged;
  if (settings.autonomy.level > policy.maxAutonomy) {
    settings.autonomy.level = policy.maxAutonomy;
    told({ merged, policy }, "autonomy.level", "max_autonomy_level", `lowered to ${policy.maxAutonomy}`);
  }
  if (roleNames.indexOf(settings.role.max) > roleNames.indexOf(policy.maxRole)) {
    settings.role.max = policy.maxRole;
    told({ merged, policy }, "role.max", "max_role", `lowered to ${policy.maxRole}`);
  }
  const most: Settings["budget"] = {
    session_limit_usd: policy.sessionLimitUsd,
    daily_limit_usd: policy.dailyLimitUsd,
    monthly_limit_usd: policy.monthlyLimitUsd,
    phase_limit_usd: policy.phaseLimitUsd,
    task_limit_usd: policy.taskLimitUsd,
    wave_limit_usd: policy.waveLimitUsd,
    subagent_limit_usd: policy.subagentLimitUsd,
  };
  for (const name of Object.keys(most) as (keyof typeof most)[]) {
    const wanted = settings.budget[name];
    if (wanted !== 0 ? wanted <= most[name] : most[name] === Number.POSITIVE_INFINITY) continue;
    settings.budget[name] = most[name];
    told({ merged, policy }, `budget.${name}`, name, `lowered to ${most[name]}`);
  }
  if (!policy.allowContainment && settings.sandbox.containment === "on") {
    settings.sandbox.containment = "off";
    told({ merged, policy }, "sandbox.containment", "allow_containment", "off");
  }
  clampApproval(merged, policy);
  clampHosts(merged, policy);
}

function clampApproval(merged: Merged, policy: PolicySettings): void {
  const { approval } = merged.settings;
  if (policy.fourEyes && !approval.four_eyes) {
    approval.four_eyes = true;
    told({ merged, policy }, "approval.four_eyes", "four_eyes", "raised to true");
  }
  if (policy.quorum > approval.quorum) {
    approval.quorum = policy.quorum;
    told({ merged, policy }, "approval.quorum", "quorum", `raised to ${policy.quorum}`);
  }
}

function clampHosts(merged: Merged, policy: PolicySettings): void {
  const { hosts } = merged.settings.network;
  const allowed = policy.networkAllowlist;
  const within = (host: string) =>
    policy.allowNetwork && (allowed === undefined || allowed.some((pattern) => hostWithin(host, pattern)));
  const kept = hosts.filter(within);
  if (kept.length === hosts.length) return;
  merged.settings.network.hosts = kept;
  const rule = policy.allowNetwork ? "network_allowlist" : "allow_network";
  told({ merged, policy }, "network.hosts", rule, `without ${hosts.filter((host) => !kept.includes(host)).join(", ")}`);
}

interface Clamping {
  merged: Merged;
  policy: PolicySettings;
}

/** Nobody chose a default: that policy lowers it is no news at every start. */
function told({ merged, policy }: Clamping, key: string, rule: string, what: string): void {
  const place = policy.places[rule] ?? "policy";
  const before = merged.origins.get(key)?.();
  merged.origins.set(key, () => `policy (${place})`);
  if (before !== undefined)
    merged.notices.push(`${key}, set by ${before}, is ${what}: ${rule} in ${place} allows no more.`);
}
