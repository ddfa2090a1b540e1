// `fettle cost`: what the last session cost, or all calls by what one asks for.
import { Option } from "commander";
import type { CostReport, CostRow, CostShare, CostView } from "../../../protocol/models.ts";
import type { OpenFlags } from "../../../protocol/open.ts";
import type { Context } from "../host/context.ts";
import { count, duration, money, tokens } from "../text/amounts.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { renderPairs, renderTable } from "../text/table.ts";
import { wrap } from "../text/width.ts";
import { agents } from "../words/agents.ts";
import { spanOf } from "../host/times.ts";
import { phrases } from "../../phrases/phrases.ts";
import type { Define } from "../host/grammar.ts";
import { option } from "../host/options.ts";
import { plural } from "../text/amounts.ts";

export const words = phrases("cost", {
  help: {
    costBy: "share out all calls of this month, or since --since",
    session: "this session instead of the last one",
  },
  lesson: {
    examples: [
      ["fettle cost", "the last session or task, today and this month, against their limits"],
      ["fettle cost --by model", "where this month's money went"],
      ["fettle cost --by tool --since 7d", "what filled the requests of the last week"],
      ["fettle cost --by call --json | jq .rows", "for programs"],
      ["fettle config set budget.daily_limit_usd 5", "stop at five dollars a day"],
    ],
    exits: [
      ["0", "shown"],
      ["2", "wrong usage, or no such session"],
    ],
  },
  rounds: "rounds",
  expected: "expected",
  calls: "calls",
  cost: "cost",
  costDay: "today",
  costEarlier: (calls: number) => `${plural(calls, "earlier call")} not shown; fettle cost --by call lists all.`,
  costEstimated: (calls: number) =>
    `~: with ${plural(calls, "call")} whose provider has not said what it took; that is what it probably cost`,
  costKeys: {
    model: "model",
    task: "task",
    tool: "what the input came from",
    day: "day (UTC)",
    session: "session",
    agent: "agent",
    call: "call (UTC)",
  },
  costLast: "last session",
  costLastTask: (id: string) => `last task ${id}`,
  costMonth: "this month",
  costNone: {
    month: "No model call is recorded this month. Look further back: --since 90d",
    since: "No model call is recorded since then.",
    session: "No model call is recorded in this session.",
  },
  costSession: "this session",
  costUnpriced: (calls: number) => `${plural(calls, "call")} more of unknown price`,
  noLimit: "spent, no limit",
  ofLimit: (limit: string, left: string) => `spent of ${limit} allowed, ${left} left`,
  share: "share",
  total: "total",
});

const shares = ["model", "task", "tool", "day", "session", "agent", "call"] as const;

export const define: Define = (command, start) =>
  start<Wanted>(
    command
      .addOption(new Option("--by <share>", words.help.costBy).choices([...shares]))
      .option("--since <time>", option.since)
      .option("--session <id>", words.help.session),
    (context, _words, options) => showCost(context, options),
    { lesson: words.lesson },
  );

const limit = (cost: number | null, most: number | null) =>
  most === null || most === 0 ? words.noLimit : words.ofLimit(money(most), money(Math.max(0, most - (cost ?? 0))));

const cachedShare = (input: number, cacheRead: number): string =>
  input === 0 ? "" : `${Math.round((100 * cacheRead) / input)} %`;

/** More rounds than these do not fit a screen; `--by call` has all of them. */
const mostRounds = 15;

/** What the session has cost, by model and call by call. */
export function renderCost(view: CostView, look: Look, session: string = words.costSession): string[] {
  const { style } = look;
  const spent = (cost: number | null, most: number | null) => `${money(cost)} ${style.dim(limit(cost, most))}`;
  const pairs = renderPairs(
    [
      [session, `${spent(view.session.cost, view.session.limit)}  ${tokens(view.session.usage)}`],
      [words.costDay, spent(view.day.cost, view.day.limit)],
      [words.costMonth, spent(view.month.cost, view.month.limit)],
    ],
    look,
  );
  if (view.rounds.length === 0) return pairs;
  const shown = view.rounds.slice(-mostRounds);
  const earlier = noted(
    view.rounds.length > shown.length ? [words.costEarlier(view.rounds.length - shown.length)] : [],
    look,
  );
  const rounds = [...modelTable(view.rounds, look), "", ...roundTable(shown, look), ...earlier];
  return [...pairs, "", ...rounds, ...agentTable(view, look)];
}

const noted = (notes: readonly string[], { style, width }: Look): string[] =>
  notes.flatMap((note) => wrap(note, width).map((line) => style.dim(line)));

