// What a rule covers: an allowing one what it surely means, a forbidding one what it could mean, and no more.
import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../src/guard/decide.ts";
import { ruleApplies } from "../../src/guard/matching/rules.ts";
import { argumentsOf, wordsOf } from "../../src/guard/matching/words.ts";
import type { Rule } from "../../src/guard/contract/ports.ts";
import { assess } from "../../src/guard/assess/assess.ts";
import { judge, worldOf } from "./assess/facts.ts";
import { assessment, context, effect, rule } from "./assessments.ts";

const world = worldOf({ files: { "/w/infra/a.tf": "a", "/w/b": "b" }, folders: ["/w/infra"] });
const covers = (given: Rule, command: string) => ruleApplies(given, judge(command, world), "/w");

const terraform = rule("deny", { program: "terraform" });
test.each([
  "terraform apply",
  "/usr/bin/terraform plan",
  "./terraform plan",
  "FOO=1 terraform apply",
  "nice terraform apply",
  "timeout 5 terraform apply",
  "sh -c 'cd x && terraform apply'",
  "find . -name x -exec terraform {} +",
  "ls | xargs terraform",
  "echo $(terraform output)",
  "X=terraform; $X apply",
  "f() { terraform apply; }; f",
  "npx terraform",
  "docker run img terraform apply",
  "frobnicate terraform",
  "git status && terraform apply > log",
  "$tool apply",
  "env $tool apply",
  "xargs $tool",
])("a rule that denies a program touches: %s", (command) => {
  expect(covers(terraform, command)).toBe(true);
  expect(covers({ ...terraform, action: "ask" }, command)).toBe(true);
});

test.each([
  "grep -rn terraform .",
  "rg terraform src | head",
  "ls terraform",
  "echo $HOME",
  "echo terraform",
  "echo x > terraform.txt",
  "git log --oneline > out.txt",
  "cat <<EOF\nit's terraform\nEOF",
  "npm test 2>&1 | tail",
  "cp b c",
])("a rule that denies a program leaves alone: %s", (command) => {
  expect(covers(terraform, command)).toBe(false);
});

test("a rule that allows a program covers it by its name only, and nothing beside it", () => {
  const allow = rule("allow", { program: "terraform" });
  const covered = [
    "terraform apply",
    "/usr/bin/terraform plan",
    "echo $(terraform output)",
    "f() { terraform plan; }; f",
  ];
  expect(covered.map((command) => covers(allow, command))).toEqual(covered.map(() => true));
  const others = [
    "./terraform plan",
    "FOO=1 terraform plan",
    "nice terraform plan",
    "npx terraform",
    "terraform plan; frobnicate",
    "terraform plan > b",
    "terraform $x",
    "$tool plan",
  ];
  expect(others.filter((command) => covers(allow, command))).toEqual([]);
  expect(covers(rule("allow", { program: "terraform", paths: ["infra/**"] }), "terraform apply")).toBe(false);
});

test("args are leading words for allow and any place for deny, with redirections left out", () => {
  const push = (action: Rule["action"]) => rule(action, { program: "git", args: ["push"] });
  expect(covers(push("deny"), "git -c a=b push --force-with-lease")).toBe(true);
  expect(covers(push("deny"), "git $verb origin")).toBe(true);
  expect(covers(push("deny"), "git log > push.txt")).toBe(false);
  expect(covers(push("deny"), "git log 2>/dev/null")).toBe(false);
  expect(covers(push("allow"), "git push")).toBe(true);
  expect(covers(push("allow"), "git push origin")).toBe(false);
  expect(covers(rule("allow", { program: "make", args: ["build", "*"] }), "make build docs")).toBe(true);
  expect(covers(rule("allow", { program: "make", args: ["build", "*"] }), "make build docs x")).toBe(false);
  expect(covers(rule("allow", { program: "make", args: ["build", "**"] }), "make build docs x")).toBe(true);
  expect(covers(rule("allow", { program: "make", args: ["build", "**"] }), "make build $x")).toBe(false);
  expect(covers(rule("allow", { program: "make", args: ["build", "**"] }), "make build > b")).toBe(false);
});

