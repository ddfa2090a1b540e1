// What a person sees of one task: as a whole, or its plan, its diff and its evidence.
import { escapeLine } from "../../../base/escape.ts";
import type { Client } from "../../../protocol/client.ts";
import type { ApprovalRow } from "../../../protocol/query.ts";
import type { TaskView } from "../../../protocol/task.ts";
import { usageFault } from "../host/failure.ts";
import { factsOf } from "../host/history.ts";
import { renderDiff } from "../render/diff.ts";
import { pageLines, renderEvidence } from "../render/task-approval.ts";
import { moment } from "../text/amounts.ts";
import type { Look } from "../text/style.ts";
import { wrap } from "../text/width.ts";
import { tasks as words } from "../words/tasks.ts";
import { renderTask } from "./drawing.ts";
import { progressOf } from "./progress.ts";

export interface Shown {
  evidence?: boolean;
  plan?: boolean;
  diff?: boolean;
}

export async function shownLines(client: Client, view: TaskView, parts: Shown, look: Look): Promise<string[]> {
  const { evidence } = view.task;
  const shown: string[][] = [];
  if (parts.plan) shown.push(await planPart(client, view, look));
  if (parts.diff) shown.push(renderDiff(await client.read("task.diff", { task: view.id }), look));
  if (parts.evidence) shown.push(evidence && evidence.length > 0 ? renderEvidence(evidence, look) : [words.noEvidence]);
  if (shown.length > 0) return shown.flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]));
  return renderTask(view, progressOf(await factsOf(client, view.session)), look, Date.now());
}

/** Exactly what was, or is to be, signed. */
async function planPart(client: Client, { id, task, waiting }: TaskView, look: Look): Promise<string[]> {
  const { planApproval } = task;
  const nonce = planApproval?.nonce ?? (waiting?.kind === "plan" ? waiting.nonce : undefined);
  const row = nonce === undefined ? await lastPlan(client, id) : await client.read("approvals.show", { id: nonce });
  const action = row?.request.action;
  if (action?.kind !== "task") throw usageFault(words.noPlan(id), words.goOn(id));
  const signed = planApproval
    ? `${words.signed.plan} ${words.by(escapeLine(planApproval.by), moment(planApproval.at))}`
    : words.unsigned.plan;
  return [...pageLines(action.lines, look), "", ...wrap(signed, look.width).map(look.style.dim)];
}

async function lastPlan(client: Client, task: string): Promise<ApprovalRow | undefined> {
  const rows = await client.read("approvals.list", { all: true });
  return rows
    .filter(({ request: { action } }) => action.kind === "task" && action.op === "plan" && action.task === task)
    .toSorted((left, right) => right.request.askedAt - left.request.askedAt)[0];
}
