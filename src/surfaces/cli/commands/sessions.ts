import type { SessionRow, SessionView } from "../../../protocol/query.ts";
import { confirm } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { modeName } from "../host/flags.ts";
import { age, moment, money, tokens } from "../text/amounts.ts";
import { renderAgents } from "../render/agents.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { renderContext, renderRecall } from "../render/context.ts";
import { renderPairs, renderTable } from "../text/table.ts";
import { cutEnd } from "../text/width.ts";
import { reports } from "../words/reports.ts";
import { words } from "../words/session.ts";

export function renderSessions(rows: readonly SessionRow[], look: Look, now: number): string[] {
  const columns = [
    { title: reports.session },
    { title: reports.when },
    { title: reports.turns, right: true },
    { title: reports.cost, right: true },
    { title: reports.title, flexible: true },
  ];
  const cells = rows.map((row) => [
    row.id,
    age(row.lastAt, now),
    String(row.turns),
    money(row.cost),
    `${row.open ? `(${reports.open}) ` : ""}${row.task === undefined ? "" : `(${reports.taskOf(row.task)}) `}${safeLine(row.title)}`,
  ]);
  return renderTable(columns, cells, look, (cell, _row, column) =>
    column === 0 ? look.style.cyan(cell) : column === 4 ? cell : look.style.dim(cell),
  );
}

function renderSession(view: SessionView, look: Look): string[] {
  const { style } = look;
  const pairs: [string, string][] = [
    [reports.session, view.id],
    [reports.title, safeLine(view.title)],
    ["folder", safeLine(view.cwd)],
    ["model", safeLine(view.model)],
    ["mode", modeName(view.autonomy, view.ceiling)],
    ["tokens", tokens(view.usage)],
    [reports.cost, money(view.cost)],
  ];
  const turns = view.turns.flatMap((turn) => {
    const head = `${style.bold(String(turn.turn).padStart(3))}  ${style.dim(moment(turn.startedAt))}  ${cutEnd(safeLine(turn.prompt), Math.max(20, look.width - 27), style.symbols.ellipsis)}`;
    const state = turn.stop ? words.stop[turn.stop.kind] : words.running;
    return [head, `     ${style.dim([state, tokens(turn.usage), money(turn.cost)].join(` ${style.symbols.dot} `))}`];
  });
  const agents = view.agents ? ["", ...renderAgents(view.agents, look)] : [];
  return [...renderPairs(pairs, look), ...(turns.length > 0 ? ["", ...turns] : []), ...agents];
}

export const listSessions = (context: Context, limit: number): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const rows = await client.read("session.list", { limit });
    if (context.options.json) context.json(rows);
    else if (rows.length === 0) context.out.line(reports.sessionsNone);
    else context.lines(renderSessions(rows, context.look(), Date.now()));
    return 0;
  });

export const showSession = (context: Context, session: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("session.show", { session });
    if (context.options.json) context.json(view);
    else context.lines(renderSession(view, context.look()));
    return 0;
  });

export const showContext = (context: Context, session: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("session.context", { session });
    if (context.options.json) context.json(view);
    else context.lines(renderContext(view, context.look()));
    return 0;
  });

/** Exit 1 where nothing is found. */
export const searchSession = (context: Context, session: string, words: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const hits = await client.read("session.recall", { session, words });
    if (context.options.json) context.json(hits);
    else context.lines(renderRecall(hits, context.look()));
    return hits.length === 0 ? 1 : 0;
  });

export const exportSession = (context: Context, session: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    for (const line of await client.read("session.export", { session })) {
      context.out.line(line);
      await context.out.ready();
    }
    return 0;
  });

export const deleteSession = (context: Context, session: string, yes: boolean): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("session.show", { session });
    if (!yes) {
      if (!context.interactive) throw usageFault(reports.deleteNeedsYes, reports.deleteNeedsYesRemedy);
      if (!(await confirm(context, reports.deleteAsk(view.id, safeLine(view.title))))) return 1;
    }
    await client.send({ type: "session.delete", session: view.id });
    if (context.options.json) context.json({ deleted: view.id });
    else context.out.line(reports.deleted(view.id));
    return 0;
  });
