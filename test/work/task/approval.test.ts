// An approval is of what was shown, from any surface, for a day; and nothing is done without evidence of every check.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Evidence } from "../../../src/protocol/evidence.ts";
import type { TaskRecord } from "../../../src/protocol/task.ts";
import { approvalDigest, missingEvidence } from "../../../src/work/task/machine/evidence.ts";
import { Repository } from "../../../src/work/task/world/git.ts";
import { holds } from "../../../src/work/task/machine/invariants.ts";
import { docsCrew, docsFiles, docsWords, plan } from "./crew.ts";
import { look, openScene, taskId } from "./tasks.ts";

test("fettle approve answers for a task that nobody works on any more, by its request or by its name", async () => {
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
