// A task as a person sees it in a terminal: its steps, its plan and its result, answered by a key or a sentence.
import { expect, test } from "vitest";
import { goodCrew, quickPlan, say } from "./crew.ts";
import { openScene, words } from "./tasks.ts";

test("the plan is wanted otherwise by a sentence and approved by a key, the result looked at and merged", {
  timeout: 120_000,
}, async () => {
  await using scene = await openScene({
    ...goodCrew,
    architect: ({ prompt }) =>
      prompt.includes("say so")
        ? say(quickPlan({ summary: "Round halves up and say so" }))
        : { ...say(quickPlan()), delayMs: 4_000 },
  });
  const terminal = scene.terminal(["task", words]);
  await terminal.shows("type to join in", 40_000);
  await terminal.enter("a", "“a” was not sent");
  await terminal.shows("(l)ater", 40_000);
  const page = terminal.everything();
  expect(page).toMatch(/✓ Intent +[\d.]+ m?s {2}fix/);
  expect(page).toMatch(/plan to approve.*expires in 24 h/);
  expect(page).toContain("why asked");
  for (const generic of ["starts no process", "undo", "then it counts as denied"]) expect(page).not.toContain(generic);
  await terminal.enter("c", "What should be otherwise?");
  await terminal.enter("say so", /Round halves up and say so[^]*\(l\)ater/);
  await terminal.enter("a", "result to approve", 40_000);
  await terminal.shows("whole (d)iff");
  await terminal.enter("d", /\n {2}1 \+ export const round[^]*whole \(d\)iff/);
  await terminal.enter("/evidence", /output sha256[^]*\(l\)ater/);
  await terminal.enter("e", "output sha256");
  await terminal.enter("a", "Merged into main", 40_000);
  expect(await terminal.exited).toBe(0);
});
