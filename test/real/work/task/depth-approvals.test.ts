// What a task does besides its states: amendments, borrowed dependencies, hooks, the audit, the replay, another language.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Database } from "../../../../src/io/store/database.ts";
import { projectMigrations } from "../../../../src/io/store/schema.ts";
import type { ApprovalRow } from "../../../../src/protocol/query.ts";
import { begun, type Scene } from "../../../scenarios/scene.ts";
import { goodCrew, quickCrew } from "../../../work/task/crew.ts";
import { approve, openScene, planned, words } from "../../../work/task/tasks.ts";

const open = async (scene: Scene, kind: string): Promise<string> => {
  for (let tries = 0; tries < 800; tries += 1) {
    const wanted = ({ state, request }: ApprovalRow) => state === "open" && (request.kind ?? "tool") === kind;
    if (begun(scene) && (await scene.read("approvals.list", {})).some(wanted)) {
      const row = (JSON.parse((await scene.run(["approvals", "--json"])).stdout) as ApprovalRow[]).find(wanted);
      if (row) return row.request.nonce;
    }
    await sleep(50);
  }
  throw new Error(`nothing of the kind ${kind} was asked`);
};

test("a merge of somebody else's choosing: answered from another terminal while the task waits", async () => {
  await using scene = await openScene(quickCrew);
  const run = await scene.start(["task", "--wait-approvals=60", words]);
  await open(scene, "plan");
  const [row] = JSON.parse((await scene.run(["task", "list", "--json"])).stdout) as { id: string; running: boolean }[];
  expect(row?.running).toBe(true);
  expect((await scene.run(["task", "resume", row?.id ?? ""])).code).toBe(2);
  expect((await approve(scene, row?.id ?? "")).code).toBe(0);
  await open(scene, "merge");
  expect((await scene.run(["task", "reject", row?.id ?? "", "--why", "not today"])).code).toBe(0);
  // It is planned anew, which would wait for an answer as long.
  await open(scene, "plan");
  run.signal("SIGTERM");
  expect((await run.exited).code).toBe(143);
  const watched = await scene.run(["task", "watch", row?.id ?? ""]);
  expect([watched.code, watched.stdout]).toEqual([3, expect.stringContaining("not today")]);
});

test("a task that is asked to end says what is kept and how to go on", async () => {
  await using scene = await openScene(quickCrew);
  const run = await scene.start(["task", "--wait-approvals=60", words]);
  await open(scene, "plan");
  run.signal("SIGTERM");
  const { code, stderr } = await run.exited;
  expect([code, stderr]).toEqual([143, expect.stringMatching(/kept\. Go on with it: fettle task resume \S+\n$/)]);
});

test("at autonomy 0 nothing that is planned is asked again; replayed, a task is decided as it was, unless it was changed", async () => {
  await using scene = await openScene(goodCrew);
  await scene.run(["config", "set", "autonomy.level", "0"]);
  const { id, code, stderr } = await planned(scene);
  expect([code, stderr.match(/why asked/g)?.length]).toEqual([3, 2]);
  await approve(scene, id);
  const same = await scene.run(["task", "replay", id]);
  expect([same.stdout, same.code]).toEqual([expect.stringContaining("everything as it was"), 0]);
  const database = new Database(path.join(scene.state(), "state.db"), projectMigrations);
  database.run(`update task set request = json_set(request, '$.text', 'delete everything')`);
  database.close();
  const changed = await scene.run(["task", "replay", id, "--json"]);
  const { differences } = JSON.parse(changed.stdout) as { differences: { about: string; what: string }[] };
  expect(differences).toMatchObject([
    { about: "decisions", what: "intent" },
    { about: "inputs", what: "request" },
  ]);
  expect(changed.code).toBe(1);
});
