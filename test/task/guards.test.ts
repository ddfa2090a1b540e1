// What a test has to be to prove anything, secrets in planned files, and when a task is audited.
import { describe, expect, test } from "vitest";
import type { TaskRecord } from "../../src/protocol/task.ts";
import { trivial } from "../../src/work/task/states/audit.ts";
import { Plan } from "../../src/protocol/plan.ts";
import { TaskClock } from "../../src/work/task/world/clock.ts";
import { promptsDigest } from "../../src/work/task/world/crew.ts";
import { Work } from "../../src/work/task/work/work.ts";
import type { TaskWorld } from "../../src/work/task/world/world.ts";
import { fixed, nodeFiles, plan, quickCrew, quickPlan, say, test1, write } from "./crew.ts";
import { look, openScene, planned, words } from "./tasks.ts";

const head =
  'import test from "node:test";\nimport assert from "node:assert";\nimport { round } from "../src/round.js";\n';
const reds: [name: string, attempts: [text: string, told: RegExp][]][] = [
  [
    "cannot be parsed, wants a dependency that is not there, or asserts what is always true",
    [
      [`${head}test("half", () => { assert.equal(round(1.5), 2);\n`, /test\/round\.test\.js cannot be parsed/],
      [`${head}import "left-pad";\n`, /not for a reason that lies in src\/round\.js \(it cannot be read,/],
      [`${head}test("half", () => { round(1.5); assert.ok(true); });\n`, /passes already/],
    ],
  ],
  [
    "replaces its subject, is thrown out of, or passes already",
    [
      [
        `import test from "node:test";\nimport assert from "node:assert";\nconst round = () => 2;\ntest("half", () => assert.equal(round(1.5), 2));\n`,
        /passes already/,
      ],
      [
        `${head}test("half", () => { throw new Error(String(round(1.5))); });\n`,
        /not for a reason that lies in src\/round\.js \(something else was thrown\)/,
      ],
      [test1.replace(", 2)", ", 1)"), /passes already/],
    ],
  ],
];

test.each(reds)("a test proves nothing that %s", { timeout: 60_000 }, async (_, attempts) => {
  await using scene = await openScene({
    ...quickCrew,
    verifier: ({ said, visit }) =>
      said === 0 ? write("test/round.test.js", attempts[visit - 1]?.[0] ?? "") : say("Written."),
  });
  const { code, id, stderr } = await planned(scene);
  expect([code, (await look(scene, id)).task.locks]).toEqual([1, undefined]);
  for (const [, told] of attempts) expect(stderr).toMatch(told);
});

test("a secret in a planned file, also one that only the checkout holds, is no part of the plan: asked for, and mended when nobody allows it", {
  timeout: 60_000,
}, async () => {
  const token = ["ghp_", "b7Kq2Zt9XwLm4Rv8Ns3Ej6Hc1Yd5Ua0PfGi"].join("");
  const coder = ({ said }: { said: number }) =>
    [
      { ...write("src/round.js", `const token = "${token}";\n${fixed}`), say: "It needs a token." },
      write("src/round.js", `const word = "Trout-Mask-9417-Replica";\n${fixed}`),
      write("src/round.js", fixed),
    ][said] ?? say("Done.");
  await using scene = await openScene({ ...quickCrew, coder }, { ...nodeFiles, ".gitignore": "node_modules/\n.env\n" });
  scene.put(".env", "DATABASE_PASSWORD=Trout-Mask-9417-Replica\n");
  const { id, code, stderr } = await planned(scene);
  expect(stderr.split("To write what looks like a secret is not in the frozen plan").length - 1).toBe(2);
  const { task } = await look(scene, id);
  expect([code, task.state, scene.git("show", `${task.worktree?.branch}:src/round.js`)]).toEqual([
    3,
    "FEEDBACK_WAIT",
    fixed,
  ]);
});

describe("an audit is left out", () => {
  const record = (more: Partial<TaskRecord> = {}): TaskRecord => ({
    ...{ id: "t", session: "s", state: "VERIFYING", startedAt: 0, spentMs: 0 },
    request: { text: "words ".repeat(200), strict: false, outcome: "merge" },
    plan: Plan.parse(plan()),
    codings: 2,
    ...more,
  });
  const two = Plan.parse(plan({ files: [...plan().files, { path: "b.js", action: "create", intent: "more" }] }));
  const docs = { intent: "develop", confidence: 1, by: "heuristic", docsOnly: true } as const;
  test.each<[string, Partial<TaskRecord>, boolean]>([
    ["for one file besides its tests", {}, true],
    ["not when it took more than a repair", { codings: 3 }, false],
    ["not for two files", { plan: two }, false],
    ["for documents, however many", { plan: two, intent: docs }, true],
    ["not when the person has said more while it worked", { said: ["keep the name"] }, false],
    ["not when it was sent back", { sentBack: ["all tests pass: exit 1"] }, false],
    ["not when the person wanted the plan or the result otherwise", { feedback: ["no floor"], intent: docs }, false],
  ])("%s", (_, more, wanted) => expect(trivial(record(more))).toBe(wanted));
});

test("a program that is not there is named, with how to get it, before anything is approved", async () => {
  const missing = quickPlan({ run: ["frobnicate --all"], background: ["mongosh-server --port 3000"] });
  await using scene = await openScene({ ...quickCrew, architect: () => say(missing) });
  const { code, stdout } = await scene.run(["task", words]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/cannot be carried out here\. frobnicate is not installed/),
  ]);
});

test("a mission that would be told something else than at the freeze is not sent", async () => {
  const home = { session: { listen: () => () => undefined } };
  const world = { repository: "/", home } as unknown as TaskWorld;
  const clock = () => new TaskClock({ stateMs: 1000, capMs: 1000 }, 0, Date.now, () => undefined);
  const sent = (prompts: string) => {
    const envelope = { sampling: { temperature: 0, prompts }, digest: "d", plan: Plan.parse(plan()) };
    const worktree = { folder: "/", branch: "b", head: "h" };
    const task = { id: "t", state: "IMPLEMENTING", envelope, worktree } as unknown as TaskRecord;
    return new Work(world, task, clock(), AbortSignal.timeout(5_000)).send({ mission: "coder", text: "go on" });
  };
  await expect(sent("another digest")).rejects.toMatchObject({ code: "task.prompts-changed" });
  await expect(sent(promptsDigest())).rejects.toMatchObject({ code: "task.not-frozen" });
});
