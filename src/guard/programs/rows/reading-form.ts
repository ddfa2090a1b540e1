// Forms of programs that otherwise act: with these subcommands, options and operands alone they only tell.
import type { Row } from "../../rules/row.ts";

/** Judged by its row when every word of the command fits it; else by what the program is otherwise. */
export interface ReadingForm {
  readonly row: Row;
  /** Words that may not stand in the command, whatever the row says. */
  readonly except?: RegExp;
  /** A word that must stand in it. */
  readonly needs?: RegExp;
}

/** Tells something; `listed` tells what another command may be given, unless a format makes other text of it. */
export const told = (names: string, options = "", operands = "t*", match: readonly string[] = []): Row => ({
  names,
  options,
  operands,
  output: "text",
  match,
});
export const listed = (...words: Parameters<typeof told>): Row => ({ ...told(...words), output: "constant" });
export const group = (names: string, subcommands: readonly Row[], options = ""): Row => ({
  names,
  options,
  subcommands,
  match: [],
});
