import type { ConfigValue } from "../../../protocol/query.ts";
import type { Context } from "../context.ts";
import { valueText } from "../context.ts";
import { safeLine } from "../render/safe-text.ts";
import { renderTable } from "../render/table.ts";
import { reports } from "../words/reports.ts";

const shown = ({ value, secret }: ConfigValue): string => {
  if (value === null) return reports.notSet;
  const text = valueText(value);
  return secret && text !== "" ? "********" : safeLine(text);
};

export const showConfig = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const values = await client.read("config.show", {});
    if (context.options.json) {
      context.json(values);
      return 0;
    }
    const look = context.look();
    const columns = [
      { title: reports.key },
      { title: reports.value, flexible: true },
      { title: reports.origin, flexible: true },
    ];
    const rows = values.map((one) => [one.key, shown(one), safeLine(one.origin)]);
    context.lines(
      renderTable(columns, rows, look, (cell, row, column) =>
        column === 2 || values[row]?.origin === "default"
          ? look.style.dim(cell)
          : column === 0
            ? look.style.bold(cell)
            : cell,
      ),
    );
    return 0;
  });

export const getConfig = (context: Context, key: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const value = await client.read("config.get", { key });
    if (context.options.json) context.json(value);
    else context.out.line(shown(value));
    return 0;
  });

export async function setConfig(context: Context, key: string, value: string, project: boolean): Promise<number> {
  const layer = project ? "project" : "user";
  await context.with({ headless: true }, async (client) => {
    await client.send({ type: "config.set", key, value, layer });
    return 0;
  });
  // A program reads its configuration once: what holds now, another one says.
  return context.with({ headless: true }, async (client) => {
    const now = await client.read("config.get", { key });
    if (context.options.json) context.json(now);
    else context.out.line(`${reports.set(key, shown(now))}  ${context.look().style.dim(safeLine(now.origin))}`);
    return 0;
  });
}

export const configPaths = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const paths = await client.read("config.path", {});
    if (context.options.json) {
      context.json(paths);
      return 0;
    }
    const look = context.look();
    const rows = paths.map((one) => [one.layer, one.path, one.exists ? reports.exists : reports.missing]);
    context.lines(
      renderTable(
        [{ title: reports.layer }, { title: reports.path }, { title: "" }],
        rows,
        look,
        (cell, row, column) => (column === 2 || !paths[row]?.exists ? look.style.dim(cell) : cell),
      ),
    );
    return 0;
  });

export const configSchema = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    context.json(await client.read("config.schema", {}));
    return 0;
  });
