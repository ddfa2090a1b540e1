import type { CommandClass, EffectKind, Risk, Undo } from "../../protocol/effect.ts";
import type { Tag } from "./tags.ts";

/**
 * What is known of a program, or of one of its subcommands.
 *
 * `options` lists the known ones, separated by spaces: `-v` a flag, `-n:` takes a value, `--color?` takes one only
 * after `=`, `-#` a number (`-5`). After the colon: `r` the value is a path read, `w` written (asked when it exists),
 * `c` created, `d` deleted, `x` a shell command, `h` a host or URL, nothing for plain text. `!2`, `!3` raise the risk.
 * `*` knows all options. An option that is not listed is L2.
 *
 * Besides them `f` is a local file that the program would also take from elsewhere (`https:…`, `|command`), `y` a program, `n` a name that is no file.
 *
 * `operands` gives one letter per operand (`t` for text), the last with `*` for any number. More operands than that
 * are L2. `-` as an operand is standard input, and a name for what creates or deletes.
 */
export interface Row {
  readonly names: string;
  readonly options?: string;
  readonly operands?: string;
  readonly risk?: Risk;
  readonly why?: string;
  readonly tag?: Tag;
  /** Reads the current folder when no path is given. */
  readonly cwd?: boolean;
  /** Options that stand for the first operand (`grep -e`). */
  readonly instead?: string;
  /** A word that starts with `+` is a command to the program. */
  readonly plus?: boolean;
  /** Options end at the first operand. */
  readonly strict?: boolean;
  readonly output?: "names" | "matches" | "pass" | "constant" | "file" | "text" | "network" | "decoded" | "environment";
  readonly effect?: EffectKind;
  readonly undo?: Undo;
  readonly class?: CommandClass;
  readonly subcommands?: readonly Row[];
  /** Commands that this row judges at exactly its own risk. */
  readonly match: readonly string[];
  /** Commands that must come out higher than this row's risk. */
  readonly notMatch?: readonly string[];
}
