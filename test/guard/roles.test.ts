import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../src/guard/decide.ts";
import { opinions } from "../../src/guard/opinions.ts";
import type { Role, Verdict } from "../../src/protocol/decision.ts";
import { judge, worldOf } from "./assess/facts.ts";
import { anyAssessment, anyContext, anyRule, assessment, context, effect, openPolicy, rule } from "./assessments.ts";

const world = worldOf({
  files: {
    "/w/package.json": '{"scripts":{"test":"vitest run","build":"tsc"}}',
    "/w/a": "a",
    "/w/x.tar": "t",
  },
});
const refused = (command: string, role: Role) =>
  decide(judge(command, world), context({ role, autonomy: 5 })).rule.startsWith("role.");

test.each([
  ["ls -la", []],
  ["git log --oneline | head", []],
  ["grep -r foo .", []],
  ["mkdir out", ["read-only"]],
  ["echo x > note.txt", ["read-only"]],
  ["cp a b", ["read-only"]],
  ["git add -A", ["read-only"]],
  ["git commit -m x", ["read-only"]],
  ["git branch topic", ["read-only"]],
  ["npm test", ["read-only"]],
  ["mv a b", ["read-only"]],
  ["npm install left-pad", ["read-only", "standard"]],
  ["git push origin main", ["read-only", "standard"]],
  ["curl https://a.example/x", ["read-only", "standard"]],
  ["frobnicate", ["read-only", "standard"]],
  ["node -e 1", ["read-only", "standard"]],
  ["$tool x", ["read-only", "standard"]],
  ["cat .env", ["read-only", "standard"]],
  ["echo x > /tmp/elsewhere", ["read-only", "standard"]],
  ["git commit -m x && frobnicate", ["read-only", "standard"]],
])("what the roles may do: %s", (command, wanted) => {
  const roles: Role[] = ["read-only", "standard", "privileged", "admin"];
  expect(roles.filter((role) => refused(command, role))).toEqual(wanted);
});

test("only admin touches policy, trust and fettle itself", () => {
  const act = assessment("L2", [effect("write", "/w/.fettle/x")], { tags: ["control"] });
  const rules = (["read-only", "standard", "privileged", "admin"] as const).map(
    (role) => decide(act, context({ role, autonomy: 5 })).rule,
  );
  expect(rules).toEqual(["role.read-only", "role.standard", "role.privileged", "autonomy.5"]);
});

test("a policy lowers every caller's role, and says that it was the policy", () => {
  const push = judge("git push origin main", world);
  const at = (maxRole: Role | undefined, role: Role) =>
    decide(push, context({ role, autonomy: 5, policy: { ...openPolicy, ...(maxRole && { maxRole }) } })).rule;
  expect([at("standard", "privileged"), at("standard", "read-only"), at("admin", "privileged")]).toEqual([
    "policy.max_role",
    "role.read-only",
    "autonomy.5",
  ]);
});

test("an ask rule of a policy asks at every level, whatever rule allows", () => {
  const act = judge("npm install left-pad", world);
  const policy = { ...openPolicy, askRules: [rule("ask", { program: "npm" })] };
  const allow = rule("allow", { program: "npm", args: ["install", "left-pad"] });
  expect(decide(act, context({ rules: [allow] })).verdict).toBe("notify");
  for (const autonomy of [0, 2, 5] as const)
    expect(decide(act, context({ autonomy, policy, rules: [allow] }))).toMatchObject({
      verdict: "ask",
      rule: "policy.asks[0]",
    });
  expect(decide(judge("ls", world), context({ policy })).verdict).toBe("allow");
});

test("opinions name every limit and permit with what it says", () => {
  const act = judge("git push origin main", world);
  const all = opinions(act, context({ role: "standard", autonomy: 5, policy: { ...openPolicy, allowGitPush: false } }));
  expect(all.filter(({ says }) => says === "deny").map(({ rule: name }) => name)).toEqual([
    "policy.allow_git_push",
    "role.standard",
  ]);
  expect(all.find(({ name }) => name === "autonomy")).toMatchObject({
    kind: "permit",
    says: "allow",
    rule: "autonomy.5",
  });
});

const strictness: Record<Verdict, number> = { allow: 0, notify: 1, ask: 2, deny: 3 };

test("property: a lower role of the policy, or one more rule of it, never loosens", () => {
  fc.assert(
    fc.property(anyAssessment, anyContext, anyRule, (judged, given, added) => {
      const loose = strictness[decide(judged, given).verdict];
      const roles: Role[] = ["admin", "privileged", "standard", "read-only"];
      const found = roles.map((maxRole) => decide(judged, { ...given, policy: { ...given.policy, maxRole } }).verdict);
      for (const [at, verdict] of found.entries()) {
        expect(strictness[verdict]).toBeGreaterThanOrEqual(at === 0 ? loose : strictness[found[at - 1] as Verdict]);
      }
      const asks = decide(judged, { ...given, policy: { ...given.policy, askRules: [added] } }).verdict;
      expect(strictness[asks]).toBeGreaterThanOrEqual(loose);
    }),
    { numRuns: 1000 },
  );
});

test("property: what decides is among the opinions", () => {
  fc.assert(
    fc.property(anyAssessment, anyContext, (judged, given) => {
      const decision = decide(judged, given);
      const all = opinions(judged, given);
      if (decision.verdict === "deny") expect(all.find(({ says }) => says === "deny")?.rule).toBe(decision.rule);
      if (decision.verdict === "allow" || decision.verdict === "notify") {
        expect(all.some(({ kind, says }) => kind === "limit" && says === "deny")).toBe(false);
        expect(all.some(({ kind, rule: name }) => kind === "permit" && name === decision.rule)).toBe(true);
      }
    }),
    { numRuns: 1000 },
  );
});
