import type { Context } from "../host/context.ts";
import type { Console, ConsoleEvents } from "./console.ts";
import { KeyConsole } from "./key-console.ts";
import { LineConsole } from "./line-console.ts";

/** Keys where the terminal can move its cursor and give them one by one, else lines. */
export function openConsole(context: Context, events: ConsoleEvents): Console {
  const { stdin, stdout, env } = context.host;
  const look = () => context.look("stdout");
  const parts = { stdin, out: context.out, look, events };
  if (env["TERM"] === "dumb" || !stdin.setRawMode) return new LineConsole(parts);
  return new KeyConsole({
    ...parts,
    env,
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    onResize: (handler) => {
      stdout.on("resize", handler);
      return () => stdout.removeListener("resize", handler);
    },
  });
}
