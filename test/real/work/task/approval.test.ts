// Answers to tasks by name, while it waits, and too late.
import { chmodSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openClient } from "../../../../src/app/door/client.ts";
import { docsCrew, docsFiles, docsWords } from "../../../work/task/crew.ts";
import { killedAt, look, openScene, planned, taskId } from "../../../work/task/tasks.ts";

test("without a name the newest task is meant, and said; closed while it waits, it names the command that answers", async () => {
  await using scene = await openScene(docsCrew, docsFiles);
  expect(await scene.run(["task", "show"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is no task"),
  });
  const id = taskId((await scene.run(["task", docsWords])).stderr);
  const shown = await scene.run(["task", "show"]);
  expect(shown).toMatchObject({ code: 0, stderr: `Task ${id}: ${docsWords}\n`, stdout: expect.stringContaining(id) });
  const session = (await look(scene, id)).session;
  const titled = JSON.parse((await scene.run(["sessions", "show", session, "--json"])).stdout) as { title: string };
  expect(titled.title).toBe(docsWords);
  const waits = await scene.start(["task", "resume", "--wait-approvals"]);
  await expect.poll(async () => (await look(scene, id)).waiting?.kind, { timeout: 20_000, interval: 50 }).toBe("plan");
  waits.signal("SIGTERM");
  expect((await waits.exited).stderr).toContain(`Closed while it waits for an approval: fettle task approve ${id}`);
  // What it does not wait for is refused before anything is taken: it stands as it stood.
  const client = openClient({ cwd: scene.folder, headless: true }, scene.home.env, "0.0.0");
  const said = client.send({ type: "task.resume", task: id, said: "the second one" });
  await expect(said).rejects.toMatchObject({ code: "task.not-asking" });
  expect(await client.read("task.list", { limit: 1 })).toMatchObject([{ id, running: false }]);
  await client.close();
  await scene.run(["task", "cancel", id]);
  const over = await scene.run(["task", "resume"]);
  expect([over.code, over.stderr]).toEqual([2, expect.stringContaining("No task can be gone on with")]);
});

test("an approval that expires before it is carried out is none, and is asked for again", async () => {
  await using scene = await openScene(docsCrew, docsFiles);
  // Between the approval and the merge there is time to be killed in.
  scene.put(".git/hooks/pre-merge-commit", "#!/bin/sh\nsleep 20\n");
  chmodSync(scene.at(".git/hooks/pre-merge-commit"), 0o755);
  const { id } = await planned(scene, [], docsWords);
  await scene.run(["config", "set", "approval.long_timeout_secs", "1"]);
  const before = (await look(scene, id)).transitions.length;
  await killedAt(scene, await scene.start(["task", "approve", id]), before + 1);
  await sleep(1_100);
  const late = await scene.run(["task", "resume", id], { timeoutMs: 60_000 });
  const view = await look(scene, id);
  expect([late.code, late.stderr, view.state]).toEqual([
    3,
    expect.stringContaining("The approval has expired before it was carried out"),
    "FEEDBACK_WAIT",
  ]);
  expect(scene.git("log", "--format=%s", "main").trim()).toBe("start");
});
