// Which task is meant where none is named: the newest that the command can do something with.
import { type TaskRow, finished } from "../../../protocol/task.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { safeLine } from "../text/safe-text.ts";
import { cutEnd } from "../text/width.ts";
import { tasks as words } from "../words/tasks.ts";

const choices = {
  show: ([newest]: readonly TaskRow[]) => newest,
  watch: (rows: readonly TaskRow[]) => rows.find(({ running }) => running) ?? rows[0],
  resume: (rows: readonly TaskRow[]) => rows.find((row) => !row.running && !finished(row)),
};

type How = keyof typeof choices;

export const chosenTask = (rows: readonly TaskRow[], how: How): TaskRow | undefined => choices[how](rows);

/** Says which one it is. Throws a Fault where there is none. */
export async function meantTask(context: Context, named: string | undefined, how: How): Promise<string> {
  if (named !== undefined) return named;
  const rows = await context.with({ headless: true }, (client) => client.read("task.list", { limit: 100 }));
  const task = chosenTask(rows, how);
  if (!task && rows.length > 0) throw usageFault(words.noneOpen, words.listThem);
  if (!task) throw usageFault(words.none, words.begin);
  const { style, width } = context.look("stderr");
  const line = cutEnd(words.meant(task.id, safeLine(task.text)), width, style.symbols.ellipsis);
  if (!context.options.json) context.err.line(style.dim(line));
  return task.id;
}
