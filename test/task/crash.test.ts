// kill -9 as soon as a transition is stored, whichever it is: going on leads to the same merged commit, once.
import { expect, test } from "vitest";
import { fixed, quickCrew } from "./crew.ts";
import { approve, killedAt, look, openScene, planned, states, words } from "./tasks.ts";

/** Goes on until it has to be answered for, answers, and so on to its end. */
async function toTheEnd(scene: Awaited<ReturnType<typeof openScene>>, id: string): Promise<number | null> {
  for (let step = 0; step < 6; step += 1) {
    const { state } = await look(scene, id);
    const answers = state === "PLANNING" || state === "FEEDBACK_WAIT";
    const resumed = await scene.run(["task", "resume", id], { timeoutMs: 60_000 });
    if (resumed.code !== 3) return resumed.code;
    if (answers || resumed.stderr.includes("waits for an approval")) {
      const { code } = await approve(scene, id);
      if (code !== 3) return code;
    }
  }
  return null;
}

/** Where a run of its own is killed: while it is planned, worked on, merged. Counted from the start of that run. */
const places: [string, "begin" | "work" | "merge", number][] = [
  ["intent classified", "begin", 1],
  ["repository mapped", "begin", 2],
  ["plan drawn up", "begin", 3],
  ["plan approved", "work", 1],
  ["isolated", "work", 2],
  ["test locked", "work", 3],
  ["implemented", "work", 4],
  ["verified", "work", 5],
  ["result approved", "merge", 1],
  ["merge prepared", "merge", 2],
  ["merged", "merge", 3],
];

test.each(places)("killed when it is stored: %s", { timeout: 180_000 }, async (_, phase, count) => {
  await using scene = await openScene(quickCrew);
  let id = "";
  if (phase === "begin") {
    await killedAt(scene, await scene.start(["task", words]), count);
    id = (JSON.parse((await scene.run(["task", "list", "--json"])).stdout) as { id: string }[])[0]?.id ?? "";
  } else {
    id =
      phase === "merge"
        ? (await planned(scene)).id
        : (/approve (\w+)/.exec((await scene.run(["task", words])).stderr)?.[1] ?? "");
    const before = (await look(scene, id)).transitions.length;
    await killedAt(scene, await scene.start(["task", "approve", id]), before + count);
  }
  const view = await look(scene, id);
  if (view.outcome === undefined) expect(await toTheEnd(scene, id)).toBe(0);
  const ended = await look(scene, id);
  expect(ended.task.outcome?.kind).toBe("merged");
  expect(states(ended)).toEqual([
    "REPO_DISCOVERY",
    "PLANNING",
    "PROVING_GROUND",
    "IMPLEMENTING",
    "VERIFYING",
    "FEEDBACK_WAIT",
    "COMPLETE",
  ]);
  expect(scene.text("src/round.js")).toBe(fixed);
  expect(scene.git("status", "--porcelain")).toBe("");
  expect(scene.git("rev-list", "--count", "main").trim()).toBe("4");
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
  expect(scene.git("worktree", "list").trim().split("\n")).toHaveLength(1);
});
