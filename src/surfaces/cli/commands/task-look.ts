// What there is to see of tasks: which there are, how far one is, what it came to.
import { escapeLine } from "../../../base/escape.ts";
import type { Client } from "../../../protocol/client.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { ApprovalRow } from "../../../protocol/query.ts";
import type { TaskView } from "../../../protocol/task.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { factsOf } from "../host/history.ts";
import { renderDiff } from "../render/diff.ts";
import { pageLines, renderEvidence } from "../render/task-approval.ts";
import { renderTask, renderTasks } from "../task/drawing.ts";
import type { Look } from "../text/style.ts";
import { moment } from "../text/amounts.ts";
import { wrap } from "../text/width.ts";
import { meantTask } from "../task/meant.ts";
import { progressOf } from "../task/progress.ts";
import { tasks as words } from "../words/tasks.ts";

export const listTasks = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const rows = await client.read("task.list", { limit: 50 });
    if (context.options.json) context.json(rows);
    else context.lines(rows.length === 0 ? [words.none, words.begin] : renderTasks(rows, context.look(), Date.now()));
    return Exit.done;
  });

export interface Shown {
  evidence: boolean;
  plan: boolean;
  diff: boolean;
}

/** Each part by itself, or several one below the other; without any, the task as a whole. */
export async function showTask(context: Context, named: string | undefined, parts: Shown): Promise<number> {
  const task = await meantTask(context, named, "show");
  return context.with({ headless: true }, async (client) => {
    const view = await client.read("task.show", { task });
    if (context.options.json) context.json(await partsOf(client, view, parts));
    else context.lines(await shownLines(client, view, parts, context.look()));
    return Exit.done;
  });
}

async function partsOf(client: Client, view: TaskView, { evidence, plan, diff }: Shown): Promise<unknown> {
  const wanted = {
    ...(plan && { plan: view.task.plan ?? null }),
    ...(diff && { diff: await client.read("task.diff", { task: view.id }) }),
    ...(evidence && { evidence: view.task.evidence ?? [] }),
  };
  const values = Object.values(wanted);
  return values.length === 0 ? view : values.length === 1 ? values[0] : wanted;
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

export const cancelTask = (context: Context, task: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("task.show", { task });
    await client.send({ type: "task.cancel", task: view.id });
    if (!context.options.json) context.out.line(words.cancelled(view.id));
    return Exit.done;
  });

export const replayTask = (context: Context, task: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const replay = await client.read("task.replay", { task });
    const { differences, transitions, acts } = replay;
    if (context.options.json) context.json(replay);
    else {
      const { style } = context.look();
      const lines = differences.flatMap(({ about, what, was, is }) => [
        `${style.red(style.symbols.failed)} ${about}: ${escapeLine(what)}`,
        `    ${words.was} ${escapeLine(was)}`,
        `    ${words.is} ${escapeLine(is)}`,
      ]);
      const sum = words.replayed(transitions, acts);
      context.lines(
        differences.length === 0 ? [`${style.green(style.symbols.done)} ${sum}: ${words.same}`] : [...lines, sum],
      );
    }
    return differences.length === 0 ? Exit.done : Exit.failed;
  });
