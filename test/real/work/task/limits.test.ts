// A limit that is reached ends no task: it keeps what it has, asks, and goes on where it was cut off.
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { configure, configurePriced } from "../../../scenarios/scene.ts";
import { docsCrew, docsFiles, docsWords, say, write } from "../../../work/task/crew.ts";
import { approve, look, openScene, planned } from "../../../work/task/tasks.ts";

const dear = { input: 100, output: 5_600 };

test("money that is gone: the task asks, is listed, goes on with more where it was cut off", async () => {
  const heard: string[] = [];
  await using scene = await openScene(
    {
      ...docsCrew,
      coder({ users, said }) {
        heard.push(users.join("\n"));
        if (users.some((text) => text.includes("had cut you off"))) return say("Done.");
        return said === 0 ? { ...write("README.md", "# sample\n\nIt does round.\n"), usage: dear } : say("too far");
      },
    },
    docsFiles,
  );
  configurePriced(scene, "[budget]\ntask_limit_usd = 0.06\n");
  const { id, code, stderr } = await planned(scene, [], docsWords);
  expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
    3,
    expect.stringMatching(/the task's limit .* Say how many US dollars more this task may cost.* fettle task answer/),
  ]);
  const { task, asks = "" } = await look(scene, id);
  expect([task.state, asks]).toEqual(["IMPLEMENTING", expect.stringContaining("budget.task_limit_usd")]);
  const waits = JSON.parse((await scene.run(["approvals", "--json"])).stdout);
  expect(waits).toEqual([
    expect.objectContaining({ task: id, awaits: "question", text: asks, answer: `fettle task answer ${id} "…"` }),
  ]);
  const calls = scene.server.requests.length;
  // Tried again, and answered with nothing that helps: the same question, and no model is paid.
  expect((await scene.run(["task", "resume", id])).code).toBe(3);
  const unclear = await scene.run(["task", "answer", id, "hm"]);
  expect([unclear.code, unclear.stderr]).toEqual([3, expect.stringContaining("“hm” is none of these")]);
  expect([scene.server.requests.length, existsSync(path.join(task.worktree?.folder ?? "", "README.md"))]).toEqual([
    ...[calls, true],
  ]);
  const more = await scene.run(["task", "answer", id, "$0.50"]);
  expect([more.code, more.stderr]).toEqual([3, expect.stringContaining("The result waits for an approval")]);
  // It had written before it was cut off, and did not begin anew.
  expect([heard.length, heard.at(-1)]).toEqual([2, expect.stringContaining("Carry out this plan.")]);
  expect((await approve(scene, id)).stdout).toContain("Merged");
  expect(scene.text("README.md")).toContain("round");
  expect((await scene.run(["task", "replay", id])).stdout).toContain("everything as it was");
});

test("money that is gone while it plans: no answer lifts what a policy limits; abandoning ends it", async () => {
  await using scene = await openScene(
    {
      ...docsCrew,
      architect: () => ({ calls: [{ name: "read", input: { path: "README.md" } }], usage: dear }),
    },
    docsFiles,
  );
  configurePriced(scene);
  configure(scene, "[policy]\nsession_limit_usd = 0.06\n", "policy.toml");
  const { code, stderr } = await scene.run(["task", docsWords]);
  const id = /fettle task answer (\w+)/.exec(stderr)?.[1] ?? "";
  expect([code, (await look(scene, id)).state]).toEqual([3, "PLANNING"]);
  const calls = scene.server.requests.length;
  expect((await scene.run(["task", "answer", id, "5 dollars more"])).code).toBe(3);
  expect(scene.server.requests.length).toBe(calls);
  const ended = await scene.run(["task", "answer", id, "abandon the task"]);
  expect([ended.code, (await look(scene, id)).state]).toEqual([130, "FAILED_BY_INTERRUPT"]);
});
