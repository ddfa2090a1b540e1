// Policies in a CI job, and explained.
import { expect, test } from "vitest";
import { makeScene } from "../../scenarios/scene.ts";

test("check and test answer a CI job by their exit codes", async () => {
  await using scene = await makeScene([], { git: true });
  const exits = async (text: string, ...more: string[]) => {
    scene.put(".fettle/team.toml", text);
    const checked = await scene.run(["policy", "check", ...more]);
    const tried = await scene.run(["policy", "test", ...more]);
    return { check: checked.code, test: tried.code, text: checked.stdout };
  };
  const example = (expect: string) => `[[examples]]\ncommand = "git push"\nexpect = "${expect}"\n`;
  const push = "[policy]\nallow_git_push = false\n";
  expect((await scene.run(["policy", "check"])).stdout).toContain("There is no policy file.");
  expect(await exits(push + example("deny"))).toMatchObject({ check: 0, test: 0 });
  expect(await exits(push + example("ask"))).toMatchObject({ check: 1, test: 1 });
  expect(await exits(`${push}[[rules]]\naction = "deny"\nprogram = "rm"\nmatch = ["ls"]\n`)).toMatchObject({
    check: 1,
    text: expect.stringMatching(/team\.toml:3: .*does not cover its example `ls`/),
  });
  expect(await exits("[policy]\nrequire_audit_log = false\n")).toMatchObject({
    check: 2,
    test: 2,
    text: expect.stringMatching(/team\.toml:2: require_audit_log = false would loosen true/),
  });
  expect(await exits("[policy]\nmax_autonomy = 1\n")).toMatchObject({ check: 2, test: 2 });
  scene.put("../machine.toml", "[policy]\nrequire_audit_log = false\n");
  expect((await scene.run(["policy", "check", "../machine.toml"])).code).toBe(0);
  expect((await scene.run(["policy", "check", "../machine.toml", "--as", "team"])).code).toBe(2);
});

test("explain says which file set a limit, and what each limit and permit says of a command", async () => {
  await using scene = await makeScene([], {
    git: true,
    files: { ".fettle/team.toml": "[policy]\nmax_autonomy_level = 3\nallow_git_push = false\n" },
  });
  const one = await scene.run(["policy", "explain", "max_autonomy_level"]);
  expect(one.stdout).toMatch(/policy\.max_autonomy_level\s+3\s+.*team\.toml:2/);
  const command = await scene.run(["policy", "explain", "git push", "--json"]);
  const { verdict, rule, opinions } = JSON.parse(command.stdout);
  expect({ verdict, rule }).toEqual({ verdict: "deny", rule: "policy.allow_git_push" });
  expect(opinions.filter((one: { says: string }) => one.says === "deny")).toHaveLength(1);
  expect(await scene.run(["policy", "explain", "allow_gitpush"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean allow_git_push?"),
  });
});
