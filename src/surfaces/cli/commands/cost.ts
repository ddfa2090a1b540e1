import type { CostReport, CostRow, CostShare, CostView } from "../../../protocol/models.ts";
import type { OpenFlags } from "../../../protocol/open.ts";
import type { Context } from "../host/context.ts";
import { asFault, usageFault } from "../host/failure.ts";
import { count, duration, money, tokens } from "../text/amounts.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { renderPairs, renderTable } from "../text/table.ts";
import { wrap } from "../text/width.ts";
import { agents as words } from "../words/agents.ts";
import { reports } from "../words/reports.ts";
import { parseTime } from "./audit.ts";

const limit = (cost: number | null, most: number | null) =>
  most === null || most === 0 ? reports.noLimit : reports.ofLimit(money(most), money(Math.max(0, most - (cost ?? 0))));

const cachedShare = (input: number, cacheRead: number): string =>
  input === 0 ? "" : `${Math.round((100 * cacheRead) / input)} %`;

/** More rounds than these do not fit a screen; `--by call` has all of them. */
const mostRounds = 15;

/** What the session has cost, by model and call by call. */
export function renderCost(view: CostView, look: Look, session: string = reports.costSession): string[] {
  const { style } = look;
  const spent = (cost: number | null, most: number | null) => `${money(cost)} ${style.dim(limit(cost, most))}`;
  const pairs = renderPairs(
    [
      [session, `${spent(view.session.cost, view.session.limit)}  ${tokens(view.session.usage)}`],
      [reports.costDay, spent(view.day.cost, view.day.limit)],
      [reports.costMonth, spent(view.month.cost, view.month.limit)],
    ],
    look,
  );
  if (view.rounds.length === 0) return pairs;
  const shown = view.rounds.slice(-mostRounds);
  const earlier = noted(
    view.rounds.length > shown.length ? [reports.costEarlier(view.rounds.length - shown.length)] : [],
    look,
  );
  const rounds = [...modelTable(view.rounds, look), "", ...roundTable(shown, look), ...earlier];
  return [...pairs, "", ...rounds, ...agentTable(view, look)];
}

const noted = (notes: readonly string[], { style, width }: Look): string[] =>
  notes.flatMap((note) => wrap(note, width).map((line) => style.dim(line)));

/** Their calls stand in sessions of their own; what they cost is part of this one's. */
function agentTable({ agents, waves }: CostView, look: Look): string[] {
  if (agents.length === 0) return [];
  const together = waves.map((each) => [
    `${safeLine(each.wave)} (${words.subagents(each.agents)})`,
    ...["", "", "", ""],
    money(each.cost),
    each.about === null ? "" : `${words.expected} ${money(each.about)}`,
  ]);
  const each = agents.map(({ agent, wave = "", model, rounds, usage, cost }) => [
    safeLine([agent, wave && `(${wave})`].filter(Boolean).join(" ")),
    String(rounds),
    count(usage.input),
    cachedShare(usage.input, usage.cacheRead),
    count(usage.output),
    money(cost),
    safeLine(model),
  ]);
  const numbers = [words.rounds, "in", "cached", "out", reports.cost];
  const columns = [{ title: words.agent }, ...numbers.map(right), { title: "model", flexible: true }];
  return ["", ...renderTable(columns, [...each, ...together], look)];
}

type Rounds = CostView["rounds"];

function modelTable(rounds: Rounds, look: Look): string[] {
  const models = Map.groupBy(rounds, ({ model }) => model);
  const rows = [...models].map(([model, calls]) => {
    const sum = (part: (round: Rounds[number]) => number) => calls.reduce((total, round) => total + part(round), 0);
    const [input, cached] = [sum(({ usage }) => usage.input), sum(({ usage }) => usage.cacheRead)];
    const cost = calls.some((round) => round.cost === null) ? null : sum((round) => round.cost ?? 0);
    const output = count(sum(({ usage }) => usage.output));
    return [safeLine(model), String(calls.length), count(input), cachedShare(input, cached), output, money(cost)];
  });
  const numbers = [reports.calls, "in", "cached", "out", reports.cost];
  return renderTable([{ title: "model", flexible: true }, ...numbers.map(right)], rows, look);
}

const right = (title: string) => ({ title, right: true });

