// A debugging session that another process goes on with: what was found stands in a file, and is read again.
import { expect, test } from "vitest";
import { projectAgents, repository } from "./project-agents.ts";
import { makeScene } from "./scene.ts";

test("debug: a later process lists the session, goes on with it, and knows its cause", async () => {
  const agents = {
    manager: ({ visit }: { visit: number }) => ({
      tried: [{ hypothesis: "It floors", verdict: visit === 1 ? "open" : "confirmed", evidence: "src/floor.js:1" }],
      cause: visit === 1 ? "" : "src/floor.js:1 floors",
      ask: visit === 1 ? "Which number?" : "",
    }),
  };
  const files = { ...repository, ".planning/PROJECT.md": "# Rounder\n", ".planning/STATE.md": "# State\n" };
  await using scene = await makeScene(projectAgents(agents), { git: true, files });
  expect((await scene.run(["project", "debug", "1.5", "becomes", "1"])).code).toBe(3);
  const listed = await scene.run(["project", "debug", "list"]);
  expect([listed.code, listed.stdout], listed.stderr).toEqual([0, expect.stringContaining("1-5-becomes-1  open")]);
  const found = await scene.run(["project", "debug", "continue", "1-5", "--answer", "1.5"]);
  expect([found.code, found.stdout], found.stderr).toEqual([0, expect.stringContaining("src/floor.js:1 floors")]);
  expect((await scene.run(["project", "debug", "list"])).stdout).toContain("1-5-becomes-1  found");
}, 60_000);
