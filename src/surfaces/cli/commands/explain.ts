import { escapeLine } from "../../../base/escape.ts";
import { Fault } from "../../../base/fault.ts";
import type { Client } from "../../../protocol/client.ts";
import type { Verdict } from "../../../protocol/decision.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { BatchItem, Explanation } from "../../../protocol/query.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import type { Look, Style } from "../text/style.ts";
import { renderPairs } from "../text/table.ts";
import { wrap } from "../text/width.ts";
import { reports } from "../words/reports.ts";
import { scans } from "../words/scans.ts";
import { words } from "../words/session.ts";
import { isItemId, type Line, runBatch } from "./batch.ts";

export const verdictPaint = (style: Style, verdict: Verdict) =>
  ({ allow: style.green, notify: style.green, ask: style.yellow, deny: style.red })[verdict];
const riskPaint = (style: Style) => ({ L0: style.green, L1: style.green, L2: style.yellow, L3: style.red });

export function renderExplanation(explained: Explanation, look: Look): string[] {
  const { style } = look;
  const risk = riskPaint(style);
  const parts = explained.parts.flatMap((part) => [
    `  ${risk[part.risk](part.risk)}  ${style.bold(escapeLine(part.text || reports.wholeCommand))}`,
    ...part.reasons.flatMap((reason) =>
      wrap(`${escapeLine(reason.text)} ${style.dim(`[${reason.code}]`)}`, look.width - 6).map(
        (line) => `      ${line}`,
      ),
    ),
  ]);
  const effects = explained.effects.map((effect) => {
    const undo = effect.undo === "reversible" ? "" : `  ${style.dim(effect.undo)}`;
    return `  ${style.dim(effect.kind.padEnd(8))}${escapeLine(effect.target)}${undo}`;
  });
  const verdict = verdictPaint(style, explained.verdict)(explained.verdict);
  return [
    style.dim(reports.parts),
    ...parts,
    style.dim(reports.effects),
    ...(effects.length > 0 ? effects : [`  ${style.dim(reports.noEffects)}`]),
    "",
    ...renderPairs(
      [
        [reports.risk, `${risk[explained.risk](explained.risk)} ${style.dim(words.risk[explained.risk])}`],
        [reports.verdict, `${verdict} ${style.dim(escapeLine(explained.text))}`],
        ...(explained.contained === true ? [[reports.contained, reports.containedText] as [string, string]] : []),
        [reports.rule, escapeLine(explained.rule)],
      ],
      look,
    ),
  ];
}

export const explain = (context: Context, command: string | undefined): Promise<number> => {
  if (command === undefined || command.trim() === "")
    throw usageFault(reports.explainNothing, reports.explainNothingRemedy);
  return context.with({ headless: true }, async (client) => {
    const explained = await client.read("gate.explain", { command });
    if (context.options.json) context.json(explained);
    else context.lines(renderExplanation(explained, context.look()));
    return Exit.done;
  });
};

function itemOf({ id, tool, input }: Record<string, unknown>): Line<BatchItem> {
  if (!isItemId(id)) return { problem: scans.badId };
  if (typeof tool !== "string") return { problem: scans.notText("tool") };
  return input === undefined ? { problem: reports.noInput } : { item: { id, tool, input: input as Json } };
}

interface Given {
  root?: string;
  resolve?: string;
  containment?: "on" | "off";
}

/** Answers in order; a chunk that is refused as a whole is asked item by item, so that one bad item costs only itself. */
async function answer(client: Client, items: BatchItem[], given: Given): Promise<object[]> {
  try {
    return await client.read("gate.explainBatch", { items, ...given });
  } catch (error) {
    // What is wrong with the options is wrong for every item.
    if (error instanceof Fault && error.code.startsWith("explain.")) throw error;
    if (items.length > 1) {
      const single: object[] = [];
      for (const item of items) single.push(...(await answer(client, [item], given)));
      return single;
    }
    return [{ id: items[0]?.id ?? null, error: error instanceof Error ? error.message : String(error) }];
  }
}

/** As runBatch. */
export const explainBatch = (context: Context, options: Readonly<Record<string, unknown>>): Promise<number> => {
  const given: Given = {};
  if (typeof options["root"] === "string") given.root = options["root"];
  if (typeof options["resolve"] === "string") given.resolve = options["resolve"];
  const { containment } = options;
  if (containment === "on" || containment === "off") given.containment = containment;
  else if (containment !== undefined) throw usageFault(reports.containmentBad, reports.containmentRemedy);
  if (context.host.stdin.isTTY) throw usageFault(reports.explainNothing, reports.batchInput);
  return context.with({ headless: true }, (client) =>
    runBatch(context, { item: itemOf, ask: (items) => answer(client, items, given) }),
  );
};
