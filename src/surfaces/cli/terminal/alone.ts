// `fettle task` in a terminal of its own.
import type { Command } from "../../../protocol/client.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Context } from "../host/context.ts";
import { consoleFor } from "./open-console.ts";
import { TaskTerminal } from "./task-terminal.ts";

export async function followInTerminal(context: Context, start: Command): Promise<number> {
  const { host, options } = context;
  return context.with({ headless: false }, async (client) => {
    const over = Promise.withResolvers<number>();
    const project = (await client.read("session.view", {})).workspace.split("/").at(-1) ?? "";
    const open = await consoleFor(context, client, project);
    const console = open(context, {
      submit: (text) => void terminal.say(text),
      interrupt: () => terminal.interrupt(),
      end: () => terminal.later(),
      command: (text) => void terminal.say(text),
      complete: async () => undefined,
    });
    const rows = () => host.stdout.rows || 24;
    const terminal = new TaskTerminal({ console, client, rows, debug: options.debug === true });
    let asked = false;
    // What is being done ends first, and where to go on is said; a second signal does not wait for it.
    const leave = () => {
      if (asked) over.resolve(Exit.terminated);
      asked = true;
      terminal.later();
    };
    const releases = [
      host.onSignal("SIGINT", () => terminal.interrupt()),
      host.onSignal("SIGTERM", leave),
      host.onSignal("SIGHUP", leave),
    ];
    try {
      const code = await Promise.race([terminal.run(start), over.promise]);
      return asked ? Exit.terminated : code;
    } finally {
      for (const release of releases) release();
      await console.close();
    }
  });
}
