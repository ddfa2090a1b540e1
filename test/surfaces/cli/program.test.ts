// The real program as a child: what it says before any model is asked.
import { expect, test } from "vitest";
import { runFettle, startFettle } from "../../support/program.ts";

test("version and help go to standard output", async () => {
  const version = await runFettle(["--version"]);
  expect(version).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^fettle \d+\.\d+\.\d+\n$/) });
  const help = await runFettle(["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toContain("Exit codes:");
});

test("wrong use is one sentence, a remedy, and exit 2", async () => {
  const { code, stdout, stderr } = await runFettle(["sessions", "lst"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toBe("fettle: Unknown command 'lst'; did you mean list?\nSee 'fettle sessions --help'.\n");
});

test("without a prompt and without a terminal there is nothing to do", async () => {
  const { code, stderr } = await runFettle([]);
  expect(code).toBe(2);
  expect(stderr).toContain("nothing to do without a prompt");
});

test("without any model: what to do, exit 2, no stack", async () => {
  const { code, stdout, stderr } = await runFettle(["-p", "hello"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("ANTHROPIC_API_KEY");
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("a reader that leaves early is no error", async () => {
  const started = await startFettle(["schema", "events"]);
  started.child.stdout?.destroy();
  started.endInput();
  const { code, stderr } = await started.exited;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("standard input that stays open does not hold up a typed prompt for ever", async () => {
  const started = await startFettle(["-p", "hello"]);
  await started.shows("Nothing came on standard input within 3 s");
  const { code } = await started.exited;
  expect(code).toBe(2);
});
