import type { CostView } from "../../../protocol/query.ts";
import type { OpenFlags } from "../../../protocol/open.ts";
import type { Context } from "../context.ts";
import { asFault } from "../failure.ts";
import { count, money, tokens } from "../render/amounts.ts";
import { safeLine } from "../render/safe-text.ts";
import type { Look } from "../render/style.ts";
import { renderPairs, renderTable } from "../render/table.ts";
import { reports } from "../words/reports.ts";

const limit = (micro: number | null) =>
  micro === null || micro === 0 ? reports.noLimit : reports.ofLimit(money(micro));

export function renderCost(view: CostView, look: Look): string[] {
  const { style } = look;
  const pairs = renderPairs(
    [
      [
        reports.costSession,
        `${money(view.session.cost)} ${style.dim(limit(view.session.limit))}  ${tokens(view.session.usage)}`,
      ],
      [reports.costMonth, `${money(view.month.cost)} ${style.dim(limit(view.month.limit))}`],
    ],
    look,
  );
  if (view.rounds.length === 0) return pairs;
  const columns = [
    { title: "turn", right: true },
    { title: "round", right: true },
    { title: "in", right: true },
    { title: "cached", right: true },
    { title: "out", right: true },
    { title: reports.cost, right: true },
    { title: "model", flexible: true },
  ];
  const rows = view.rounds.map((row) => [
    String(row.turn),
    String(row.round),
    count(row.usage.input),
    count(row.usage.cacheRead),
    count(row.usage.output),
    money(row.cost),
    safeLine(row.model),
  ]);
  return [...pairs, "", ...renderTable(columns, rows, look)];
}

type Which = NonNullable<OpenFlags["session"]>;

async function costOf(context: Context, session: Which): Promise<number> {
  return context.with({ headless: true, session }, async (client) => {
    const view = await client.read("session.cost", {});
    if (context.options.json) context.json(view);
    else context.lines(renderCost(view, context.look()));
    return 0;
  });
}

/** Without any session there is still what the month has cost. */
export async function showCost(context: Context, session: string | undefined): Promise<number> {
  if (session !== undefined) return costOf(context, { kind: "resume", id: session });
  try {
    return await costOf(context, { kind: "latest" });
  } catch (error) {
    if (asFault(error)?.code !== "session.none") throw error;
    return costOf(context, { kind: "new" });
  }
}
