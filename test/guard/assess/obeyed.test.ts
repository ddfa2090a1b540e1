// What a program that only tells would run first because a file of the folder says so, and what stands beside git.
import { expect, test } from "vitest";
import { judge, riskOf, worldOf } from "./facts.ts";

test.each([
  ["cargo --version", "/w/rust-toolchain.toml"],
  ["cargo metadata --format-version 1", "/w/.cargo/config.toml"],
  ["yarn --version", "/w/.yarnrc.yml"],
  ["pnpm ls", "/w/.pnpmfile.cjs"],
  ["mvn -v", "/w/.mvn/jvm.config"],
  ["dotnet --version", "/global.json"],
])("%s is asked about beside %s", (command, file) => {
  expect(riskOf(command)).toBe("L0");
  const folder = file.slice(0, file.lastIndexOf("/"));
  expect(riskOf(command, worldOf({ files: { [file]: "" }, folders: [folder] }))).toBe("L2");
});

test("scripts, modules and settings of the folder are none of a reader's business", () => {
  for (const command of [
    "npm pack --dry-run",
    "npm docs x",
    "python3 -m json.tool a",
    "python3 -m anything --version",
    "python3 -m pip list",
    "bundle list",
    "composer show",
    "poetry show",
    "uv pip list",
    "pip list --python ./x",
    "cargo metadata --config build.rustc='x'",
    "go list -toolexec ./x ./...",
  ])
    expect([command, riskOf(command)]).toEqual([command, "L2"]);
  for (const command of ["npm pack --dry-run --ignore-scripts", "npm ls", "python3 -I -m json.tool a", "pip list"])
    expect([command, riskOf(command)]).toEqual([command, "L0"]);
});

test("git stands alone beside readers and plain writes, and beside nothing that runs code", () => {
  for (const command of ["git add a", "git status && git add a", "echo x > a && git add a", "mkdir b; git add b"])
    expect([command, judge(command).tags.includes("git-alone")]).toEqual([command, true]);
  for (const command of [
    "git add a && npm test",
    "git add a; cargo fmt",
    "git add a; ./x",
    "python3 a.py && git add a",
  ]) {
    expect([command, judge(command).tags.includes("git-alone")]).toEqual([command, false]);
    expect([command, judge(command).risk]).toEqual([command, "L2"]);
  }
  // What only reads the repository opens it for nobody.
  for (const command of ["git stash list && npm test", "npm test; git branch; git tag -l", "git worktree list; ./x"])
    expect([command, judge(command).reasons.map(({ code }) => code)]).toEqual([
      command,
      expect.not.arrayContaining(["git.company"]),
    ]);
  for (const command of ["git stash list; git stash drop; npm test", "git branch x && npm test"])
    expect([command, judge(command).reasons.map(({ code }) => code)]).toEqual([
      command,
      expect.arrayContaining(["git.company"]),
    ]);
});
