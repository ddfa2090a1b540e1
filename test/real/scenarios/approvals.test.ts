// Approvals from elsewhere: denials, waiting, kills, quorums.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { ModelServerRequest } from "../../support/model-server.ts";
import { eventsOf, makeScene, resultsOf, resultText, shell, those } from "../../scenarios/scene.ts";
import { files, open, rows, waiting, setUp } from "../../scenarios/waiting.ts";

test("a denial from elsewhere reaches the model with its reason; without one it is no denial", async () => {
  await using scene = await open();
  const { run, id } = await waiting(scene);
  expect(await scene.run(["deny", id])).toMatchObject({ code: 2, stderr: expect.stringContaining("--why") });
  expect((await scene.run(["deny", id, "--why", "use the trash"])).code).toBe(0);
  const { code, stdout } = await run.exited;
  expect([code, scene.text("a.txt")]).toEqual([0, "x\n"]);
  expect(resultText(eventsOf(stdout), those(eventsOf(stdout), "call.ended")[0]?.call ?? "")).toContain("use the trash");
  expect(resultsOf(scene.server.requests[1] as never)[0]?.text).toContain("use the trash");
});

test("headless waits only when it is told to, and never longer than that", async () => {
  await using scene = await open();
  const { code, events } = await scene.tell(["--wait-approvals=1", "remove it"]);
  expect(code).toBe(3);
  expect(those(events, "approval.answered")[0]?.outcome).toEqual({ kind: "expired" });
  const text = resultText(events, those(events, "call.ended")[0]?.call ?? "");
  expect(text).toContain("Nobody answered within");
  expect(text).not.toContain("refused");
  const alone = await scene.tell(["again"]);
  expect(alone.code).toBe(3);
  expect(those(alone.events, "approval.answered")[0]?.outcome).toEqual({ kind: "unanswered", why: "headless" });
  expect((await scene.run(["--wait-approvals=never", "-p", "x"])).stderr).toContain("whole number of seconds");
});

test("killed while it waits: the old request is expired, nothing ran, going on asks under a new nonce", async () => {
  const lost = (request: ModelServerRequest) => resultsOf(request).every(({ text }) => text.startsWith("Not run"));
  const step = shell("rm a.txt");
  const script = (request: ModelServerRequest) => (lost(request) ? { calls: [step] } : { say: "ok" });
  const env = { FETTLE_SANDBOX_CONTAINMENT: "off" };
  await using scene = await makeScene(script, { git: true, files, env });
  const { run, id } = await waiting(scene);
  run.signal("SIGKILL");
  await run.exited;
  expect((await rows(scene)).map(({ state }) => state)).toEqual(["orphaned"]);
  const late = await scene.run(["approve", id]);
  expect(late).toMatchObject({ code: 2, stderr: expect.stringContaining("has expired: the run that asked has ended") });
  scene.server.requests.length = 0;
  const again = await waiting(scene, "--continue");
  expect(again.id).not.toBe(id);
  expect(scene.text("a.txt")).toBe("x\n");
  expect((await scene.run(["approve", id])).stderr).toContain("This request has expired.");
  expect((await scene.run(["approve", again.id])).code).toBe(0);
  await again.run.exited;
  const told = those(eventsOf(again.run.stdout()), "approval.answered");
  expect(told.map(({ outcome }) => outcome)).toEqual([
    { kind: "unanswered", why: "restarted" },
    expect.objectContaining({ kind: "approve" }),
  ]);
});

test("a quorum, four eyes and a role that is too low, from the configuration", async () => {
  await using scene = await open();
  await setUp(
    scene,
    ["identity", "add", "bob", "--approver", "architect"],
    ["identity", "add", "token:ci", "--approver", "admin"],
    ["identity", "add", "junior"],
    ["config", "set", "approval.quorum", "2"],
    ["config", "set", "approval.four_eyes", "true"],
  );
  const { run, id } = await waiting(scene);
  expect((await scene.run(["approve", id])).stderr).toContain("approval.four_eyes demands that somebody else approves");
  const junior = await scene.run(["approve", id, "--as", "junior"]);
  expect([junior.code, junior.stderr]).toEqual([2, expect.stringContaining("local:junior answers as a developer")]);
  expect((await scene.run(["approve", id, "--as", "nobody"])).stderr).toContain(
    "There is no identity local:nobody here.",
  );
  expect((await scene.run(["approve", id, "--as", "bob"])).stdout).toContain("1 of 2, 1 more needed");
  expect((await scene.run(["approve", id, "--as", "bob"])).stderr).toContain("has approved this already");
  expect(existsSync(scene.at("a.txt"))).toBe(true);
  expect((await scene.run(["approve", id, "--as", "token:ci"])).stdout).toContain("is approved");
  expect((await run.exited).code).toBe(0);
  expect(existsSync(scene.at("a.txt"))).toBe(false);
  const list = JSON.parse((await scene.run(["identity", "list", "--json"])).stdout) as { name: string }[];
  expect(list.map(({ name }) => name)).toEqual([expect.any(String), "local:bob", "local:junior", "token:ci"]);
});
