// Planning as a person meets it: suspicious packages, rounds of changes, questions, and missions that cannot write.
import path from "node:path";
import { expect, test } from "vitest";
import { Database } from "../../../../src/io/store/database.ts";
import { projectMigrations } from "../../../../src/io/store/schema.ts";
import { approvalDigest } from "../../../../src/work/task/machine/evidence.ts";
import { call } from "../../../scenarios/scene.ts";
import { nodeFiles, quickCrew, quickPlan, say, write, added } from "../../../work/task/crew.ts";
import { look, openScene, planned, taskId, words } from "../../../work/task/tasks.ts";

test("a suspicious package: a second opinion is had, both are shown, and neither clears it; a dangerous one is never approved", async () => {
  await using scene = await openScene({
    ...quickCrew,
    architect: () => say(added("expresss")),
    reviewer: () => say({ opinions: [{ name: "expresss", verdict: "SAFE", reason: "surely it is meant" }] }),
  });
  const begun = await scene.run(["task", words]);
  expect([begun.code, begun.stderr]).toEqual([3, expect.stringMatching(/resembles the well-known express\b/)]);
  expect(begun.stderr).toMatch(/second opinion SAFE: surely it is meant/);
  const { task } = await look(scene, taskId(begun.stderr));
  expect(task.envelope?.flagged).toMatchObject([{ name: "expresss", opinion: { verdict: "SAFE" } }]);
  await using other = await openScene({
    ...quickCrew,
    architect: ({ prompt }) => say(/did not fit/.test(prompt) ? quickPlan() : added("expresss")),
    reviewer: () => say({ opinions: [{ name: "expresss", verdict: "DANGEROUS", reason: "it steals tokens" }] }),
  });
  const again = await other.run(["task", words]);
  expect([again.code, again.stderr]).toEqual([
    3,
    expect.stringContaining("the reviewer calls it dangerous: it steals tokens"),
  ]);
  expect((await look(other, taskId(again.stderr))).task.plan?.dependencies).toEqual([]);
});

test("missions before the freeze cannot write, whatever the model tries; a question about fettle is answered from its guide", async () => {
  const reads = call("read", { path: "src/round.js" });
  const tries = [
    write("src/round.js", "spoilt"),
    { calls: [call("shell", { command: "echo spoilt > src/round.js" }), reads] },
    { calls: [call("edit", { path: "src/round.js", edits: [{ old: "floor", new: "ceil" }] })] },
    { calls: [call("git", { args: ["commit", "--allow-empty", "-m", "x"] })] },
  ];
  let guided = "";
  await using scene = await openScene({
    ...quickCrew,
    explorer({ said, prompt }) {
      guided = prompt;
      return tries[said] ?? say("By a state machine.");
    },
    architect: ({ said }) => tries[said] ?? say(quickPlan()),
  });
  const meta = await scene.run(["task", "what can fettle do in a task?"]);
  expect([meta.code, meta.stdout]).toEqual([0, expect.stringContaining("By a state machine.")]);
  expect(guided).toMatch(/task\.max_files 50[\s\S]*from words to a merged commit/);
  expect((await scene.run(["task", words])).code).toBe(3);
  expect([
    scene.text("src/round.js"),
    scene.git("log", "--format=%s").trim(),
    scene.git("status", "--porcelain"),
  ]).toEqual([...[nodeFiles["src/round.js"], "start", ""]]);
});

test("the envelope is borne out by the signed receipt in the ledger; a forged signature merges nothing", async () => {
  await using scene = await openScene(quickCrew);
  const { id } = await planned(scene);
  const shown = await scene.run(["task", "show", id, "--json"]);
  const view = JSON.parse(shown.stdout) as Awaited<ReturnType<typeof look>>;
  expect(view.signatures?.plan).toMatchObject({ ok: true, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const receipts = (await scene.run(["audit", "query", "approval.receipt", "--json"])).stdout;
  expect(receipts).toContain(`"envelope":"${view.task.envelope?.digest}"`);
  expect((await scene.run(["task", "show", id])).stdout).toMatch(/signed receipt in\s+entry \d+/);
  expect(view.task.envelope?.toolchain.map(({ name }) => name)).toContain("node");
  // Somebody writes into the database that the result is approved, with the receipt of the plan.
  const mergeApproval = { ...view.task.planApproval, digest: approvalDigest(view.task) };
  const database = new Database(path.join(scene.state(), "state.db"), projectMigrations);
  database.run(
    "insert into task_transition (task, seq, from_state, to_state, at, patch) values (?, ?, ?, ?, ?, ?)",
    ...[id, view.transitions.length + 1, "FEEDBACK_WAIT", "COMPLETE", Date.now(), JSON.stringify({ mergeApproval })],
  );
  database.run("update task set state = 'COMPLETE'");
  database.close();
  const forged = await scene.run(["task", "resume", id]);
  expect([forged.code, forged.stderr]).toEqual([3, expect.stringContaining("The result waits for an approval")]);
  expect(forged.stderr).toContain("is of something else");
  expect(scene.git("log", "--format=%s", "main").trim()).toBe("start");
});
