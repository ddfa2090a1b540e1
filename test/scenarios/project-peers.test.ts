// Plans that another agent's program reads, in the real program: it is asked for, and its answer is read.
import { expect, test } from "vitest";
import { claudeEnd, standIn } from "../model/cli-agents/folder.ts";
import { goodAgents, projectAgents, repository } from "./project-agents.ts";
import { approving } from "./project-steps.ts";
import { makeScene } from "./scene.ts";

const review = {
  ...{ summary: "Read.", strengths: [] },
  concerns: [{ severity: "HIGH", plan: "01-01", what: "Halves of negatives", suggestion: "Say which way" }],
};

test("review: a program that is installed reads the plans, one that is not is told", async () => {
  await using scene = await makeScene(projectAgents(goodAgents), { git: true, files: { ...repository } });
  for (const line of [
    ["new", "--auto", "@idea.md"],
    ["discuss", "1", "--auto"],
    ["plan", "1", "--auto"],
  ])
    expect((await scene.run(["project", ...line])).code, line.join(" ")).toBe(0);
  const answer = claudeEnd({ result: JSON.stringify(review), total_cost_usd: 0.1 });
  const env = {
    ...{ PATH: standIn(scene, "claude", `echo '${answer}'`), ANTHROPIC_API_KEY: "not-a-real-key" },
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
  };
  const started = await scene.start(["project", "review", "1", "--wait-approvals=60"], { env });
  const asked = await approving(scene, started);
  const run = await started.exited;
  expect([run.code, run.stdout], run.stderr).toEqual([0, expect.stringContaining("1 program has read the plans")]);
  expect(asked.map(({ request }) => request.action.kind)).toEqual([expect.stringMatching(/agent/)]);
  expect(run.stderr).toContain("codex has not reviewed");
  expect(scene.text(".planning/phases/01-whole-numbers/01-REVIEWS.md")).toContain(
    "| HIGH | 01-01 | Halves of negatives | claude |",
  );
}, 60_000);
