// Every invariant, held and then violated on purpose, over a real repository.
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { TaskRecord } from "../../../src/protocol/task.ts";
import { amendment } from "../../../src/work/task/machine/envelope.ts";
import { approvalDigest } from "../../../src/work/task/machine/evidence.ts";
import { holds, type InvariantName } from "../../../src/work/task/machine/invariants.ts";
import { judgeStep, table } from "../../../src/work/task/machine/machine.ts";
import { another, type Recorded, recordedTask, textAt, then } from "./record.ts";

let made: Recorded;
let touched = false;
beforeAll(async () => {
  made = await recordedTask();
});
afterEach(() => {
  if (touched) made.reset();
  touched = false;
});
afterAll(() => made.close());

const day = 24 * 60 * 60 * 1000;
type Change = (task: TaskRecord) => TaskRecord;
interface Violation {
  name: string;
  /** Of the record; or of the world, where it gives the record back. */
  by: Change;
  why: string;
  now?: number;
}

const without =
  (...keys: (keyof TaskRecord)[]): Change =>
  (task) =>
    Object.fromEntries(
      Object.entries(task).filter(([key]) => !keys.includes(key as keyof TaskRecord)),
    ) as unknown as TaskRecord;
const world =
  (change: () => void): Change =>
  (task) => {
    touched = true;
    change();
    return task;
  };
/** The base is moved by somebody else. */
const moved = world(() => made.git("commit", "--quiet", "--allow-empty", "-m", "meanwhile"));
const merged: Change = (task) => {
  const commit = made.git(
    "commit-tree",
    `${task.worktree?.head}^{tree}`,
    "-p",
    "main",
    "-p",
    task.worktree?.head ?? "",
    "-m",
    "m",
  );
  return { ...task, merge: { commit, base: task.envelope?.base.commit ?? "" }, outcome: { kind: "merged", text: "" } };
};
const amended: Change = (task) => {
  const one = amendment(task, { what: "x", paths: ["b.js"], commands: [], hosts: [], by: "me" });
  return { ...task, amendments: [{ ...one, paths: ["c.js"] }] };
};
const locksWith =
  (result: "error" | "passed" | "none"): Change =>
  (task) => ({
    ...task,
    locks: (task.locks ?? []).map((lock) => ({ ...lock, red: { ...lock.red, result } })),
  });
const ci =
  (more: Partial<NonNullable<TaskRecord["ci"]>>): Change =>
  (task) => ({
    ...task,
    ci: { provider: "local", commit: task.worktree?.head ?? "", status: "success", run: 1, ...more },
  });
const put = (name: string, text: string) => world(() => made.put(name, text));
const committed = (name: string, text: string) => world(() => made.commit(name, text));

