// Policy as a person and a CI job meet it: the real program, its exit codes, its ledger.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../support/program.ts";
import { byResults, makeScene, read, shell, write } from "./scene.ts";

const work = byResults(
  [read("a.txt", "r"), write("b.txt", "x\n", "w"), shell("git commit --allow-empty -m x", "c"), shell("rm a.txt", "d")],
  "Done.",
);

test("the past is judged anew, in the order it happened, and the ledger still verifies", async () => {
  await using scene = await makeScene(work, { git: true, files: { "a.txt": "alpha\n" } });
  expect((await scene.tell(["--autonomy", "5", "go"])).code).toBe(0);
  scene.put("../same.toml", "[policy]\nmax_autonomy_level = 5\n");
  scene.put("../new.toml", '[policy]\nmax_autonomy_level = 2\n[[rules]]\naction = "deny"\nprogram = "rm"\n');

  const same = await scene.run(["audit", "replay", "--policy", "../same.toml"]);
  expect(same).toMatchObject({ code: 0, stdout: "4 decisions judged anew: none would change.\n" });
  const replayed = JSON.parse((await scene.run(["audit", "replay", "--policy", "../new.toml", "--json"])).stdout);
  expect(replayed).toMatchObject({ acts: 4, replayed: 4, partly: 0, incognito: 0 });
  const rows = replayed.changed.map((act: { was: { verdict: string }; would: { verdict: string; rule: string } }) => [
    act.was.verdict,
    act.would.verdict,
    act.would.rule,
  ]);
  expect(rows).toEqual([
    ["allow", "notify", "autonomy.2"],
    ["allow", "ask", "policy.max_autonomy_level"],
    ["allow", "deny", "policy.rules[0]"],
  ]);
  const text = await scene.run(["audit", "replay", "--policy", "../new.toml"]);
  expect(text.stdout).toContain("rm a.txt");
  expect(text.stdout).toContain("3 would change");

  const diff = await scene.run(["policy", "diff", "../same.toml", "../new.toml"]);
  expect(diff).toMatchObject({ code: 0 });
  expect(diff.stdout).toMatch(/policy\.max_autonomy_level\s+5 .* 2/);
  expect(diff.stdout).toContain("deny program=rm");
  expect(diff.stdout).toContain("2 tighter, 0 looser");
  expect((await scene.run(["policy", "diff", "../same.toml", "../none.toml"])).code).toBe(2);

  expect((await scene.run(["audit", "verify"])).code).toBe(0);
  const verifier = path.join(projectRoot, "scripts/verify-ledger.mjs");
  execFileSync(process.execPath, [verifier, path.join(scene.state(), "ledger")]);
});

test("a session goes on under the stricter policy that it saw, until a person accepts", async () => {
  await using scene = await makeScene(() => "Done.", {
    git: true,
    files: { ".fettle/team.toml": "[policy]\nallow_git_push = false\n" },
  });
  expect((await scene.run(["-p", "hi"])).code).toBe(0);
  scene.git("rm", "--quiet", "-f", ".fettle/team.toml");
  const later = await scene.run(["-p", "--continue", "hi again"]);
  expect(later.stderr).toContain("policy.allow_git_push (true, was false");
  const accepted = await scene.run(["policy", "accept"]);
  expect(accepted.stdout).toContain("In force from now on:");
  expect((await scene.run(["policy", "accept"])).stdout).toContain("Nothing waits");
  expect((await scene.run(["-p", "--continue", "and again"])).stderr).not.toContain("allow_git_push");
});

test("a role that is lowered by flag refuses by its name; one that is higher does not start", async () => {
  await using scene = await makeScene(work, { git: true, files: { "a.txt": "alpha\n" } });
  const told = await scene.tell(["--role", "read-only", "--autonomy", "5", "go"]);
  const rules = told.events.flatMap((event) => (event.type === "call.decided" ? [event.decision.rule] : []));
  expect(rules).toEqual(["autonomy.5", "role.read-only", "role.read-only", "role.read-only"]);
  const higher = await scene.run(["-p", "--role", "admin", "go"]);
  expect(higher).toMatchObject({ code: 2, stderr: expect.stringContaining("role admin is more than privileged") });
});
