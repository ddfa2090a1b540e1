// A task and its remote: freshness, the CI of GitHub, pull requests, issues by address. Everything is on this machine.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ForgeServer, forgeToken, startForge } from "../../../support/forge-server.ts";
import { quickCrew } from "../../../work/task/crew.ts";
import { look, openScene, planned } from "../../../work/task/tasks.ts";
import { withForge, bare, env } from "../../../work/task/forge-scene.ts";

let forge: ForgeServer;
beforeAll(async () => {
  forge = await startForge();
});
afterAll(() => forge.close());

test("--pr: the approved branch is pushed and proposed, with what shows it; killed there, the same request is found again", {
  timeout: 120_000,
}, async () => {
  await using scene = await openScene(quickCrew);
  await withForge(scene, forge);
  const { id, code, stderr } = await planned(scene, ["--pr"]);
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/opens a pull request into\s+(?:│ )?main of\s+(?:│ )?octo\/sample/),
  ]);
  expect(bare(forge, "branch", "--list", "fettle/*")).toBe("");
  // Killed when the pull request is there, and before anybody knows.
  const killed = await scene.start(["task", "approve", id], { env });
  forge.made = () => killed.signal("SIGKILL");
  await killed.exited;
  delete forge.made;
  const ended = await scene.run(["task", "resume", id], { env, timeoutMs: 60_000 });
  expect([ended.code, ended.stdout]).toEqual([0, `Brought up to date: ${forge.url}/octo/sample/pull/1\n`]);
  const { task } = await look(scene, id);
  const branch = task.worktree?.branch ?? "";
  expect(task.outcome).toMatchObject({ kind: "proposed", url: `${forge.url}/octo/sample/pull/1` });
  expect(bare(forge, "rev-parse", branch)).toBe(task.worktree?.head);
  expect(scene.git("rev-parse", "main").trim()).toBe(task.envelope?.base.commit);
  const [pull, ...more] = forge.pulls;
  expect(more).toEqual([]);
  expect([pull?.title, pull?.head.ref, pull?.base.ref]).toEqual(["Round halves up", branch, "main"]);
  expect(pull?.body).toContain("1.5 becomes 2");
  expect(pull?.body).toMatch(/`node --test (?:--test-reporter=tap )?test\/round\.test\.js`/);
  expect(pull?.body).toContain(task.envelope?.digest);
  // What has the token is fettle's own client, and nothing that is kept or shown.
  const carrying = forge.requests.filter(({ authorization }) => authorization !== undefined);
  expect(carrying.length).toBeGreaterThan(3);
  const exported = await scene.run(["sessions", "export", task.session]);
  const record = (await scene.run(["audit", "query", "--json"])).stdout;
  expect(`${exported.stdout}${record}${ended.stderr}${ended.stdout}`).not.toContain(forgeToken);
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
});
