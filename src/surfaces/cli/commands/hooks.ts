import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { HookRow, HookTrial } from "../../../protocol/query.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { renderTable } from "../text/table.ts";
import { hooks as words } from "../words/hooks.ts";

function renderHooks(rows: readonly HookRow[], look: Look): string[] {
  if (rows.length === 0) return [words.none];
  const titles = [words.name, words.event, words.matcher, words.origin, words.state];
  const head = [...titles.map((title) => ({ title })), { title: words.command, flexible: true }];
  const cells = rows.map((row) => [
    ...[safeLine(row.name), row.event, safeLine(row.matcher ?? (row.event.endsWith("_tool") ? words.every : "-"))],
    ...[words.origins[row.origin], row.used ? words.used : words.untrusted, safeLine(row.command)],
  ]);
  return renderTable(head, cells, look);
}

export const listHooks = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const rows = await client.read("hooks.list", {});
    if (context.options.json) context.json(rows);
    else context.lines(renderHooks(rows, context.look()));
    return Exit.done;
  });

function renderTrials(rows: readonly HookTrial[], { style }: Look): string[] {
  if (rows.length === 0) return [words.noMatch];
  const paint = { abstain: style.green, ask: style.yellow, deny: style.red };
  return rows.flatMap((row) => {
    const verdict = paint[row.verdict](words.verdicts[row.verdict]);
    const how = style.dim(`${words.exit(row.exit, row.ended)}, ${row.ms} ms`);
    const failed = row.failed ? ` ${style.yellow(words.failed)}` : "";
    const more = [
      ...(row.reason ? [safeLine(row.reason)] : []),
      ...(row.input === undefined ? [] : [`${words.becomes} ${safeLine(JSON.stringify(row.input))}`]),
      ...(row.context === undefined ? [] : [`${words.tells}: ${safeLine(row.context)}`]),
      ...(row.message === undefined ? [] : [`${words.says}: ${safeLine(row.message)}`]),
    ];
    return [`${style.bold(safeLine(row.hook))}  ${verdict}${failed}  ${how}`, ...more.map((line) => `  ${line}`)];
  });
}

/** Exit 1 when a hook failed: a script may ask whether they work. */
export function tryHooks(
  context: Context,
  given: { event: string; tool: string | undefined; input: string | undefined },
): Promise<number> {
  const input = given.input === undefined ? {} : { input: parsed(given.input) };
  return context.with({ headless: true }, async (client) => {
    const tool = given.tool === undefined ? {} : { tool: given.tool };
    const rows = await client.read("hooks.try", { event: given.event, ...tool, ...input });
    if (context.options.json) context.json(rows);
    else context.lines(renderTrials(rows, context.look()));
    return rows.some(({ failed }) => failed) ? Exit.failed : Exit.done;
  });
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw usageFault(words.badInput(error instanceof Error ? error.message : String(error)));
  }
}
