// Answers to requests of runs in other terminals, and of tasks.
import type { ApprovalAnswer, ApprovalOutcome } from "../../../../protocol/approval.ts";
import type { Client } from "../../../../protocol/client.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { ApprovalRow } from "../../../../protocol/query.ts";
import type { Context } from "../../host/context.ts";
import { likeText, renderAlways } from "../../render/approval.ts";
import { safeLine } from "../../text/safe-text.ts";
import type { Look } from "../../text/style.ts";
import { phrases } from "../../../phrases/phrases.ts";

/** How `approve` and `deny` exit. */
export const answered = [
  ["0", "answered"],
  ["1", "the run has not taken it yet; a task that goes on with it has failed"],
  ["2", "no such request, or answered or expired already"],
];

export const words = phrases("approvalsAnswer", {
  counted: (id: string, have: number, need: number) =>
    `Your approval of request ${id} counts: ${have} of ${need}, ${need - have} more needed.`,
  denied: (id: string) => `Request ${id} is denied.`,
  approvedLike: (id: string) => `Request ${id} is approved, and what is like it in this session:`,
  approvedAlways: (id: string) => `Request ${id} is approved, and the same from now on.`,
  alwaysAdded: (file: string) => `Added to ${file}; delete these lines to take it back:`,
  approvedSession: (id: string) => `Request ${id} is approved, and the same again in this session.`,
  approved: (id: string) => `Request ${id} is approved.`,
});

export const shortId = (row: ApprovalRow): string => row.request.nonce.slice(0, 8);

interface Given {
  id: string;
  answer: ApprovalAnswer;
  as: string | undefined;
}

/** A task that nobody works on any more goes on with the answer, if what was shown is still what it waits with. */
export async function give(context: Context, given: Given): Promise<number> {
  const left = await context.with({ headless: true }, (client) => leftTask(client, given.id));
  if (!left) return answerRun(context, given);
  const { answerTask } = await import("../task/start.ts");
  return answerTask(context, { ...left, as: given.as }, given.answer);
}

async function leftTask(client: Client, id: string): Promise<{ task: string; digest?: string } | undefined> {
  try {
    const { request, state, outcome } = await client.read("approvals.show", { id });
    const gone = state === "orphaned" || state === "expired" || outcome?.kind === "unanswered";
    return gone && request.action.kind === "task"
      ? { task: request.action.task, digest: request.action.digest }
      : undefined;
  } catch (error) {
    const known = await client.read("task.show", { task: id }).catch(() => undefined);
    if (!known) throw error;
    return { task: known.id };
  }
}

const answerRun = (context: Context, { id, answer, as }: Given): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const { request } = await client.read("approvals.show", { id });
    await client.send({ type: "approval.answer", nonce: request.nonce, answer, ...(as !== undefined && { as }) });
    const row = await client.read("approvals.show", { id: request.nonce });
    context.show(row, (look) => givenText(row, row.outcome, look));
    return Exit.done;
  });

function givenText(row: ApprovalRow, outcome: ApprovalOutcome | undefined, look: Look): string[] {
  const id = shortId(row);
  const { sessionLike, always } = row.request;
  if (outcome === undefined) return [words.counted(id, row.answers.length, row.need)];
  if (outcome.kind === "deny") return [words.denied(id)];
  if (outcome.kind === "like" && sessionLike) return [words.approvedLike(id), ...likeText(sessionLike, look)];
  if (outcome.kind === "always" && always)
    return [words.approvedAlways(id), ...renderAlways(always, look, words.alwaysAdded(safeLine(always.file)))];
  return [outcome.kind === "session" ? words.approvedSession(id) : words.approved(id)];
}
