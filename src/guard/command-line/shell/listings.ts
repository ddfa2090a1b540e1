// Listings of names inside of a substitution: which command is all of it, and names of files that look like options.
import type { ParsedScript } from "unbash";
import { type Context, note } from "../context/context.ts";
import type { Text } from "../syntax/text.ts";

/** The text of the one command that the script consists of, where nothing runs beside it. */
export function listingIn(
  { commands: [only, ...more] }: ParsedScript,
  source: string,
  at: Context,
): string | undefined {
  const alone = only && more.length === 0 && only.background !== true && at.beside !== true;
  if (!alone || only.command.type !== "Command") return undefined;
  return source.slice(only.command.pos, only.command.end).trim();
}

/** The words as they are: a file that a listing printed, and that is called like an option, is refused before `--`. */
export function withoutDashes(argv: Text[], at: Context): Text[] {
  if (at.run.dashed.size === 0) return argv;
  const end = argv.findIndex(({ value }) => value === "--");
  const found = argv.find(({ value }, index) => (end < 0 || index < end) && at.run.dashed.has(value));
  const text = `would take the file ${found?.value} for an option (write -- before the substitution)`;
  if (found) note(at, "L3", "shell.listed-option", text, "hide");
  return argv;
}
