import fc from "fast-check";
import { tags } from "../../src/guard/rules/tags.ts";
import type { DecideContext, Policy, Rule } from "../../src/guard/contract/ports.ts";
import type { Assessment, Effect, Risk } from "../../src/protocol/effect.ts";

export const openPolicy: Policy = {
  maxAutonomy: 5,
  allowNetwork: true,
  allowGitPush: true,
  networkAllowlist: undefined,
  requireLedger: true,
  denyRules: [],
  version: "test",
};

export const context = (more: Partial<DecideContext> = {}): DecideContext => ({
  workspace: "/w",
  autonomy: 2,
  ceiling: "none",
  role: "privileged",
  sandboxed: true,
  tainted: false,
  policy: openPolicy,
  rules: [],
  hosts: [],
  sessionScopes: new Set(),
  denied: [],
  ...more,
});

export const effect = (kind: Effect["kind"], target: string, more: Partial<Effect> = {}): Effect => ({
  kind,
  target,
  undo: "reversible",
  ...more,
});

export const assessment = (risk: Risk, effects: Effect[], more: Partial<Assessment> = {}): Assessment => ({
  risk,
  effects,
  reasons: [],
  tags: [],
  digest: JSON.stringify([risk, effects]),
  ...more,
});

export const rule = (action: Rule["action"], more: Partial<Rule> = {}): Rule => ({ action, source: "test", ...more });

const word = fc.constantFrom("npm", "git", "push", "install", "rm", "x", "-f", "docs/a.md", "$y");
export const anyEffect: fc.Arbitrary<Effect> = fc.record({
  kind: fc.constantFrom("read", "write", "delete", "execute", "network", "vcs", "spawn"),
  target: fc.constantFrom("/w/a", "/w/docs/b", "/etc/passwd", "npm", "evil.example", "push", "commit"),
  part: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
  undo: fc.constantFrom("reversible", "compensable", "irreversible"),
});
export const anyAssessment: fc.Arbitrary<Assessment> = fc.record({
  risk: fc.constantFrom("L0", "L1", "L2", "L3"),
  effects: fc.array(anyEffect, { maxLength: 4 }),
  reasons: fc.constant([]),
  tags: fc.subarray([...tags, "secret-in-arguments", "secret-in-content"], { maxLength: 4 }),
  digest: fc.constant("d"),
  scope: fc.constantFrom("scope-a", "scope-b"),
});
export const anyRule: fc.Arbitrary<Rule> = fc.record(
  {
    action: fc.constantFrom("allow", "ask", "deny"),
    source: fc.constant("r"),
    effect: fc.subarray(["read", "write", "delete", "execute", "network", "vcs"], { minLength: 1 }),
    program: fc.constantFrom("npm", "git", "*"),
    args: fc.array(fc.constantFrom("push", "install", "*", "**"), { maxLength: 2 }),
    paths: fc.subarray(["docs/**", "/w/**", "*"], { minLength: 1 }),
    hosts: fc.subarray(["evil.example", "*.example"], { minLength: 1 }),
  },
  { requiredKeys: ["action", "source"] },
);
export const anyContext: fc.Arbitrary<DecideContext> = fc.record({
  workspace: fc.constant("/w"),
  autonomy: fc.constantFrom(0, 1, 2, 3, 4, 5),
  ceiling: fc.constantFrom("none", "plan", "deny"),
  role: fc.constantFrom("read-only", "standard", "privileged", "admin"),
  sandboxed: fc.boolean(),
  tainted: fc.boolean(),
  policy: fc.record({
    maxAutonomy: fc.constantFrom(0, 1, 2, 3, 4, 5),
    allowNetwork: fc.boolean(),
    allowGitPush: fc.boolean(),
    networkAllowlist: fc.option(fc.subarray(["evil.example", "*.org"]), { nil: undefined }),
    requireLedger: fc.constant(true),
    denyRules: fc.array(anyRule, { maxLength: 1 }),
    version: fc.constant("v"),
  }),
  rules: fc.array(anyRule, { maxLength: 3 }),
  hosts: fc.subarray(["evil.example", "*.org"]),
  sessionScopes: fc.subarray(["scope-a", "scope-b"]).map((scopes) => new Set(scopes)),
  denied: fc.array(fc.subarray(["write /w/a", "network evil.example"], { minLength: 1 }), { maxLength: 1 }),
});
