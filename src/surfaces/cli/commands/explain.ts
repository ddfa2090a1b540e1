import { escapeLine } from "../../../base/escape.ts";
import { Fault } from "../../../base/fault.ts";
import type { Client } from "../../../protocol/client.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { BatchItem, Explanation } from "../../../protocol/query.ts";
import type { Context } from "../context.ts";
import { usageFault } from "../failure.ts";
import type { Look, Style } from "../render/style.ts";
import { renderPairs } from "../render/table.ts";
import { wrap } from "../render/width.ts";
import { reports } from "../words/reports.ts";
import { scans } from "../words/scans.ts";
import { words } from "../words/session.ts";
import { isItemId } from "./batch.ts";

const riskPaint = (style: Style) => ({ L0: style.green, L1: style.green, L2: style.yellow, L3: style.red });
const verdictPaint = (style: Style) => ({
  allow: style.green,
  notify: style.green,
  ask: style.yellow,
  deny: style.red,
});

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
  const verdict = verdictPaint(style)[explained.verdict](explained.verdict);
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

/** A line of the batch: what to ask, or why it cannot be asked. */
type Line = { item: BatchItem } | { problem: string };

export function parseBatchLine(line: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { problem: "not an object" };
  const { id, tool, input } = value as Record<string, unknown>;
  if (!isItemId(id)) return { problem: scans.badId };
  if (typeof tool !== "string") return { problem: "tool is not a string" };
  if (input === undefined) return { problem: "input is missing" };
  return { item: { id, tool, input: input as Json } };
}

const chunkSize = 500;

interface Given {
  root?: string;
  resolve?: string;
}

/** Answers in order; a chunk that is refused as a whole is asked item by item, so that one bad item costs only itself. */
async function answer(client: Client, items: BatchItem[], given: Given): Promise<string[]> {
  if (items.length === 0) return [];
  try {
    const answers = await client.read("gate.explainBatch", { items, ...given });
    return answers.map((one) => JSON.stringify(one));
  } catch (error) {
    // What is wrong with the options is wrong for every item.
    if (error instanceof Fault && error.code.startsWith("explain.")) throw error;
    if (items.length > 1) {
      const single = [];
      for (const item of items) single.push(...(await answer(client, [item], given)));
      return single;
    }
    return [
      JSON.stringify({ id: items[0]?.id ?? null, error: error instanceof Error ? error.message : String(error) }),
    ];
  }
}

async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}

/** Exit 2 when a line could not be read; its place in the output says so. */
export const explainBatch = (context: Context, options: Readonly<Record<string, unknown>>): Promise<number> => {
  const given: Given = {};
  if (typeof options["root"] === "string") given.root = options["root"];
  if (typeof options["resolve"] === "string") given.resolve = options["resolve"];
  if (context.host.stdin.isTTY) throw usageFault(reports.explainNothing, reports.batchInput);
  return context.with({ headless: true }, async (client) => {
    let number = 0;
    let broken = false;
    let items: BatchItem[] = [];
    const flush = async () => {
      const answers = await answer(client, items, given);
      broken ||= answers.some(
        (line) => line.startsWith('{"id":') && line.includes('"error":') && !line.includes('"verdict":'),
      );
      items = [];
      for (const line of answers) context.out.line(line);
      await context.out.ready();
    };
    for await (const text of linesOf(context.host.stdin)) {
      number++;
      if (text.trim() === "") continue;
      const line = parseBatchLine(text);
      if ("item" in line) {
        items.push(line.item);
        if (items.length >= chunkSize) await flush();
        continue;
      }
      await flush();
      broken = true;
      context.out.line(JSON.stringify({ id: null, error: reports.batchBad(number, line.problem) }));
    }
    await flush();
    return broken ? Exit.usage : Exit.done;
  });
};
