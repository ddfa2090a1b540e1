// The clamp that policy files put on everybody, and the rules that deny.
import type { Assessment } from "../../protocol/effect.ts";
import { knownOffline, runsProgram, surelyListed, unlistedHost, usesNetwork } from "../matching/network-use.ts";
import { numbered, ruleApplies, weighRules } from "../matching/rules.ts";
import type { DecideContext, LimitVerdict } from "../contract/ports.ts";
import type { Limit } from "./limit.ts";

export const policy: Limit = {
  name: "policy",
  judge(assessment, context) {
    const { policy: rules, workspace } = context;
    const reach = judgeReach(assessment, context);
    if (reach !== "pass") return reach;
    const pushes = assessment.effects.some(({ kind, target }) => kind === "vcs" && target === "push");
    if (!rules.allowGitPush && (pushes || assessment.tags.includes("push"))) {
      return { deny: "The policy forbids git push.", rule: "policy.allow_git_push" };
    }
    const index = rules.denyRules.findIndex((rule) => ruleApplies({ ...rule, action: "deny" }, assessment, workspace));
    if (index === -1) return "pass";
    return { deny: `Denied by the policy (${rules.denyRules[index]?.source}).`, rule: `policy.rules[${index}]` };
  },
};

/** In a sandbox a process reaches what it was granted (fence/egress.ts); without one only what it is judged to do bounds it. */
function judgeReach(assessment: Assessment, { policy: rules, sandboxed }: DecideContext): LimitVerdict {
  const free = !sandboxed && runsProgram(assessment);
  const unbound = "without a sandbox nothing would hold this command to that";
  if (!rules.allowNetwork) {
    const rule = "policy.allow_network";
    if (usesNetwork(assessment)) return { deny: "The policy forbids the network.", rule };
    if (free && !knownOffline(assessment)) return { deny: `The policy forbids the network, and ${unbound}.`, rule };
  }
  const list = rules.networkAllowlist;
  if (!list) return "pass";
  const rule = "policy.network_allowlist";
  const unlisted = unlistedHost(assessment, list);
  if (unlisted !== undefined) return { deny: `${unlisted} is not on the policy's list of hosts.`, rule };
  if (knownOffline(assessment) && !usesNetwork(assessment)) return "pass";
  if (surelyListed(assessment, list) || (sandboxed && runsProgram(assessment))) return "pass";
  if (!usesNetwork(assessment)) return { deny: `The policy lists what may be reached, and ${unbound}.`, rule };
  return { deny: "It may reach hosts that are not on the policy's list.", rule };
}

/** No allow rule, however specific, answers a rule of the policy. */
export const policyAsks: Limit = {
  name: "policy",
  answeredBySession: true,
  judge(assessment, { policy: { askRules: rules = [] }, workspace }) {
    const index = rules.findIndex((rule) => ruleApplies({ ...rule, action: "ask" }, assessment, workspace));
    return index === -1
      ? "pass"
      : { ask: `The policy asks for this (${rules[index]?.source}).`, rule: `policy.asks[${index}]` };
  },
};

export const denyRules: Limit = {
  name: "rules",
  judge(assessment, { rules, workspace }) {
    const found = numbered(rules, "deny").find(({ rule }) => ruleApplies(rule, assessment, workspace));
    return found ? { deny: `Denied by a rule (${found.rule.source}).`, rule: `rules[${found.index}]` } : "pass";
  },
};

/** An ask rule asks even where the autonomy would not, unless a more specific rule allows. */
export const askRules: Limit = {
  name: "rules",
  answeredBySession: true,
  judge(assessment, context) {
    const { asked } = weighRules(assessment, context);
    return asked ? { ask: `A rule asks (${asked.rule.source}).`, rule: `rules[${asked.index}]` } : "pass";
  },
};
