// Reviews, an audit and a debugging session in the real program: agents that only read, documents that are committed.
import { expect, test } from "vitest";
import { goodAgents, projectAgents, repository } from "../../scenarios/project-agents.ts";
import { makeScene } from "../../scenarios/scene.ts";

const item = { title: "It floors", state: "warning", place: "src/floor.js:1", evidence: "1.5 → 1", action: "add half" };

test("a review, an audit, a debugging session and an idea, each by its command, by GSD's name, and answered from the line", async () => {
  const agents = {
    ...goodAgents,
    interviewer: ({ told, visit, said }: { told: string; visit: number; said: number }) =>
      told.includes("explores an idea")
        ? { question: told.includes("The person answered") ? "" : "For whom?", summary: "Offline.", kind: "todo" }
        : goodAgents["interviewer"]?.({ told, visit, said }),
    "code reviewer": () => ({ summary: "One fault.", items: [item, { ...item, place: "src/none.js:1" }] }),
    "integration checker": ({ visit }: { visit: number }) => ({
      summary: "Joined.",
      items: [{ ...item, title: `Joint ${visit}`, state: "joined" }],
    }),
    manager: () => ({
      tried: [{ hypothesis: "floor", verdict: "confirmed", evidence: "read src/floor.js:1" }],
      cause: "it floors",
    }),
  };
  await using scene = await makeScene(projectAgents(agents), { git: true, files: { ...repository } });
  for (const line of [
    ["new", "--auto", "@idea.md"],
    ["discuss", "1", "--auto"],
    ["plan", "1", "--auto"],
  ])
    expect((await scene.run(["project", ...line])).code, line.join(" ")).toBe(0);
  const review = await scene.run(["project", "gsd-code-review", "1"]);
  expect([review.code, review.stdout], review.stderr).toEqual([0, expect.stringContaining("2 findings in phase 1")]);
  expect(review.stderr).toContain("there is no file src/none.js");
  expect(scene.text(".planning/phases/01-whole-numbers/01-REVIEW.md")).toContain("status: issues_found");
  const audit = await scene.run(["project", "audit-milestone", "--json"]);
  expect([audit.code, audit.stdout]).toEqual([1, expect.stringContaining("gaps_found")]);
  // What was found ends with exit 1, and is looked for again all the same.
  expect((await scene.run(["project", "audit-milestone"])).code).toBe(1);
  expect(scene.text(".planning/v1.0-MILESTONE-AUDIT.md")).toContain("Joint 2");
  const found = await scene.run(["project", "debug", "1.5", "becomes", "1"]);
  expect([found.code, found.stdout], found.stderr).toEqual([
    0,
    expect.stringContaining("The cause is found: it floors"),
  ]);
  const asked = await scene.run(["project", "explore", "offline"]);
  expect([asked.code, asked.stderr.replaceAll(/\s+/g, " ")]).toEqual([3, expect.stringContaining("For whom?")]);
  const answered = await scene.run(["project", "explore", "offline", "--answer", "me", "--answer", "todo"]);
  expect([answered.code, answered.stdout], answered.stderr).toEqual([
    0,
    expect.stringContaining("Written down as a todo"),
  ]);
  expect(scene.git("status", "--porcelain")).toBe("");
  const log = scene.git("log", "--format=%s").split("\n");
  expect(log).toEqual(expect.arrayContaining(["docs(1): code review", "docs: debugging session 1-5-becomes-1"]));
}, 60_000);