test("paths are below the workspace or absolute, for the effects that have one", () => {
  const infra = rule("deny", { paths: ["infra/**"], effect: ["write", "delete"] });
  expect(
    ["rm infra/a.tf", "nice rm infra/a.tf", "echo x > infra/a.tf", "mv b infra/b"].map((c) => covers(infra, c)),
  ).toEqual([true, true, true, true]);
  expect(["cat infra/a.tf", "rm b", "ls infra"].map((c) => covers(infra, c))).toEqual([false, false, false]);
  const own = rule("deny", { program: "rm", paths: ["infra/**"] });
  expect([covers(own, "rm infra/a.tf"), covers(own, "nice rm infra/a.tf"), covers(own, "rm b")]).toEqual([
    true,
    true,
    false,
  ]);
  const change = assess({ kind: "change", changes: [{ op: "write", path: "infra/new.tf", content: "" }] }, world);
  expect(ruleApplies(infra, change, "/w")).toBe(true);
  expect(ruleApplies(rule("allow", { paths: ["infra/*"], effect: ["write"] }), change, "/w")).toBe(true);
  expect(ruleApplies(rule("allow", { paths: ["/w/infra/*.tf"], effect: ["write"] }), change, "/w")).toBe(true);
  expect(ruleApplies(rule("allow", { paths: ["other/**"], effect: ["write"] }), change, "/w")).toBe(false);
});

test("hosts are matched on what is reached, with wildcards and ports", () => {
  const to = (target: string) => assessment("L2", [effect("network", target)], { tags: ["network"] });
  const ask = rule("ask", { hosts: ["*.example.com"] });
  expect(
    ["a.example.com", "a.example.com:8443", "example.com", "a.example.org"].map((host) =>
      ruleApplies(ask, to(host), "/w"),
    ),
  ).toEqual([true, true, false, false]);
  const allow = rule("allow", { hosts: ["a.example.com"] });
  expect(["a.example.com", "a.example.com:8443"].map((host) => ruleApplies(allow, to(host), "/w"))).toEqual([
    true,
    false,
  ]);
});

test("any deny wins, then the most specific, and ask on equal terms", () => {
  const act = judge("make build docs", world);
  const at = (...rules: Rule[]) => decide(act, context({ rules })).verdict;
  const allow = rule("allow", { program: "make", args: ["build", "docs"] });
  const wider = rule("allow", { program: "make", args: ["**"] });
  const ask = rule("ask", { program: "make", args: ["build"] });
  expect(at(allow)).toBe("notify");
  expect(at(allow, ask)).toBe("notify");
  expect(at(wider, ask)).toBe("ask");
  expect(at(allow, { ...allow, action: "ask" })).toBe("ask");
  expect(at(allow, rule("deny", { program: "*" }))).toBe("deny");
  expect(at(rule("deny", { effect: ["execute"] }), allow, wider)).toBe("deny");
});

test("a command word that nobody knows is stopped by a rule that denies a program, at every level", () => {
  const act = judge("$tool apply", world);
  expect(decide(act, context({ autonomy: 5 })).verdict).toBe("allow");
  expect(decide(act, context({ autonomy: 5, rules: [terraform] }))).toMatchObject({
    verdict: "deny",
    rule: "rules[0]",
  });
  expect(decide(act, context({ autonomy: 5, rules: [{ ...terraform, action: "ask" }] })).verdict).toBe("ask");
});

test("the words of a part, and those of them that are arguments", () => {
  expect(argumentsOf("git log > out 2>&1 --oneline <<EOF")).toEqual(["git", "log", "--oneline"]);
  expect(argumentsOf("a '>' b \\> c >x d")).toEqual(["a", ">", "b", ">", "c", "d"]);
  expect(argumentsOf("a $x `y`")).toEqual(["a", undefined, undefined]);
  expect(wordsOf("a > b")).toEqual(["a", undefined, "b"]);
  expect(argumentsOf("a 'b")).toBeUndefined();
});

test("property: what an allow rule covers, the same rule as a denial touches", () => {
  const word = fc.constantFrom(
    "make",
    "terraform",
    "build",
    "-x",
    "$y",
    "'a b'",
    "> out",
    "infra/a.tf",
    ";",
    "|",
    "nice",
  );
  const any = fc.record(
    {
      program: fc.constantFrom("make", "terraform", "*", "nice"),
      args: fc
        .tuple(fc.array(fc.constantFrom("build", "-x", "*"), { maxLength: 2 }), fc.boolean())
        .map(([words, rest]) => (rest ? [...words, "**"] : words)),
      paths: fc.constantFrom("infra/**", "*").map((glob) => [glob]),
      effect: fc.subarray(["read", "execute"], { minLength: 1 }),
    },
    { requiredKeys: ["program"] },
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), any, (words, parts) => {
      const command = words.join(" ");
      if (covers(rule("allow", parts), command))
        expect([command, covers(rule("deny", parts), command)]).toEqual([command, true]);
    }),
    { numRuns: 800 },
  );
});