const violations: Record<InvariantName, Violation[]> = {
  "request given": [
    { name: "nothing said", by: (task) => ({ ...task, request: { ...task.request, text: " \n" } }), why: "no request" },
  ],
  "intent classified": [{ name: "not looked at", by: without("intent"), why: "not known" }],
  "intent only asks": [{ name: "a fix", by: (task) => task, why: "more than a question" }],
  "checks rehearsed": [{ name: "never", by: without("rehearsal"), why: "were not tried" }],
  "repository mapped": [{ name: "no map", by: without("map"), why: "not looked at" }],
  "plan signed and frozen": [
    { name: "no plan", by: without("envelope"), why: "no plan" },
    { name: "no signature", by: without("planApproval"), why: "Nobody" },
    {
      name: "another plan signed",
      by: (task) => ({ ...task, planApproval: { ...task.planApproval!, digest: another } }),
      why: "Nobody",
    },
    {
      name: "a field edited",
      by: (task) => ({ ...task, envelope: { ...task.envelope!, hosts: ["x:1"] } }),
      why: "its hash",
    },
    { name: "an amendment edited", by: amended, why: "does not follow" },
    { name: "expired before it was begun", by: without("worktree"), now: then + day + 1, why: "expired" },
  ],
  "inputs unchanged": [{ name: "the base moved", by: moved, why: "main has moved" }],
  "intent needs a test": [
    {
      name: "a refactoring",
      by: (task) => ({ ...task, intent: { ...task.intent!, intent: "refactor" } }),
      why: "no new test",
    },
  ],
  "test failed by its subject": [
    { name: "no test", by: without("locks"), why: "did not fail" },
    { name: "red for another reason", by: locksWith("error"), why: "did not fail by its subject" },
    { name: "never red", by: locksWith("passed"), why: "did not fail by its subject" },
    { name: "one of them is not locked", by: (task) => ({ ...task, locks: [] }), why: "test/round.test.js did not" },
  ],
  "test there if needed": [{ name: "none", by: without("locks"), why: "no test" }],
  "test unmodified": [
    { name: "edited after locking", by: put("test/round.test.js", "1;\n"), why: "was changed" },
    { name: "deleted", by: world(() => rmSync(path.join(made.worktree, "test/round.test.js"))), why: "is gone" },
    {
      name: "one byte more",
      by: world(() => made.put("test/round.test.js", `${textAt(made.worktree, "test/round.test.js")}\n`)),
      why: "was changed",
    },
  ],
  "linter passed": [
    { name: "committed since", by: committed("src/round.js", "1;\n"), why: "has not passed" },
    { name: "nowhere", by: without("worktree"), why: "no worktree" },
  ],
  "planned files only": [
    { name: "a new file", by: put("made.txt", "1\n"), why: "made.txt is not in the plan" },
    { name: "a committed one", by: committed("src/other.js", "1;\n"), why: "src/other.js is not in the plan" },
    { name: "one that is changed", by: put("package.json", "{}\n"), why: "package.json is not in the plan" },
    { name: "several", by: world(() => (made.put("a", ""), made.put("b", ""))), why: "nor are 1 more" },
  ],
  "dependencies unchanged": [
    {
      name: "the lockfile changed",
      by: committed("package-lock.json", '{"x":1}\n'),
      why: "package-lock.json is not as it was",
    },
    { name: "a lockfile more", by: committed("yarn.lock", "x\n"), why: "yarn.lock is not as it was" },
    {
      name: "the lockfile gone",
      by: world(() => (rmSync(path.join(made.worktree, "package-lock.json")), made.commit("src/round.js", "2;\n"))),
      why: "package-lock.json is not",
    },
  ],
  "evidence complete": [
    { name: "none", by: (task) => ({ ...task, evidence: [] }), why: "Nothing shows" },
    ...["scope", "dependencies", "base", "test-lock", "unit", "integration", "ci"].map((tier) => ({
      name: `none of ${tier}`,
      by: (task: TaskRecord) => ({ ...task, evidence: (task.evidence ?? []).filter((each) => each.tier !== tier) }),
      why: `no evidence of ${tier}`,
    })),
    {
      name: "red",
      by: (task) => ({ ...task, evidence: (task.evidence ?? []).map((each) => ({ ...each, ok: false })) }),
      why: "Not shown",
    },
    { name: "of another tree", by: committed("src/round.js", "3;\n"), why: "other files than these" },
  ],
  "base unmoved": [
    { name: "moved", by: moved, why: "main has moved" },
    {
      name: "gone",
      by: world(() => (made.git("checkout", "--quiet", "--detach"), made.git("branch", "-D", "main"))),
      why: "to nothing",
    },
  ],
  "merge signed": [
    { name: "by nobody", by: without("mergeApproval"), why: "Nobody has approved" },
    { name: "a day ago", by: (task) => task, now: then + day + 1, why: "expired" },
    {
      name: "with other evidence",
      by: (task) => ({ ...task, evidence: (task.evidence ?? []).slice(1) }),
      why: "Something else",
    },
    {
      name: "with another head",
      by: (task) => ({ ...task, worktree: { ...task.worktree!, head: another } }),
      why: "Something else",
    },
    { name: "before an amendment", by: amended, why: "Something else" },
  ],
  "CI of this head": [
    { name: "not looked at", by: without("ci"), why: "not looked at" },
    { name: "red", by: ci({ status: "failure" }), why: "not green" },
    { name: "not to be learned", by: ci({ status: "unknown" }), why: "not green" },
    { name: "of an older head", by: ci({ commit: another }), why: "another commit" },
    { name: "of the head before this one", by: committed("src/round.js", "4;\n"), why: "another commit" },
  ],
  "outcome recorded": [
    { name: "none", by: (task) => task, why: "no outcome" },
    { name: "merged, but it is not in the base", by: merged, why: "does not hold the merge" },
    {
      name: "merged without a merge",
      by: (task) => ({ ...task, outcome: { kind: "merged", text: "" } }),
      why: "no merge",
    },
  ],
};

/** What is not so in a fix that waits to be merged, made so. */
const otherwise: Partial<Record<InvariantName, Change>> = {
  "intent only asks": (task) => ({ ...task, intent: { ...task.intent!, intent: "question" } }),
  "outcome recorded": (task) => {
    const after = merged(task);
    touched = true;
    made.git("update-ref", "refs/heads/main", after.merge?.commit ?? "");
    return after;
  },
};

const rows = Object.entries(violations).flatMap(([invariant, each]) =>
  each.map((violation) => [invariant as InvariantName, violation.name, violation] as const),
);

test("each is held by a task of which all is well, and the table names no other", async () => {
  const named = new Set(Object.values(table).flatMap(({ entry, exit }) => [...entry, ...exit]));
  expect(new Set(Object.keys(violations))).toEqual(named);
  for (const name of named) {
    const task = otherwise[name]?.(made.task) ?? made.task;
    expect(await holds(name, task, { repository: made.repository, now: then }), name).toBeUndefined();
  }
  // Killed between the merge and its record, the base is where this task put it.
  expect(
    await holds("base unmoved", otherwise["outcome recorded"]!(made.task), { repository: made.repository, now: then }),
  ).toBeUndefined();
});

test.each(rows)("%s: %s", async (invariant, _, { by, why, now = then }) => {
  expect(await holds(invariant, by(made.task), { repository: made.repository, now })).toContain(why);
});

test("the step to COMPLETE over a real repository: nothing is merged whose base, head or signature is another", async () => {
  const waiting = { ...made.task, state: "FEEDBACK_WAIT" as const };
  const step = (task: TaskRecord, now = then) =>
    judgeStep(task, { to: "COMPLETE", detail: "" }, (name, next) =>
      holds(name, next, { repository: made.repository, now }),
    );
  expect((await step(waiting)).to).toBe("COMPLETE");
  expect(await step(waiting, then + day + 1)).toMatchObject({
    to: "FAILED",
    detail: expect.stringContaining("merge signed"),
  });
  touched = true;
  made.commit("src/round.js", "5;\n");
  expect((await step(waiting)).detail).toContain("evidence complete");
  const head = made.git("rev-parse", `${made.task.worktree?.branch}`);
  const forged = { ...waiting, worktree: { ...waiting.worktree!, head } };
  const signature = { ...waiting.mergeApproval!, digest: approvalDigest(forged) };
  expect((await step({ ...forged, mergeApproval: signature })).to).toBe("FAILED");
  moved(waiting);
  expect((await step(waiting)).to).toMatch(/^FAILED/);
});
