// An approval is of what was shown, from any surface, for a day; and nothing is done without evidence of every check.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openClient } from "../../src/app/door/client.ts";
import type { Evidence, TaskRecord } from "../../src/protocol/task.ts";
import { approvalDigest, missingEvidence } from "../../src/work/task/machine/evidence.ts";
import { Repository } from "../../src/work/task/world/git.ts";
import { holds } from "../../src/work/task/machine/invariants.ts";
import { docsCrew, docsFiles, docsWords, plan } from "./crew.ts";
import { killedAt, look, openScene, planned, taskId } from "./tasks.ts";

test("fettle approve answers for a task that nobody works on any more, by its request or by its name", {
  timeout: 60_000,
}, async () => {
  await using scene = await openScene(docsCrew, docsFiles);
  const begun = await scene.run(["task", docsWords]);
  const id = taskId(begun.stderr);
  const rows = JSON.parse((await scene.run(["approvals", "--all", "--json"])).stdout) as {
    request: { nonce: string };
  }[];
  const nonce = rows[0]?.request.nonce ?? "";
  // Nothing is signed unseen: the base has moved, so the plan is another one, and is shown first.
  scene.git("commit", "--quiet", "--allow-empty", "-m", "meanwhile");
  const moved = await scene.run(["approve", nonce], { timeoutMs: 60_000 });
  expect([moved.code, moved.stderr]).toEqual([3, expect.stringContaining("The plan waits for an approval")]);
  expect((await look(scene, id)).state).toBe("PLANNING");
  const fresh = JSON.parse((await scene.run(["approvals", "--all", "--json"])).stdout) as typeof rows;
  const newest = fresh.map(({ request }) => request.nonce).find((each) => each !== nonce) ?? "";
  expect((await scene.run(["approve", nonce], { timeoutMs: 60_000 })).code).toBe(3);
  expect((await look(scene, id)).state).toBe("PLANNING");
  const verified = await scene.run(["approve", newest], { timeoutMs: 60_000 });
  expect([verified.code, verified.stderr]).toEqual([3, expect.stringContaining("The result waits for an approval")]);
  const merged = await scene.run(["approve", id], { timeoutMs: 60_000 });
  expect([merged.code, merged.stdout]).toEqual([0, expect.stringContaining("Merged into main")]);
});

test("without a name the newest task is meant, and said; closed while it waits, it names the command that answers", {
  timeout: 60_000,
}, async () => {
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

test("an approval that expires before it is carried out is none", { timeout: 60_000 }, async () => {
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
  expect([late.code, late.stdout, view.state]).toEqual([
    6,
    expect.stringContaining("The approval has expired before it was carried out"),
    "FAILED_BY_TIMEOUT",
  ]);
  expect(scene.git("log", "--format=%s", "main").trim()).toBe("start");
});

const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-evidence-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
    cwd: folder,
    encoding: "utf8",
  }).trim();

async function recorded(): Promise<TaskRecord> {
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(path.join(folder, "a"), "1");
  git("add", "a");
  git("commit", "--quiet", "--allow-empty", "-m", "x");
  const tree = git("rev-parse", "HEAD^{tree}");
  const fact = (tier: Evidence["tier"], claim: string, command = ""): Evidence => ({
    ...{ tier, claim, command, tree, ok: true, detail: "" },
    ...{ exit: command === "" ? null : 0, output: "0".repeat(64) },
  });
  const { acceptance } = plan();
  return {
    ...{ id: "t", session: "s", state: "FEEDBACK_WAIT", startedAt: 0, spentMs: 0 },
    request: { text: "x", strict: false, outcome: "merge" },
    plan: { ...plan(), run: [], background: [], migrate: [], seed: [], hosts: [], dependencies: [] } as never,
    worktree: { folder, branch: "b", head: git("rev-parse", "HEAD") },
    evidence: [
      ...[
        fact("scope", "only planned files differ"),
        fact("dependencies", "as they were"),
        fact("base", "where it was"),
      ],
      fact("integration", "all tests pass", "npm test"),
      ...acceptance.map(({ claim, command }) => fact("acceptance", claim, command)),
    ],
  };
}

test("evidence is complete when every check ran to its end on this very tree, and an approval is of all of it, for a day", async () => {
  const task = await recorded();
  const evidence = task.evidence ?? [];
  expect(await missingEvidence(task)).toBeUndefined();
  const changed = (at: number, more: Partial<Evidence>): TaskRecord => ({
    ...task,
    evidence: evidence.map((each, index) => (index === at ? { ...each, ...more } : each)),
  });
  const last = evidence.length - 1;
  for (const [more, why] of [
    [{ exit: 1 }, "Nothing shows: 1.5 becomes 2"],
    [{ exit: null }, "Nothing shows"],
    [{ command: "true" }, "Nothing shows"],
    [{ output: "" }, "Nothing shows"],
    [{ ok: false }, "Not shown"],
    [{ tree: "other" }, "Shown of other files"],
  ] as const)
    expect(await missingEvidence(changed(last, more))).toContain(why);
  for (let at = 0; at <= last; at += 1)
    expect(await missingEvidence({ ...task, evidence: evidence.toSpliced(at, 1) })).toBeDefined();
  const success = { provider: "github", commit: task.worktree?.head ?? "", status: "success" as const, run: 1 };
  expect(await missingEvidence({ ...task, ci: success })).toBe("There is no evidence of ci");

  const around = { repository: new Repository(folder), now: 1000 };
  const signed = (more: object): TaskRecord => ({
    ...task,
    mergeApproval: { digest: approvalDigest(task), nonce: "n", by: "local:ada", at: 0, expires: 2000, ...more },
  });
  expect(await holds("merge signed", signed({}), around)).toBeUndefined();
  expect(await holds("merge signed", signed({ expires: 999 }), around)).toBe("The approval has expired");
  expect(
    await holds(
      "merge signed",
      { ...changed(0, { claim: "x" }), mergeApproval: signed({}).mergeApproval as never },
      around,
    ),
  ).toBe("Something else was approved");
  const other = { ...signed({}), worktree: { folder, branch: "b", head: "0".repeat(40) } };
  expect(await holds("merge signed", other, around)).toBe("Something else was approved");
});
