// What the forms of git's subcommands are written with.
import { type Context, note } from "../../command-line/context/context.ts";
import type { Flow, Text } from "../../command-line/syntax/text.ts";

/** Judges the words of one subcommand; `undefined` leaves the rest to the subcommand's row. */
export type Form = (words: readonly Text[], at: Context) => Flow | undefined;

export const has = (words: readonly Text[], pattern: RegExp): boolean => words.some((word) => pattern.test(word.value));

export function runsAnother(at: Context): undefined {
  note(at, "L3", "git.run", "makes git run another program", "hide");
  return undefined;
}
