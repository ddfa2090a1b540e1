// A task within an interactive session: a client of its own, on the session's terminal.
import type { Command } from "../../../protocol/client.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { SessionView } from "../../../protocol/query.ts";
import type { Context } from "../host/context.ts";
import { tasks as words } from "../words/tasks.ts";
import type { Console } from "../terminal/console.ts";
import { TaskTerminal } from "../terminal/task-terminal.ts";

interface Within {
  start: Command;
  /** What the session has chosen holds for the task, too. */
  within: SessionView;
  /** Hands the terminal over, and takes it back with undefined. */
  guest(task: TaskTerminal | undefined): void;
}

export async function runTaskInSession(
  context: Context,
  console: Console,
  { start, within, guest }: Within,
): Promise<void> {
  const { host, options } = context;
  const { autonomy, ceiling, role, model, incognito } = within;
  if (incognito) return console.print([words.notIncognito]);
  const client = await context.open({
    headless: false,
    session: { kind: "new" },
    ...{ autonomy, ceiling, role },
    ...(model !== "" && { model }),
  });
  const rows = () => host.stdout.rows || 24;
  const task = new TaskTerminal({ console, client, rows, debug: options.debug === true });
  guest(task);
  try {
    const code = await task.run(start);
    if (code === Exit.terminated) console.print([words.over]);
  } finally {
    guest(undefined);
    await client.close();
  }
}