/** Their calls stand in sessions of their own; what they cost is part of this one's. */
function agentTable({ agents: rows, waves }: CostView, look: Look): string[] {
  if (rows.length === 0) return [];
  const together = waves.map((each) => [
    `${safeLine(each.wave)} (${agents.subagents(each.agents)})`,
    ...["", "", "", ""],
    money(each.cost),
    each.about === null ? "" : `${words.expected} ${money(each.about)}`,
  ]);
  const each = rows.map(({ agent, wave = "", model, rounds, usage, cost }) => [
    safeLine([agent, wave && `(${wave})`].filter(Boolean).join(" ")),
    String(rounds),
    count(usage.input),
    cachedShare(usage.input, usage.cacheRead),
    count(usage.output),
    money(cost),
    safeLine(model),
  ]);
  const numbers = [words.rounds, "in", "cached", "out", words.cost];
  const columns = [{ title: agents.agent }, ...numbers.map(right), { title: "model", flexible: true }];
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
  const numbers = [words.calls, "in", "cached", "out", words.cost];
  return renderTable([{ title: "model", flexible: true }, ...numbers.map(right)], rows, look);
}

const right = (title: string) => ({ title, right: true });

function roundTable(rounds: Rounds, look: Look): string[] {
  const columns = [
    ...["turn", "round", "in", "cached", "out", words.cost].map(right),
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
  const note = estimated === 0 ? [] : [words.costEstimated(estimated)];
  return [...renderTable(columns, rows, look), ...noted(note, look)];
}

export function renderReport({ by, rows, total }: CostReport, look: Look): string[] {
  const one = by === "call";
  const numbers = [...(one ? [] : [words.calls]), "in", "cached", "out", "time", words.cost, words.share];
  const columns = [{ title: words.costKeys[by], flexible: true }, ...numbers.map(right)];
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
  const lines = [...rows.map((row, at) => cells(row, keys[at] ?? "")), cells(total, words.total)];
  const { style } = look;
  const table = renderTable(columns, lines, look, (cell, row) => (row === rows.length ? style.bold(cell) : cell));
  const unpriced = total.unpriced === 0 ? [] : [words.costUnpriced(total.unpriced)];
  const estimated = total.estimated === 0 ? [] : [words.costEstimated(total.estimated)];
  return [...table, ...noted([...unpriced, ...estimated], look)];
}

const costText = ({ calls, cost, unpriced, estimated }: CostRow): string =>
  unpriced === calls && calls > 0 ? money(null) : `${estimated > 0 ? "~" : ""}${money(cost)}`;

type Which = NonNullable<OpenFlags["session"]>;

/** `title`: what it is called, where it is not the session that was asked for. */
const costOf = (context: Context, session: Which, title?: string): Promise<number> =>
  context.with({ headless: true, session }, async (client) => {
    const view = await client.read("session.cost", {});
    context.show(view, (look) => renderCost(view, look, title));
    return 0;
  });

interface Wanted {
  by?: CostShare;
  since?: string;
  session?: string;
}

/** Of the last work, session or task; where there is none there is still what the month has cost. */
async function showCost(context: Context, wanted: Wanted): Promise<number> {
  if (wanted.by !== undefined || wanted.since !== undefined) return showReport(context, wanted);
  const { session } = wanted;
  if (session !== undefined) return costOf(context, { kind: "resume", id: session });
  const rows = await context.with({ headless: true }, (client) => client.read("session.list", { limit: 50 }));
  const [last] = rows.filter((row) => row.turns > 0 || row.task !== undefined);
  if (!last) return costOf(context, { kind: "new" });
  const title = last.task === undefined ? words.costLast : words.costLastTask(last.task);
  return costOf(context, { kind: "resume", id: last.id }, title);
}

function showReport(context: Context, { by = "model", since, session }: Wanted): Promise<number> {
  const from = since === undefined ? monthStart(session) : spanOf({ since }).since;
  const args = { by, ...(from !== undefined && { since: from }), ...(session && { session }) };
  return context.with({ headless: true }, async (client) => {
    const report = await client.read("cost.report", args);
    if (context.options.json) context.json(report);
    else if (report.total.calls > 0) context.lines(renderReport(report, context.look()));
    else context.out.line(words.costNone[since !== undefined ? "since" : session !== undefined ? "session" : "month"]);
    return 0;
  });
}

/** A session is asked for whole. */
function monthStart(session: string | undefined): number | undefined {
  const now = new Date();
  return session === undefined ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) : undefined;
}
