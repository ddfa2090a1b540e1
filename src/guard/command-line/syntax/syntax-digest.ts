import { type ArithmeticFor, parse } from "unbash";
import { digestOf, sha256 } from "../../../base/digest.ts";

/**
 * Names a command by its syntax tree: blanks between words do not count, everything else does. What does not parse is
 * named by its text.
 */
export function syntaxDigest(command: string): string {
  const tree = parse(command);
  if (tree.errors && tree.errors.length > 0) return sha256(`text\n${command}`);
  return digestOf(plain(tree.commands, command));
}

const isPlace = (name: string): boolean => /^(?:pos|end|.*(?:Pos|End))$/.test(name);

/** Without positions; lazily computed fields are left to the words that hold their text. */
function plain(value: unknown, command: string): unknown {
  if (Array.isArray(value)) return value.map((each) => plain(each, command));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name, inner]) => !isPlace(name) && inner !== undefined);
  const whole = Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner, command)]));
  return countsInHead(value) ? { ...whole, head: command.slice(value.pos, value.body.pos).trimEnd() } : whole;
}

/** The one node that no word holds the text of: `for ((…;…;…))`. */
function countsInHead(value: object): value is ArithmeticFor {
  return "type" in value && value.type === "ArithmeticFor";
}
