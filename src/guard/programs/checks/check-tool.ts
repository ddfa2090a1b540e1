export type CheckKind = "test" | "lint" | "types" | "build";

export interface CheckTool {
  /** Beginnings of command lines, separated by ` | `. */
  readonly commands: string;
  readonly kind: CheckKind;
  /** As in a row (row.ts). An option that is not listed makes it no check. */
  readonly options: string;
  readonly operands: string;
  /** Words that may not stand in it, whatever the options say. */
  readonly except?: RegExp;
  /** A word that must stand in it. */
  readonly needs?: RegExp;
  /** What every operand must be. */
  readonly tasks?: RegExp;
  readonly match: readonly string[];
  readonly notMatch: readonly string[];
}
