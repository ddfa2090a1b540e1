// A recorded task decided again: each kind of difference is found, whatever was edited where.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TaskRecord, Transition } from "../../../src/protocol/task.ts";
import { patchDigest, replayTask } from "../../../src/work/task/replay.ts";
import { plan } from "./crew.ts";
import { another, type Recorded, recordedTask } from "./record.ts";

let made: Recorded;
beforeAll(async () => {
  made = await recordedTask();
});
afterAll(() => made.close());

const notedOf = (transitions: readonly Transition[]) =>
  transitions.map(({ from, to, patch }) => ({ from, to, patch: patchDigest(patch) }));

interface Edit {
  transitions?: Transition[];
  task?: Partial<TaskRecord>;
  plans?: unknown[];
  noted?: ReturnType<typeof notedOf>;
}

const replay = ({ transitions = made.transitions, task, plans = [{ not: "a plan" }, plan()], noted }: Edit) =>
  replayTask(made.repository, {
    task: { ...made.folded(transitions), ...task },
    transitions,
    plans,
    noted: noted ?? notedOf(made.transitions),
  });
const kinds = async (edit: Edit) => [...new Set((await replay(edit)).map(({ about }) => about))];

/** One transition with another patch, as an edit of the database would leave it. */
const edited = (to: string, change: (patch: Transition["patch"]) => Transition["patch"]): Transition[] =>
  made.transitions.map((each) => (each.to === to && each.from !== to ? { ...each, patch: change(each.patch) } : each));

test("as it was recorded, nothing differs; what the ledger noted and was cut off before it was stored does not count", async () => {
  expect(await replay({})).toEqual([]);
  const noted = notedOf(made.transitions);
  expect(await replay({ noted: [...noted.slice(0, 3), ...noted.slice(2, 3), ...noted.slice(3)] })).toEqual([]);
});

test("inputs: the request, the base, the map and the lockfiles have to be the same to the last bit", async () => {
  const request = { ...made.task.request, text: `${made.task.request.text} ` };
  expect(await replay({ task: { request } })).toMatchObject([{ about: "inputs", what: "request" }]);
  const envelope = made.task.envelope as NonNullable<TaskRecord["envelope"]>;
  const changes: [string, typeof envelope][] = [
    ["repository map", { ...envelope, inputs: { ...envelope.inputs, map: another } }],
    ["base tree", { ...envelope, inputs: { ...envelope.inputs, tree: another } }],
    ["toolchain", { ...envelope, toolchain: [{ name: "node", version: "v20" }] }],
    ["lockfiles", { ...envelope, lockfiles: [] }],
    ["base commit", { ...envelope, base: { ...envelope.base, commit: "0".repeat(40) } }],
  ];
  for (const [what, changed] of changes)
    expect(await replay({ task: { envelope: changed } })).toContainEqual(
      expect.objectContaining({ about: "inputs", what }),
    );
});

test("plan: what was frozen is what the model planned, and is what its hash says", async () => {
  expect(await replay({ plans: [plan({ summary: "Another" })] })).toMatchObject([
    { about: "plan", what: "what the model planned" },
  ]);
  expect(await replay({ plans: [] })).toMatchObject([{ about: "plan", is: "none" }]);
  const envelope = { ...(made.task.envelope as NonNullable<TaskRecord["envelope"]>), hosts: ["x:1"] };
  expect(await replay({ task: { envelope } })).toMatchObject([
    { about: "plan", is: "The plan is not what its hash says." },
  ]);
});

test("results: evidence that was edited is found by the approval of it, and by the ledger where nobody has approved", async () => {
  const softened = edited("FEEDBACK_WAIT", ({ evidence = [], ...rest }) => ({
    ...rest,
    evidence: evidence.map((each) => ({ ...each, detail: "looked fine" })),
  }));
  expect(await kinds({ transitions: softened })).toEqual(["results", "decisions"]);
  const open = softened.filter(({ to }) => to !== "COMPLETE");
  expect(await replay({ transitions: open })).toMatchObject([
    { about: "results", what: expect.stringContaining("FEEDBACK_WAIT") },
  ]);
  const elsewhere = edited("FEEDBACK_WAIT", (patch) => ({
    ...patch,
    evidence: (patch.evidence ?? []).map((each) => ({ ...each, tree: another })),
  }));
  expect(await replay({ transitions: elsewhere })).toContainEqual(
    expect.objectContaining({ about: "results", what: "only planned files differ", was: another }),
  );
  const merge = { commit: made.git("rev-parse", "main"), base: "" };
  expect(await replay({ task: { merge, outcome: { kind: "merged", text: "" } } })).toContainEqual(
    expect.objectContaining({ about: "results", what: "merged tree" }),
  );
});

test("decisions: a step that the machine would not take, an intent that is read otherwise, a record without its ledger", async () => {
  const skipped = made.transitions.filter(({ to }) => to !== "VERIFYING");
  expect((await replay({ transitions: skipped }))[0]).toMatchObject({
    about: "decisions",
    was: "VERIFYING -> FEEDBACK_WAIT",
  });
  const unlocked = edited("IMPLEMENTING", ({ locks = [], ...rest }) => ({
    ...rest,
    locks: locks.map((lock) => ({ ...lock, red: { ...lock.red, result: "error" as const } })),
  }));
  expect(await replay({ transitions: unlocked, noted: notedOf(unlocked) })).toMatchObject([
    { about: "decisions", was: "IMPLEMENTING", is: expect.stringContaining("test failed by its subject") },
  ]);
  const late = made.transitions.map((each) => (each.to === "COMPLETE" ? { ...each, at: each.at + 90_000_000 } : each));
  expect(await replay({ transitions: late })).toMatchObject([
    { about: "decisions", is: expect.stringContaining("expired") },
  ]);
  const intent = edited("REPO_DISCOVERY", (patch) => ({
    ...patch,
    intent: { intent: "refactor", confidence: 1, by: "heuristic", docsOnly: false },
  }));
  expect(await replay({ transitions: intent, noted: notedOf(intent) })).toContainEqual(
    expect.objectContaining({ about: "decisions", what: "intent", is: "fix (95 %)" }),
  );
  expect(await replay({ noted: [] })).toMatchObject([{ about: "decisions", was: "none in the ledger" }]);
});
