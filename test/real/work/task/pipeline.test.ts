// A plan and a result that are wanted otherwise, and a refactoring: the real program, git, node and a scripted model.
import { expect, test } from "vitest";
import { goodCrew, nodeFiles, plan, quickCrew, say, write } from "../../../work/task/crew.ts";
import { approve, look, openScene, planned, states, words } from "../../../work/task/tasks.ts";

test("a plan is approved with changes: it is drawn up anew with them and shown again", async () => {
  const missions = {
    ...goodCrew,
    architect: ({ prompt }: { prompt: string }) =>
      say(plan(prompt.includes("also mention the change") ? { summary: "Round halves up, and say so" } : {})),
  };
  await using scene = await openScene(missions);
  const begun = await scene.run(["task", words]);
  const id = /approve (\w+)/.exec(begun.stderr)?.[1] ?? "";
  const again = await approve(scene, id, "--with", "also mention the change");
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("Round halves up, and say so")]);
  const view = await look(scene, id);
  expect([view.state, view.task.feedback]).toEqual(["PLANNING", ["also mention the change"]]);
});

test("a result is wanted otherwise: it is mended within the same plan, verified again and merged", async () => {
  const missions = {
    ...quickCrew,
    coder: ({ said, prompt }: { said: number; prompt: string }) =>
      said > 0
        ? say("Done.")
        : write(
            "src/round.js",
            prompt.includes("use Math.round")
              ? "export const round = (value) => Math.round(value);\n"
              : "export const round = (value) => Math.floor(value + 0.5);\n",
          ),
  };
  await using scene = await openScene(missions);
  const { id } = await planned(scene);
  const first = (await look(scene, id)).task.envelope?.digest;
  expect((await approve(scene, id, "--with", "use Math.round")).code).toBe(3);
  expect((await approve(scene, id)).code).toBe(0);
  expect(scene.text("src/round.js")).toContain("Math.round");
  expect((await look(scene, id)).task.envelope?.digest).toBe(first);
});

test("a refactoring needs no new test, but tests that pass before and after", async () => {
  const refactoring = plan({
    summary: "Rename the parameter",
    test: undefined,
    files: [plan().files[1]],
    acceptance: [{ claim: "all tests pass", command: "npm test" }],
  });
  const coder = ({ said }: { said: number }) =>
    said === 0 ? write("src/round.js", "export const round = (number) => Math.floor(number);\n") : say("Done.");
  await using scene = await openScene({ architect: () => say(refactoring), coder });
  const { id, code } = await planned(scene, ["--no-merge"], "rename the parameter of round");
  expect([code, states(await look(scene, id))]).toEqual([3, expect.not.arrayContaining(["PROVING_GROUND"])]);
  expect(await scene.read("session.list", { limit: 5 })).toMatchObject([
    { task: id, title: "rename the parameter of round" },
  ]);
  const waits = await Promise.all([scene.run(["approvals"]), scene.run(["task", "show", id])]);
  expect(waits.map(({ stdout }) => stdout)).toEqual([
    expect.stringContaining(`Task ${id}, its result waits for you: rename the parameter of round`),
    expect.stringMatching(/• Approval .* its result waits for you\n/),
  ]);
  const left = await approve(scene, id);
  expect([left.code, left.stdout]).toEqual([0, expect.stringContaining("The work is on fettle/")]);
  expect(left.stderr).toContain(`fettle task show ${id} --evidence`);
  expect(scene.text("src/round.js")).toBe(nodeFiles["src/round.js"]);
});
