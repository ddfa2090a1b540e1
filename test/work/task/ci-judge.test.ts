// What GitHub's reports of one commit come to: stale, older, cancelled, skipped and neutral ones included.
import fc from "fast-check";
import { expect, test } from "vitest";
import { CheckRuns, CombinedStatus, judgeCi, WorkflowRuns } from "../../../src/work/task/ci/judge.ts";
import { checkRun, combined, commitStatus, workflowRun } from "../../support/forge-shapes.ts";

const head = "a".repeat(40);
const other = "b".repeat(40);

interface Given {
  runs?: ReturnType<typeof workflowRun>[];
  checks?: ReturnType<typeof checkRun>[];
  statuses?: ReturnType<typeof commitStatus>[];
}

/** By the shapes that are read from the wire. */
const judged = ({ runs = [], checks = [], statuses = [] }: Given, sha = head) =>
  judgeCi(head, {
    runs: WorkflowRuns.parse({ total_count: runs.length, workflow_runs: runs }).workflow_runs,
    checks: CheckRuns.parse({ total_count: checks.length, check_runs: checks }).check_runs,
    status: CombinedStatus.parse(combined(sha, statuses)),
  });
const run = (conclusion: string | null, more: Partial<Parameters<typeof workflowRun>[0]> = {}) =>
  workflowRun({ head_sha: head, status: conclusion === null ? "in_progress" : "completed", conclusion, ...more });

test.each<[string, Given, string]>([
  ["nothing at all", {}, "nothing"],
  ["a run of another head", { runs: [run("success", { head_sha: other })] }, "nothing"],
  ["a success", { runs: [run("success")] }, "success"],
  ["queued", { runs: [run(null)] }, "pending"],
  [
    "an older failure, begun anew",
    { runs: [run("failure", { run_number: 1 }), run("success", { run_number: 2 })] },
    "success",
  ],
  [
    "an older success, then a failure",
    { runs: [run("failure", { run_number: 9 }), run("success", { run_number: 8 })] },
    "failure",
  ],
  [
    "a later attempt that runs",
    { runs: [run("success", { run_attempt: 1 }), run(null, { run_attempt: 2 })] },
    "pending",
  ],
  [
    "a later attempt, listed first",
    { runs: [run("success", { run_attempt: 2 }), run("failure", { run_attempt: 1 })] },
    "success",
  ],
  ["two workflows, one failing", { runs: [run("success"), run("timed_out", { workflow_id: 2 })] }, "failure"],
  ["cancelled", { runs: [run("cancelled")] }, "failure"],
  ["waits for somebody", { runs: [run("action_required")] }, "failure"],
  ["a word of tomorrow", { runs: [run("exploded")] }, "failure"],
  ["skipped beside a success", { runs: [run("success"), run("skipped", { workflow_id: 2 })] }, "success"],
  ["everything skipped", { runs: [run("skipped"), run("neutral", { workflow_id: 2 })] }, "failure"],
  [
    "a check of another app fails",
    { runs: [run("success")], checks: [checkRun({ head_sha: head, conclusion: "failure" })] },
    "failure",
  ],
  [
    "a check of another head",
    { runs: [run("success")], checks: [checkRun({ head_sha: other, conclusion: "failure" })] },
    "success",
  ],
  [
    "a job of a run that was begun anew",
    {
      runs: [run("success")],
      checks: [checkRun({ head_sha: head, conclusion: "failure", app: { slug: "github-actions" } })],
    },
    "success",
  ],
  ["a status pending", { runs: [run("success")], statuses: [commitStatus({ state: "pending" })] }, "pending"],
  ["a status in error", { statuses: [commitStatus({ state: "error" })] }, "failure"],
  ["statuses alone", { statuses: [commitStatus()] }, "success"],
])("%s", (_, given, wanted) => {
  expect(judged(given).status).toBe(wanted);
});

test("a combined status of another commit says nothing; a failure is named with its link", () => {
  expect(judged({ statuses: [commitStatus()] }, other).status).toBe("nothing");
  expect(judged({ runs: [run("failure")] })).toMatchObject({
    text: "Build: failure",
    url: "https://github.com/octo-org/octo-repo/actions/runs/30433642",
  });
});

test("property: success needs a success of this head, and no newest report of it that failed or runs; order does not matter", () => {
  const conclusions = ["success", "failure", "cancelled", "skipped", "neutral", "timed_out", null];
  const any = fc.record({
    conclusion: fc.constantFrom(...conclusions),
    head_sha: fc.constantFrom(head, other),
    workflow_id: fc.integer({ min: 1, max: 3 }),
    run_number: fc.integer({ min: 1, max: 4 }),
    run_attempt: fc.integer({ min: 1, max: 3 }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(any, {
        maxLength: 8,
        selector: (one) => `${one.workflow_id} ${one.run_number} ${one.run_attempt} ${one.head_sha}`,
      }),
      (list) => {
        const runs = list.map(({ conclusion, ...more }) => run(conclusion, more));
        const look = judged({ runs });
        expect(judged({ runs: runs.toReversed() }).status).toBe(look.status);
        const mine = list.filter((one) => one.head_sha === head);
        const newest = [1, 2, 3].flatMap((workflow) => {
          const own = mine.filter((one) => one.workflow_id === workflow);
          return own
            .toSorted((one, two) => two.run_number - one.run_number || two.run_attempt - one.run_attempt)
            .slice(0, 1);
        });
        const fine = newest.every(({ conclusion }) => ["success", "skipped", "neutral"].includes(conclusion ?? ""));
        const shown = newest.some(({ conclusion }) => conclusion === "success");
        expect(look.status === "success").toBe(fine && shown);
      },
    ),
  );
});
