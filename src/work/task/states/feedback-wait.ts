import { departures } from "../machine/floor.ts";
import { changedDefinitions } from "../checks/definitions.ts";
import { approvalDigest } from "../machine/evidence.ts";
import { branchName } from "../work/isolation.ts";
import { baseMoved } from "../machine/scope.ts";
import type { TaskState, Work } from "../work/work.ts";
import { asksAnew, sentence } from "./pauses.ts";
import { replan } from "./replan.ts";

/** The work waits for a signature over exactly this commit and this evidence. */
export const feedbackWait: TaskState = {
  name: "FEEDBACK_WAIT",
  async work(work) {
    const { id, envelope, worktree, request, evidence = [], feedback = [] } = work.task;
    if (!envelope || !worktree) return { to: "FAILED", detail: "There is nothing to approve." };
    const digest = approvalDigest(work.task);
    const diff = await work.repository.diff(envelope.base.commit, worktree.head);
    const answer = await work.approve(
      {
        kind: "task",
        op: "merge",
        task: id,
        digest,
        lines: await linesOf(work),
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
      case "revise":
        return {
          to: "IMPLEMENTING",
          patch: { feedback: [...feedback, answer.feedback], repairs: 1 },
          detail: `to be changed: ${answer.feedback}`,
        };
      case "rejected":
        return replan(work, `The result was rejected: ${answer.why}`, {
          stuck: `The result was rejected: ${sentence(answer.why)} What should be otherwise?`,
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

async function linesOf({ task, repository }: Work): Promise<string[]> {
  const { envelope, amendments = [], ci, request, worktree, origin } = task;
  const remote = envelope?.remote;
  const base = envelope?.base.branch ?? "";
  const messages = await messagesOf(task, repository);
  const definitions = await changedDefinitions(task);
  const checkedOut = (await repository.branch()) === base;
  const goes = {
    merge: `Merges ${branchName(task)} into ${base}${checkedOut ? ", which is checked out and fast-forwarded if it is clean" : ""}`,
    leave: `Leaves the work on ${branchName(task)}`,
    propose: `Pushes ${branchName(task)} to ${remote?.name ?? "the remote"}${remote?.forge ? ` and opens a pull request into ${base} of ${remote.forge.repository}` : ""}`,
  }[request.outcome];
  return [
    envelope?.plan.summary ?? "",
    `${goes}; commit ${worktree?.head.slice(0, 9) ?? ""}`,
    ...messages,
    ...(ci?.status === "none" ? ["This project has no CI that can be asked here."] : []),
    ...(origin && "unasked" in origin
      ? [`Not known to be fresh: ${remote?.name ?? "the remote"} was not asked (${origin.unasked}).`]
      : []),
    ...listed("To know of the evidence", departures(task)),
    ...listed("Shown also without the change, so no evidence of it", task.unmoved),
    ...listed("No test notices when this is taken back", task.unproved),
    ...listed("Worth a look in the tests", task.warnings),
    ...(definitions.length > 0 ? ["Its checks are not what they were", ...definitions.map((line) => `  ${line}`)] : []),
    ...amendments.map(({ what, by }) => `Amended by ${by}: ${what}`),
    ...(envelope?.plan.risks.length ? ["Risks", ...envelope.plan.risks.map((risk) => `  ${risk}`)] : []),
  ];
}

const listed = (title: string, lines: readonly string[] = []): string[] =>
  lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : [];

/** A hook or a mission may have worded them, and they go where the work goes. */
async function messagesOf({ envelope, worktree }: Work["task"], repository: Work["repository"]): Promise<string[]> {
  if (!envelope || !worktree) return [];
  const range = `${envelope.base.commit}..${worktree.head}`;
  const log = (await repository.line("log", "--reverse", "--format=%B%x00", range)) ?? "";
  const lines = log
    .split("\n")
    .map((line) => line.replaceAll("\0", "").trimEnd())
    .filter((line) => line !== "" && !/^Fettle-(?:Task|Envelope): [0-9a-f]+$/.test(line));
  return lines.length > 0 ? ["Commit messages", ...lines.map((line) => `  ${line}`)] : [];
}
