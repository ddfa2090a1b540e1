// The clamp that policy files put on everybody, and the rules that deny.
import { hostMatches } from "../permits/patterns.ts";
import { numbered, ruleApplies, weighRules } from "../permits/rules.ts";
import type { Limit } from "./limit.ts";
import { reachesOut } from "./session.ts";

export const policy: Limit = {
  name: "policy",
  judge(assessment, { policy: rules, workspace, sandboxed }) {
    const out = assessment.tags.some((tag) => reachesOut.includes(tag));
    const hosts = assessment.effects.filter(({ kind }) => kind === "network").map(({ target }) => target);
    if (!rules.allowNetwork && (hosts.length > 0 || out)) {
      return { deny: "The policy forbids the network.", rule: "policy.allow_network" };
    }
    const pushes = assessment.effects.some(({ kind, target }) => kind === "vcs" && target === "push");
    if (!rules.allowGitPush && (pushes || assessment.tags.includes("push"))) {
      return { deny: "The policy forbids git push.", rule: "policy.allow_git_push" };
    }
    const list = rules.networkAllowlist;
    if (list) {
      const unlisted = hosts.find((host) => !list.some((pattern) => hostMatches(host, pattern)));
      // In the sandbox an install or a push reaches what is listed; without one nobody keeps it to that.
      const unknown = hosts.length === 0 && (assessment.tags.includes("network") || (out && !sandboxed));
      if (unlisted !== undefined || unknown) {
        const host = unlisted ?? "An unknown host";
        return { deny: `${host} is not on the policy's list of hosts.`, rule: "policy.network_allowlist" };
      }
    }
    const index = rules.denyRules.findIndex((rule) => ruleApplies({ ...rule, action: "deny" }, assessment, workspace));
    if (index === -1) return "pass";
    return { deny: `Denied by the policy (${rules.denyRules[index]?.source}).`, rule: `policy.rules[${index}]` };
  },
};

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
