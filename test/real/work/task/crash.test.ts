// kill -9 as soon as a transition is stored, one after the other: going on leads to the same merged commit, once.
import { expect, test } from "vitest";
import type { TaskView } from "../../../../src/protocol/task.ts";
import type { Scene } from "../../../scenarios/scene.ts";
import { fixed, nodeFiles, plan, quickCrew, say, write } from "../../../work/task/crew.ts";
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
    // A plan that was given up is still there while another one is drawn.
    const drawn = task.state === "PLANNING" && task.envelope && task.envelope.digest !== task.planApproval?.digest;
    const waits = drawn || task.state === "FEEDBACK_WAIT";
    command = ["task", waits ? "approve" : "resume", id];
    if (task.state === "FEEDBACK_WAIT") {
      command.push(...answer(!sentBack));
      sentBack = true;
    }
  }
  throw new Error(`it never ended: ${killed.join(", ")}`);
}

/** Each step from one state to another, and how often it was made. */
const edges = ({ transitions }: TaskView): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(transitions, ({ from, to }) => `${from} ${to}`)).map(([edge, all]) => [
      edge,
      all.length,
    ]),
  );

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

test("killed at every transition where a coder and a verification give a plan up, and words change nothing", async () => {
  const acceptance = (command: string) => [{ claim: "1.5 becomes 2", command }];
  const plans = {
    First: acceptance("node --test test/round.test.js"),
    Second: acceptance("grep -q half src/round.js"),
    Third: acceptance("node --test test/round.test.js"),
  };
  const architect = ({ prompt }: { prompt: string }) => {
    const summary = prompt.includes("Not verified") ? "Third" : prompt.includes("another way") ? "Second" : "First";
    return say(plan({ summary, commands: {}, acceptance: plans[summary] }));
  };
  const coder = ({ said, prompt }: { said: number; prompt: string }) => {
    if (/"summary": ?\\?"First/.test(prompt)) return say("Replan: it needs another way.");
    return said > 0 || prompt.includes("thank you") ? say("Done.") : write("src/round.js", fixed);
  };

  await using scene = await openScene({ ...quickCrew, architect, coder });
  await scene.run(["config", "set", "task.repairs", "0"]);
  const { id, killed } = await throughCrashes(scene, (first) => (first ? ["--with", "thank you"] : []));
  expect(killed.length).toBeGreaterThan(14);
  const ended = await look(scene, id);
  const { task } = ended;
  expect([task.outcome?.kind, task.plan?.summary, task.feedback, task.replanned?.length], killed.join("\n")).toEqual([
    ...["merged", "Third", ["thank you"], 2],
  ]);
  expect(edges(ended)).toMatchObject({
    ...{
      "REHEARSAL PLANNING": 1,
      "IMPLEMENTING PLANNING": 1,
      "VERIFYING PLANNING": 1,
      "FEEDBACK_WAIT IMPLEMENTING": 1,
    },
    ...{ "VERIFYING FEEDBACK_WAIT": 2, "PLANNING PROVING_GROUND": 3, "FEEDBACK_WAIT COMPLETE": 1 },
  });
  expect(scene.text("src/round.js")).toBe(fixed);
  expect(scene.git("rev-list", "--count", "--merges", "main").trim()).toBe("1");
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
  expect((await scene.run(["task", "replay", id])).stdout).toContain("everything as it was");
  expect(scene.git("worktree", "list").trim().split("\n")).toHaveLength(1);
});
