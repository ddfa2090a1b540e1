// Settings of .planning/config.json, each with what it changes.
import { expect, test } from "vitest";
import { withSetting } from "../../../src/work/project/facts/setting-edit.ts";
import { settingsOf } from "../../../src/work/project/facts/settings.ts";
import { baseOf, wantedBranch } from "../../../src/work/project/steps/branching.ts";

const read = (config: object) => settingsOf(JSON.stringify(config)).read;

test("the strategy and its templates name the branch; what is no name of one is refused", () => {
  const named = { phase: { number: "3.1", name: "Log in, again" }, milestone: "v1.2 Search" };
  const branch = (git: object) => wantedBranch(read({ git }), named);
  expect(branch({})).toBeUndefined();
  expect(branch({ branching_strategy: "none" })).toBeUndefined();
  expect(branch({ branching_strategy: "phase" })).toBe("gsd/phase-03.1-log-in-again");
  expect(branch({ branching_strategy: "phase", phase_branch_template: "work/{phase}" })).toBe("work/03.1");
  expect(branch({ branching_strategy: "milestone", milestone_branch_template: "m/{slug}" })).toBe("m/search");
  for (const phase_branch_template of ["--force", "a..b", "refs/heads/main", "HEAD", "a b", "x.lock", "a//b", "a@{1}"])
    expect(() => branch({ branching_strategy: "phase", phase_branch_template })).toThrow("is no name of a branch");
  expect(baseOf({}, read({}))).toBeUndefined();
  expect(baseOf({}, read({ git: { base_branch: "develop" } }))).toBe("develop");
  expect(baseOf({ base: "main" }, read({ git: { base_branch: "develop" } }))).toBe("main");
  expect(() => baseOf({}, read({ git: { base_branch: "--upload-pack=x" } }))).toThrow("is no name of a branch");
});

test("words of which one has to be said are held to them, in the file and where one is set; null is the default", () => {
  const given = settingsOf('{"git":{"branching_strategy":"both","base_branch":null}}');
  expect(given.read["git.branching_strategy"]).toBe("none");
  expect(given.problems.map(({ code, about }) => [code, about[1]])).toEqual([
    ["badSetting", "none | phase | milestone"],
  ]);
  expect(() => withSetting("{}", "git.branching_strategy", "both")).toThrow("is one of none, phase, milestone");
  expect(JSON.parse(withSetting("{}", "git.branching_strategy", "phase"))).toEqual({
    git: { branching_strategy: "phase" },
  });
});
