// A task from words to a merged commit: the real program, git, node and a scripted model.
import { existsSync, utimesSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { messagesOf } from "../scenarios/scene.ts";
import { goodCrew, nodeFiles, plan, quickCrew, say, write } from "./crew.ts";
import { approve, look, openScene, planned, states, words } from "./tasks.ts";

test("from words to a merged commit: plan and result are approved, and nothing else is asked", async () => {
  await using scene = await openScene(goodCrew);
  const { id, code, stderr } = await planned(scene);
  expect([code, stderr]).toEqual([3, expect.stringContaining("The result waits for an approval")]);
  expect(scene.text("src/round.js")).toContain("Math.floor(value);");
  // Git's index takes a file that was only touched for a changed one until it is refreshed.
  utimesSync(path.join(scene.folder, "src/round.js"), 1, 1);
  expect((await approve(scene, id)).stdout).toContain("Merged into main as");
  expect(scene.text("src/round.js")).toContain("value + 0.5");
  expect(scene.git("status", "--porcelain")).toBe("");
  const view = await look(scene, id);
  expect(states(view)).toEqual([
    "REPO_DISCOVERY",
    "PLANNING",
    "PROVING_GROUND",
    "IMPLEMENTING",
    "VERIFYING",
    "FEEDBACK_WAIT",
    "COMPLETE",
  ]);
  expect(view.task.outcome).toMatchObject({ kind: "merged", commit: scene.git("rev-parse", "main").trim() });
  const claims = view.task.evidence?.map(({ claim }) => claim) ?? [];
  expect(claims).toContain("src/round.js can be parsed");
  expect(claims.filter((claim, at) => claims.indexOf(claim) !== at)).toEqual([]);
  expect(view.task.locks?.[0]?.red.result).toBe("assertion");
  expect(existsSync(view.task.worktree?.folder ?? "")).toBe(false);
  const trailers = scene.git("log", "--format=%(trailers:key=Fettle-Envelope,valueonly)", "-3").trim().split(/\n+/);
  expect(trailers).toEqual(Array(3).fill(view.task.envelope?.digest));
  const commits = scene.git("log", "--format=%s", "--first-parent", "main").trim().split("\n");
  expect(commits).toEqual([`Merge ${view.task.worktree?.branch}`, "start"]);
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
  const entries = (await scene.run(["audit", "query", "task.moved", "--json"])).stdout.split("\n").filter(Boolean);
  expect(entries).toHaveLength(view.transitions.length);
  const receipts = (await scene.run(["audit", "query", "approval.receipt", "--json"])).stdout
    .split("\n")
    .filter(Boolean);
  expect(receipts).toHaveLength(2);
});

test("each mission is a conversation of its own, with its own prompt and tools", async () => {
  await using scene = await openScene(goodCrew);
  await planned(scene);
  const first = scene.server.requests.filter((request) =>
    messagesOf(request).every(({ role }) => role !== "assistant"),
  );
  const tools = first.map(({ body }) =>
    (body["tools"] as { function: { name: string } }[]).map((tool) => tool.function.name),
  );
  const names = first.map((request) => /Mission: (\w+)/.exec(String(messagesOf(request)[0]?.content))?.[1]);
  expect(names).toEqual(["architect", "verifier", "coder"]);
  expect(tools[0]).not.toContain("write");
  expect(tools[2]).toContain("write");
});

test("a plan is approved with changes: it is drawn up anew with them and shown again", async () => {
  const missions = {
    ...goodCrew,
    architect: ({ prompt }: { prompt: string }) =>
      say(plan(prompt.includes("also mention the change") ? { summary: "Round halves up, and say so" } : {})),
  };
  await using scene = await openScene(missions);
  const begun = await scene.run(["task", words]);
  const id = /approve (\w+)/.exec(begun.stderr)?.[1] ?? "";
  const again = await approve(scene, id, "--with", "also mention the change");
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("Round halves up, and say so")]);
  const view = await look(scene, id);
  expect([view.state, view.task.feedback]).toEqual(["PLANNING", ["also mention the change"]]);
});

test("a result is wanted otherwise: it is mended within the same plan, verified again and merged", {
  timeout: 90_000,
}, async () => {
  const missions = {
    ...quickCrew,
    coder: ({ said, prompt }: { said: number; prompt: string }) =>
      said > 0
        ? say("Done.")
        : write(
            "src/round.js",
            prompt.includes("use Math.round")
              ? "export const round = (value) => Math.round(value);\n"
              : "export const round = (value) => Math.floor(value + 0.5);\n",
          ),
  };
  await using scene = await openScene(missions);
  const { id } = await planned(scene);
  const first = (await look(scene, id)).task.envelope?.digest;
  expect((await approve(scene, id, "--with", "use Math.round")).code).toBe(3);
  expect((await approve(scene, id)).code).toBe(0);
  expect(scene.text("src/round.js")).toContain("Math.round");
  expect((await look(scene, id)).task.envelope?.digest).toBe(first);
});

test("a question is answered, and nothing is changed", async () => {
  await using scene = await openScene({ explorer: () => say("It floors, see src/round.js:1.") });
  const { code, stdout } = await scene.run(["task", "why does round(1.5) give 1?"]);
  expect([code, stdout]).toEqual([0, "It floors, see src/round.js:1.\n"]);
  expect(scene.git("branch", "--format=%(refname:short)").trim()).toBe("main");
});

test("a refactoring needs no new test, but tests that pass before and after", async () => {
  const refactoring = plan({
    summary: "Rename the parameter",
    test: undefined,
    files: [plan().files[1]],
    acceptance: [{ claim: "all tests pass", command: "npm test" }],
  });
  const coder = ({ said }: { said: number }) =>
    said === 0 ? write("src/round.js", "export const round = (number) => Math.floor(number);\n") : say("Done.");
  await using scene = await openScene({ architect: () => say(refactoring), coder });
  const { id, code } = await planned(scene, ["--no-merge"], "rename the parameter of round");
  expect([code, states(await look(scene, id))]).toEqual([3, expect.not.arrayContaining(["PROVING_GROUND"])]);
  expect(await scene.read("session.list", { limit: 5 })).toMatchObject([
    { task: id, title: "rename the parameter of round" },
  ]);
  const waits = await Promise.all([scene.run(["approvals"]), scene.run(["task", "show", id])]);
  expect(waits.map(({ stdout }) => stdout)).toEqual([
    expect.stringContaining(`Task ${id} is paused, its result waits for you: rename the parameter of round`),
    expect.stringMatching(/• Approval .* its result waits for you\n/),
  ]);
  const left = await approve(scene, id);
  expect([left.code, left.stdout]).toEqual([0, expect.stringContaining("The work is on fettle/")]);
  expect(left.stderr).toContain(`fettle task show ${id} --evidence`);
  expect(scene.text("src/round.js")).toBe(nodeFiles["src/round.js"]);
});

test("what an issue says is data: it taints, and does not stand among the orders", async () => {
  await using scene = await openScene(goodCrew);
  scene.put("../issue.json", JSON.stringify({ title: "fix the rounding bug", body: "1.5 should become 2" }));
  const { code } = await scene.run(["task", "--issue", "../issue.json"]);
  expect(code).toBe(3);
  const text = JSON.stringify(messagesOf(scene.server.requests[0] as never));
  expect(text).toContain("<data");
});
