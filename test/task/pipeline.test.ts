// A task from words to a merged commit: the real program, git, node and a scripted model.
import { expect, test } from "vitest";
import { makeScene, those, eventsOf } from "../scenarios/scene.ts";
import { crew, goodCrew, nodeFiles } from "./crew.ts";

const idOf = (text: string): string => /fettle task approve (\w+)/.exec(text)?.[1] ?? "";

test("from words to a merged commit: the plan and the result are approved, nothing else is asked", async () => {
  await using scene = await makeScene(crew(goodCrew), { git: true, files: nodeFiles });
  const begun = await scene.run(["task", "fix the rounding bug: 1.5 should become 2"]);
  console.log(begun.stderr, begun.stdout);
  expect(begun.code).toBe(3);
  const id = idOf(begun.stderr);
  const planned = await scene.run(["task", "approve", id], { timeoutMs: 60_000 });
  console.log(planned.stderr, planned.stdout);
  expect(planned.code).toBe(3);
  const merged = await scene.run(["task", "approve", id]);
  console.log(merged.stderr, merged.stdout);
  expect(merged.code).toBe(0);
  console.log(
    scene.git("log", "--format=%h %s%n%b", "--graph"),
    (await scene.run(["task", "show", id])).stdout,
    (await scene.run(["task", "show", id, "--evidence"])).stdout,
  );
});
