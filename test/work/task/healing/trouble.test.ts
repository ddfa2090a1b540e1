// What went wrong, as the coder and the person read it.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { telling } from "../../../../src/work/task/healing/telling.ts";
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

test("what pytest says and what its report says again is read once; a report that stands alone is read as it is", async () => {
  const report =
    '<?xml version="1.0"?><testsuites><testsuite><testcase name="a"><failure message="assert 1 == 2">E   assert 1 == 2</failure></testcase></testsuite></testsuites>';
  const said = "    def test_a():\n>       assert one() == 2\nE       assert 1 == 2\n1 failed";
  const count = (text: string) => text.split("assert 1 == 2").length - 1;
  expect([count(telling(`${said}\n${report}\n`)), count(telling(report))]).toEqual([1, 2]);
  expect(telling(`${said}\n${report}\nbehind it`)).toMatch(/1 failed\nbehind it$/);
  expect(telling("a <testsuite> that does not end")).toBe("a <testsuite> that does not end");
});
