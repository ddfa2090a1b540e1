import type { ModelRow } from "../../../protocol/query.ts";
import type { Context } from "../context.ts";
import { safeLine } from "../render/safe-text.ts";
import type { Look } from "../render/style.ts";
import { cutEnd, padEnd, textWidth, wrap } from "../render/width.ts";
import { reports } from "../words/reports.ts";

export function renderModels(models: readonly ModelRow[], look: Look, current?: string): string[] {
  const { style } = look;
  const width = Math.max(0, ...models.map((row) => textWidth(row.model)));
  return models.flatMap((row) => {
    const ready = row.status === "ready";
    const mark = ready
      ? style.green(style.symbols.done)
      : row.status === "no-key"
        ? style.dim(style.symbols.dot)
        : style.yellow(style.symbols.warning);
    const chosen = current === undefined ? row.default : row.model === current;
    const name = padEnd(safeLine(row.model), width);
    const words = [
      reports[row.status],
      row.local ? reports.local : "",
      chosen ? reports.defaultModel : "",
      row.detail === reports[row.status] ? "" : safeLine(row.detail),
    ];
    const told = cutEnd(words.filter(Boolean).join(`  `), Math.max(12, look.width - width - 6), style.symbols.ellipsis);
    const line = `${mark} ${chosen ? style.bold(name) : ready ? name : style.dim(name)}  ${style.dim(told)}`;
    const remedy = row.remedy ? wrap(safeLine(row.remedy), look.width - 6) : [];
    return [line, ...remedy.map((text, at) => `    ${at === 0 ? style.dim(style.symbols.arrow) : " "} ${text}`)];
  });
}

export const listModels = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const models = await client.read("models.list", {});
    if (context.options.json) context.json(models);
    else if (models.length === 0) context.out.line(reports.modelsNone);
    else context.lines(renderModels(models, context.look()));
    return 0;
  });
