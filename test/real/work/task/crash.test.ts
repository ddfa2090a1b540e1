// kill -9 as soon as a transition is stored, one after the other: going on leads to the same merged commit, once.
import { expect, test } from "vitest";
import type { Scene } from "../../../scenarios/scene.ts";
import { fixed, nodeFiles, quickCrew, say, write } from "../../../work/task/crew.ts";
import { killedAt, look, openScene, states, transitionCount, words } from "../../../work/task/tasks.ts";

/** Killed after each transition until it has ended; what the killed runs had stored last. */
async function throughCrashes(
  scene: Scene,
  answer: (feedback: boolean) => string[],
): Promise<{ id: string; killed: string[] }> {
  const killed: string[] = [];
  let id = "";
  let command = ["task", words];
  let sentBack = false;
  for (let run = 0; run < 40; run += 1) {
    const before = transitionCount(scene);
    await killedAt(scene, await scene.start(command), before + 1);
    id ||= (await scene.read("task.list", { limit: 1 }))[0]?.id ?? "";
    const { task, transitions } = await look(scene, id);
    const last = transitions.at(-1);
    if (last && transitions.length > before) killed.push(`${last.to}: ${Object.keys(last.patch).join(" ")}`);
    if (task.outcome) return { id, killed };
    const waits = (task.state === "PLANNING" && task.envelope) || task.state === "FEEDBACK_WAIT";
    command = ["task", waits ? "approve" : "resume", id];
    if (task.state === "FEEDBACK_WAIT") {
      command.push(...answer(!sentBack));
      sentBack = true;
    }
  }
  throw new Error(`it never ended: ${killed.join(", ")}`);
}

const wholeWay = ["REPO_DISCOVERY", "REHEARSAL", "PLANNING", "PROVING_GROUND", "IMPLEMENTING"];

test("killed at every transition of a task that is sent back by its CI and by the person", async () => {
  const half = `// half\n${fixed}`;
  const coder = ({ said, prompt }: { said: number; prompt: string }) => {
    if (said > 0) return say("Done.");
    if (prompt.includes("say it is mended")) return write("src/round.js", `// mended\n${half}`);
    return write("src/round.js", prompt.includes("the CI") ? half : fixed);
  };
  await using scene = await openScene(
    { ...quickCrew, coder },
    { ...nodeFiles, ".ci/run": "grep -q half src/round.js\n" },
  );
  const { id, killed } = await throughCrashes(scene, (first) => (first ? ["--with", "say it is mended"] : []));
  // Two may be stored within one look at the database, hardly more.
  expect(killed.length).toBeGreaterThan(11);
  const ended = await look(scene, id);
  expect([ended.task.outcome?.kind, states(ended).slice(0, 5)]).toEqual(["merged", wholeWay]);
  // A CI that is red is not merged; the green one is of exactly this commit.
  const { ci, worktree } = ended.task;
  expect(ci).toMatchObject({ provider: "local", commit: worktree?.head, status: "success" });
  expect(scene.text("src/round.js")).toBe(`// mended\n${half}`);
  expect(scene.git("status", "--porcelain")).toBe("");
  expect(scene.git("rev-list", "--count", "--merges", "main").trim()).toBe("1");
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
  expect((await scene.run(["task", "replay", id])).stdout).toContain("everything as it was");
  expect(scene.git("worktree", "list").trim().split("\n")).toHaveLength(1);
});
