// What went wrong, as the coder and the person read it.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { troubleOf } from "../../../../src/work/task/healing/trouble.ts";
import { withReport } from "../../../../src/work/task/stacks/profile.ts";
import { temporaryFolder } from "../../../support/folders.ts";

test("a command that keeps its runner's report is named without that", async () => {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "-q"], { cwd: folder });
  const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  execFileSync("git", [...author, "commit", "-q", "--allow-empty", "-m", "base"], { cwd: folder });
  const command = withReport((report) => `python3 -m pytest test_a.py --junitxml=${report}`);
  const run = { command, exit: 1, ended: "exited" as const, output: "E   assert 1 == 2", digest: "" };
  const trouble = await troubleOf(folder, run);
  expect(trouble.about).toBe("python3 -m pytest test_a.py");
  expect(trouble.text).toContain("assert 1 == 2");
});
