// kill -9 at the edge of a replan that the person wants: the task is as before, or planned anew with their words.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { quickCrew, quickPlan, say } from "../../../work/task/crew.ts";
import { killedAt, look, openScene, planned, transitionCount } from "../../../work/task/tasks.ts";

test("killed before, at and after each transition of another plan that the person wants: never half, and the words are kept once", async () => {
  const told: string[] = [];
  const architect = ({ prompt, users }: { prompt: string; users: string[] }) => {
    told.push([...users, prompt].join("\n"));
    return say(quickPlan({ summary: prompt.includes("keep the name") ? "Second" : "First" }));
  };
  await using scene = await openScene({ ...quickCrew, architect });
  const { id, code, stderr } = await planned(scene);
  expect(code, stderr).toBe(3);
  const replan = ["task", "replan", id, "keep the name"];

  // Until the step is stored the result waits as it did; the words and the step back to planning are one transition, and what the
  // first plan had is gone with it.
  const before = await look(scene, id);
  const replanned = async (): Promise<boolean> => {
    const { task, transitions } = await look(scene, id);
    const [asBefore, anew] = [before.transitions.length, before.transitions.length + 1];
    expect([asBefore, anew]).toContain(transitions.length);
    const is = transitions.length === anew;
    expect([task.state, task.feedback ?? [], task.replanned?.length ?? 0, (task.evidence?.length ?? 0) > 0]).toEqual(
      is ? ["PLANNING", ["keep the name"], 1, false] : ["FEEDBACK_WAIT", [], 0, true],
    );
    expect(task.locks).toHaveLength(is ? 0 : 1);
    return is;
  };
  for (const milliseconds of [0, 100, 200, 300]) {
    if (await replanned()) break;
    const early = await scene.start(replan);
    await sleep(milliseconds);
    early.signal("SIGKILL");
    await early.exited;
  }

  let command = (await replanned()) ? ["task", "resume", id] : replan;
  for (let run = 0; run < 40; run += 1) {
    const count = transitionCount(scene);
    await killedAt(scene, await scene.start(command), count + 1);
    const { task } = await look(scene, id);
    if (command === replan) expect(await replanned()).toBe(true);
    if (task.outcome) break;
    const waits = task.state === "PLANNING" ? task.plan?.summary === "Second" : task.state === "FEEDBACK_WAIT";
    command = ["task", waits ? "approve" : "resume", id];
  }
  const ended = await look(scene, id);
  const { task } = ended;
  expect([task.outcome?.kind, task.plan?.summary, task.feedback, task.replanned?.length]).toEqual([
    ...["merged", "Second", ["keep the name"], 1],
  ]);
  const steps = (from: string, to: string) =>
    ended.transitions.filter((each) => each.from === from && each.to === to).length;
  expect([steps("FEEDBACK_WAIT", "PLANNING"), steps("FEEDBACK_WAIT", "COMPLETE")]).toEqual([1, 1]);
  // Whoever plans after that knows the words, however often it was killed.
  expect(told.slice(1).map((text) => text.includes("keep the name"))).toEqual(told.slice(1).map(() => true));
  expect(told.length).toBeGreaterThan(1);
  expect(scene.git("rev-list", "--count", "--merges", "main").trim()).toBe("1");
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
  expect((await scene.run(["task", "replay", id])).stdout).toContain("everything as it was");
  expect(scene.git("worktree", "list").trim().split("\n")).toHaveLength(1);
});
