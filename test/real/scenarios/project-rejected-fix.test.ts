// The plan for a finding that a person rejects: the finding stays, it is written down, and the next one is taken up.
import { expect, test } from "vitest";
import { crew, goodCrew, nodeFiles } from "../../work/task/crew.ts";
import { projectAgents } from "../../scenarios/project-agents.ts";
import { makeScene, messagesOf } from "../../scenarios/scene.ts";

const finding = (title: string) => ({ title, state: "critical", place: "src/round.js:1", evidence: "1.5", action: "" });

test("a rejected plan leaves its finding, and an open finding keeps the milestone open", async () => {
  const reviewer = projectAgents({
    "code reviewer": () => ({ summary: "Two.", items: [finding("It floors"), finding("No places")] }),
  });
  const tasks = crew(goodCrew);
  const files = {
    ...nodeFiles,
    ".planning/PROJECT.md": "# Shop\n",
    ".planning/STATE.md": "# State\n",
    ".planning/REQUIREMENTS.md": "## v1\n- [ ] **R-01**: Rounds\n",
    ".planning/ROADMAP.md": "- [x] **Phase 1: Rounding**\n### Phase 1: Rounding\n**Requirements**: R-01\n",
    ".planning/phases/01-rounding/01-CONTEXT.md": "# Phase 1: Rounding - Context\n",
  };
  await using scene = await makeScene(
    (request) => (JSON.stringify(messagesOf(request)[0]).includes("code reviewer") ? reviewer : tasks)(request),
    { git: true, files },
  );
  const review = ["project", "code-review", "1", "--files", "src/round.js", "--fix"];
  for (const why of ["not now", "nor this"]) {
    const waits = await scene.run(review);
    const id = /fettle task approve (\w+)/.exec(waits.stderr)?.[1] ?? "";
    expect([waits.code, id], waits.stderr).toEqual([3, expect.stringMatching(/./)]);
    const rejected = await scene.run(["task", "reject", id, "--why", why]);
    expect([rejected.code, rejected.stdout + rejected.stderr]).toEqual([
      130,
      expect.stringContaining(`The plan was rejected: ${why}`),
    ]);
  }
  const end = await scene.run(review);
  expect([end.code, end.stderr]).toEqual([
    1,
    expect.stringContaining("0 of 2 findings are mended, 2 left as they are"),
  ]);
  expect(scene.text(".planning/phases/01-rounding/01-REVIEW-FIX.md")).toMatch(/\nfixed: 0\nleft: 2\nnot_fixed: 0\n/);
  const next = await scene.run(["project", "next"]);
  expect(next.stdout.replaceAll(/\s+/g, " ")).toContain("Mend what reviews of phase 1 have left open");
  expect((await scene.run(["project", "audit-uat"])).stdout).toContain("critical finding");
}, 60_000);