function roundTable(rounds: Rounds, look: Look): string[] {
  const columns = [
    ...["turn", "round", "in", "cached", "out", reports.cost].map(right),
    { title: "model", flexible: true },
  ];
  const rows = rounds.map((row) => [
    String(row.turn),
    String(row.round),
    count(row.usage.input),
    count(row.usage.cacheRead),
    count(row.usage.output),
    `${row.estimated ? "~" : ""}${money(row.cost)}`,
    safeLine(row.model),
  ]);
  const estimated = rounds.filter((row) => row.estimated).length;
  const note = estimated === 0 ? [] : [reports.costEstimated(estimated)];
  return [...renderTable(columns, rows, look), ...noted(note, look)];
}

export function renderReport({ by, rows, total }: CostReport, look: Look): string[] {
  const one = by === "call";
  const numbers = [...(one ? [] : [reports.calls]), "in", "cached", "out", "time", reports.cost, reports.share];
  const columns = [{ title: reports.costKeys[by], flexible: true }, ...numbers.map(right)];
  const cells = (row: CostRow, key: string) => [
    key,
    ...(one ? [] : [String(row.calls)]),
    count(row.input),
    cachedShare(row.input, row.cacheRead),
    count(row.output),
    duration(row.ms),
    costText(row),
    `${Math.round(row.share * 100)} %`,
  ];
  const digits = String(rows.length).length;
  const numbered = (key: string, at: number) => " ".repeat(digits - String(at + 1).length) + key;
  const keys = rows.map(({ key }) => safeLine(key)).map((key, at) => (one ? numbered(key, at) : key));
  const lines = [...rows.map((row, at) => cells(row, keys[at] ?? "")), cells(total, reports.total)];
  const { style } = look;
  const table = renderTable(columns, lines, look, (cell, row) => (row === rows.length ? style.bold(cell) : cell));
  const unpriced = total.unpriced === 0 ? [] : [reports.costUnpriced(total.unpriced)];
  const estimated = total.estimated === 0 ? [] : [reports.costEstimated(total.estimated)];
  return [...table, ...noted([...unpriced, ...estimated], look)];
}

const costText = ({ calls, cost, unpriced, estimated }: CostRow): string =>
  unpriced === calls && calls > 0 ? money(null) : `${estimated > 0 ? "~" : ""}${money(cost)}`;

type Which = NonNullable<OpenFlags["session"]>;

async function costOf(context: Context, session: Which): Promise<number> {
  return context.with({ headless: true, session }, async (client) => {
    const view = await client.read("session.cost", {});
    if (context.options.json) context.json(view);
    else context.lines(renderCost(view, context.look(), session.kind === "latest" ? reports.costLast : undefined));
    return 0;
  });
}

interface Wanted {
  by: string | undefined;
  since: string | undefined;
  session: string | undefined;
}

/** Without any session there is still what the month has cost. */
export async function showCost(context: Context, wanted: Wanted): Promise<number> {
  if (wanted.by !== undefined || wanted.since !== undefined) return showReport(context, wanted);
  const { session } = wanted;
  if (session !== undefined) return costOf(context, { kind: "resume", id: session });
  try {
    return await costOf(context, { kind: "latest" });
  } catch (error) {
    if (asFault(error)?.code !== "session.none") throw error;
    return costOf(context, { kind: "new" });
  }
}

function showReport(context: Context, { by = "model", since, session }: Wanted): Promise<number> {
  const from = since === undefined ? monthStart(session) : parseTime(since, Date.now());
  if (since !== undefined && from === undefined) throw usageFault(`${reports.costSince} '${since}'.`);
  const args = { by: by as CostShare, ...(from !== undefined && { since: from }), ...(session && { session }) };
  return context.with({ headless: true }, async (client) => {
    const report = await client.read("cost.report", args);
    if (context.options.json) context.json(report);
    else if (report.total.calls > 0) context.lines(renderReport(report, context.look()));
    else
      context.out.line(reports.costNone[since !== undefined ? "since" : session !== undefined ? "session" : "month"]);
    return 0;
  });
}

/** A session is asked for whole. */
function monthStart(session: string | undefined): number | undefined {
  const now = new Date();
  return session === undefined ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) : undefined;
}
