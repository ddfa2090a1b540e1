import { approvalDigest } from "../machine/evidence.ts";
import { resultLines } from "./result-page.ts";
import { baseMoved } from "../machine/scope.ts";
import { allowedPaths, amendment } from "../machine/envelope.ts";
import { wantedFiles } from "../checks/wanted-files.ts";
import type { TaskPatch, TaskRecord } from "../../../protocol/task.ts";
import type { TaskState, Work } from "../work/work.ts";
import { asksAnew, sentence } from "./pauses.ts";
import { replan } from "./replan.ts";

/** The work waits for a signature over exactly this commit and this evidence. */
export const feedbackWait: TaskState = {
  name: "FEEDBACK_WAIT",
  async work(work) {
    const { id, envelope, worktree, request, evidence = [], feedback = [] } = work.task;
    if (!envelope || !worktree) return { to: "FAILED", detail: "There is nothing to approve." };
    if (request.given) return { to: "COMPLETE", detail: "verified; its wave decides what becomes of it" };
    const digest = approvalDigest(work.task);
    const diff = await work.repository.diff(envelope.base.commit, worktree.head);
    const answer = await work.approve(
      {
        kind: "task",
        op: "merge",
        task: id,
        digest,
        lines: await resultLines(work),
        evidence,
        diff,
      },
      // What leaves this machine is a senior's to allow, as it is anywhere else.
      request.outcome === "propose" ? "senior" : "developer",
    );
    switch (answer.kind) {
      case "approved":
        return {
          to: "COMPLETE",
          patch: { mergeApproval: answer.signature },
          detail: `approved by ${answer.signature.by}${request.outcome === "merge" ? "" : ", to be left on its branch"}`,
        };
      case "revise": {
        const paths = await named(work, answer.feedback);
        return {
          to: "IMPLEMENTING",
          patch: {
            ...{ feedback: [...feedback, answer.feedback], wanted: answer.feedback, unchanged: "", repairs: 1 },
            returned: wantedText(work.task, answer.feedback, paths),
            ...amended(work.task, paths, answer),
          },
          detail: `to be changed: ${answer.feedback}`,
        };
      }
      case "rejected":
        return replan(work, `The result was rejected: ${answer.why}`, {
          ...(!answer.said && { stuck: `The result was rejected: ${sentence(answer.why)} What should be otherwise?` }),
          feedback: [...feedback, `The result was rejected: ${answer.why}`],
        });
      case "overtaken": {
        const moved = await baseMoved(work.repository, envelope);
        return moved === undefined
          ? { pause: `The result was approved, but not as it is now: ${sentence(answer.why)} ${asksAnew(id)}` }
          : { to: "FAILED_BY_STALE", detail: `${moved}.` };
      }
      case "expired":
        return { pause: `Nobody answered for the result in time. It is kept. ${asksAnew(id)}` };
      case "nobody":
        return { pause: `The result waits for an approval: fettle task approve ${id}` };
    }
  },
};

/** Files that their words name, and that neither the plan nor an amendment holds. */
async function named({ task, repository }: Work, words: string): Promise<string[]> {
  if (task.request.strict) return [];
  const closed = new Set([
    ...allowedPaths(task),
    ...(task.locks ?? []).map(({ path }) => path),
    ...(task.testSupport ?? []),
  ]);
  const files = await repository.files(task.worktree?.head);
  return wantedFiles(words, files, task.plan?.test?.paths).filter((file) => !closed.has(file));
}

/** What a person's words name is allowed by them. */
const amended = (task: TaskRecord, paths: string[], { feedback, by }: { feedback: string; by: string }): TaskPatch => {
  if (paths.length === 0) return {};
  const what = `${paths.join(", ")}, as they said: ${feedback.split("\n")[0] ?? ""}`;
  const made = amendment(task, { what, paths, commands: [], hosts: [], by });
  return { amendments: [...(task.amendments ?? []), made] };
};

/** What the coder hears whose finished work the person wants otherwise. */
const wantedText = ({ locks = [] }: TaskRecord, words: string, paths: readonly string[]): string =>
  [
    "The plan is carried out and committed, and the result was verified. The person has read it and wants it otherwise:",
    words,
    "Their words go before the request and the plan where they differ. Change what they want, and nothing else.",
    ...(paths.length > 0 ? [`The plan does not hold ${paths.join(", ")}; they name it, so it may be changed.`] : []),
    ...(locks.length > 0
      ? [
          `${locks.map(({ path }) => path).join(", ")} ${locks.length === 1 ? "is" : "are"} locked. Where their words are about that, end with \`Replan:\` and their words: it is planned anew with them.`,
        ]
      : []),
  ].join("\n\n");
