// The demonstration of a task as a person sees it: the whole program in this process, a screen that is read back.
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { changedSamples, showTask, usable } from "../../../app/demo/stage.ts";
import { sampled } from "../../../support/draws.ts";

const flat = (text: string): string => text.replace(/\n│?/g, " ").replace(/\s+/g, " ");
const runs = await Promise.all(
  sampled(
    [
      ["javascript", true] as const,
      ["python", false] as const,
      ["rust", true] as const,
      ["typescript", true] as const,
      ["go", true] as const,
      ["java", true] as const,
    ],
    3,
  ).map(async ([name, sandboxed]) => ({ name, sandboxed, can: await usable(name) })),
);

for (const { name, sandboxed, can } of runs) {
  test.skipIf(!can)(
    `${name}: from the ticket to the merged commit${sandboxed ? "" : ", without a sandbox"}`,
    {
      timeout: 120_000,
    },
    async () => {
      const { code, screen, workspace } = await showTask(name, { sandboxed });
      const text = flat(screen);
      for (const part of [
        "replies are scripted",
        "plan to approve",
        "result to approve",
        "The demo approves here",
        "fails by an assertion",
        "Time per step",
        "1 red by an assertion → green on main",
        "both in the ledger",
        "all as they were",
        "ledger verified",
      ])
        expect(text).toContain(part);
      // A rehearsal asks nothing: without a sandbox the suite is not known before the plan, and the pages say so.
      expect(text.includes("was not tried before the plan, as it would have to be asked for")).toBe(!sandboxed);
      expect(text.includes("has no kernel sandbox")).toBe(!sandboxed);
      expect(code, screen).toBe(0);
      const git = (...words: string[]) => execFileSync("git", words, { cwd: workspace, encoding: "utf8" });
      expect(git("log", "--first-parent", "--format=%s").split("\n")[0]).toMatch(/^Merge fettle\//);
      expect(git("status", "--porcelain")).toBe("");
    },
  );
}

test("what is not really mended fails the demo, whatever the model says", async () => {
  const samples = changedSamples("task.jsonl", (text) => text.replace("(at < rest ? share + 1 : share)", "share"));
  const { code, screen } = await showTask("javascript", { samples });
  expect(screen).toContain("Done: the rest of the division is handed out");
  expect(flat(screen)).toContain("The demo failed. The task stopped at Implementation");
  expect(screen).not.toContain("Time per step");
  expect(code).toBe(1);
});

test("what is not in the plan is refused, and fails the demo", async () => {
  const samples = changedSamples("task.jsonl", (text) =>
    text.replace('"path": "test/split.test.js", "content"', '"path": "src/money.js", "content"'),
  );
  const { code, screen } = await showTask("javascript", { samples });
  expect(flat(screen)).toContain("The demo failed.");
  expect(code).toBe(1);
});
