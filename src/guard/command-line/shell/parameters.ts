// The value of `$name` and `${name…}`, as far as it is known.
import type { ParameterExpansionPart, ParameterOperation, Word } from "unbash";
import { type Context, note } from "../context/context.ts";
import { globSource } from "../context/glob.ts";
import { secretVariable } from "../../rules/variables.ts";
import { concat, isStatic, literal, numberText, Origin, type Text, unknownText } from "../syntax/text.ts";
import type { Value } from "../syntax/scope.ts";
import { counters, judgeName } from "./evaluated.ts";
import { judgeVariable } from "./variables.ts";

type ExpandWord = (word: Word, at: Context) => Text;

/** Variables whose value is a path, or starts with one: a slice of their beginning is a slash. */
const absolutePaths = /^(PATH|SHELL|BASH|OLDPWD|PWD|TMPDIR|MANPATH|XDG_\w+)$/;

/** All fields of a parameter; a scalar has one. */
export function valueOf(name: string, at: Context): Value {
  const known = at.scope.variables.get(name);
  if (known?.length === 1 && known[0]) return known[0];
  if (known && known.length > 1)
    return [
      unknownText(
        known.flat().reduce((from, text) => from | text.from, 0),
        { split: true, ...alike(known.flat()) },
      ),
    ];
  if (counters.has(name)) return [numberText()];
  return [unknownText(Origin.environment, { split: true })];
}

/** No arguments are given to the shell that runs a command, so `$1` is what the command itself makes it. */
const positional = /^[1-9]\d*$/;

const maybe = (text: Text): Text => ({ ...text, computed: true, doubtful: true });

/** What holds of one of several values whichever it is. */
const alike = (values: readonly Text[]): Partial<Text> => {
  const numeric = values.every((text) => (text.holes ? text.numeric : /^-?\d+$/.test(text.value)));
  return { numeric, names: numeric };
};

/** `index` is `@`, `*`, a number, or undefined for the plain form. */
export function parameterValue(part: ParameterExpansionPart, at: Context, expand: ExpandWord): Value {
  const index = part.index?.value;
  const length = part.prefix === "#";
  if (length) return [numberText()];
  if (part.prefix === "!" && index !== "@" && index !== "*" && part.operation?.type !== "Names")
    return [indirect(part, at)];
  if (
    part.prefix === "!" &&
    index &&
    !at.scope.associative.has(part.parameter) &&
    at.scope.variables.has(part.parameter)
  )
    return [numberText()];
  if (part.prefix === "!") return [unknownText(Origin.environment, { split: true })];
  let value = valueOf(part.parameter, at);
  const set = at.scope.variables.has(part.parameter);
  if (index === undefined && value.length > 1 && !/^[@*]$/.test(part.parameter)) value = value.slice(0, 1);
  else if (index !== undefined && index !== "@" && index !== "*")
    value =
      /^\d+$/.test(index) && value[Number(index)]
        ? value.slice(Number(index), Number(index) + 1)
        : [unknownText(Origin.program, { split: true })];
  const operation = part.operation;
  if (!operation) return value;
  return value.map((text) => operate(text, operation, { set, name: part.parameter, at, expand }));
}

function indirect(part: ParameterExpansionPart, at: Context): Text {
  const name = valueOf(part.parameter, at)[0];
  judgeName(name ?? unknownText(Origin.environment), at);
  if (isStatic(name) && !part.operation) {
    if (secretVariable.test(name.value) && !at.scope.variables.has(name.value))
      note(at, "L2", "shell.prints-secret", `prints the variable ${name.value}`, "sensitive-read");
    const target = valueOf(name.value, at)[0];
    if (target) return target;
  }
  return unknownText(Origin.program, { split: true });
}

interface Operating {
  set: boolean;
  name: string;
  at: Context;
  expand: ExpandWord;
}

function operate(text: Text, operation: ParameterOperation, { set, name, at, expand }: Operating): Text {
  const lost = (): Text => unknownText(text.from, { split: true, names: text.names });
  switch (operation.type) {
    case "Default": {
      const known = expand(operation.operand, at);
      const other = set || positional.test(name) ? known : maybe(known);
      if (operation.operator.includes("+")) {
        if (set && !text.holes) return other;
        // What may be as the environment has it may be unset, and what is not known may be empty.
        const doubtful = set && ((text.from & Origin.environment) !== 0 || operation.operator.includes(":"));
        return { ...(doubtful ? maybe(known) : other), computed: true };
      }
      if (set && !text.holes && (text.value !== "" || !operation.operator.includes(":"))) return text;
      if (operation.operator.includes("?")) return text;
      if (operation.operator.includes("=")) {
        judgeVariable(name, other, at);
        const value = [{ ...other, computed: true }];
        if (set && text.holes) at.scope.add(name, value);
        else at.scope.set(name, value);
      }
      return set && text.holes ? lost() : { ...other, computed: true };
    }
    case "Remove":
    case "Replace":
    case "Slice":
    case "CaseModification":
      if (!text.holes) return changed(text, operation, at, expand) ?? lost();
      if (operation.type === "Slice" && absolutePaths.test(name))
        return changed({ ...text, ...literal("/"), computed: true }, operation, at, expand) ?? lost();
      return lost();
    case "Transform":
      if (operation.operand.value === "P")
        note(at, "L3", "shell.prompt-expansion", "expands a variable as a prompt, which runs what it holds", "hide");
      return unknownText(text.from | Origin.decoded, { split: true });
    default:
      return unknownText(Origin.program, { split: true });
  }
}

function changed(text: Text, operation: ParameterOperation, at: Context, expand: ExpandWord): Text | undefined {
  const word = (node: Word | undefined): string | undefined => {
    if (!node) return "";
    const value = expand(node, at);
    return value.holes ? undefined : value.value;
  };
  if (text.value.length > 4000) return undefined;
  const result = (value: string | undefined): Text | undefined =>
    value === undefined ? undefined : concat(literal(""), { ...text, value });
  switch (operation.type) {
    case "Remove": {
      const source = globSource(word(operation.operand) ?? "");
      if (source === undefined || word(operation.operand) === undefined) return undefined;
      return result(removed(text.value, source, operation.operator));
    }
    case "Replace": {
      const pattern = word(operation.pattern);
      const source = pattern === undefined ? undefined : globSource(pattern);
      const replacement = word(operation.replacement);
      if (source === undefined || replacement === undefined) return undefined;
      const anchored = operation.operator === "/#" ? `^${source}` : operation.operator === "/%" ? `${source}$` : source;
      return result(
        text.value.replace(new RegExp(anchored, operation.operator === "//" ? "g" : ""), () => replacement),
      );
    }
    case "Slice": {
      const offset = Number(word(operation.offset));
      const length = operation.length ? Number(word(operation.length)) : undefined;
      if (!Number.isInteger(offset) || (length !== undefined && !(Number.isInteger(length) && length >= 0)))
        return undefined;
      const start = offset < 0 ? Math.max(0, text.value.length + offset) : offset;
      return result(text.value.slice(start, length === undefined ? undefined : start + length));
    }
    case "CaseModification": {
      if (operation.operand) return undefined;
      const up = operation.operator.startsWith("^");
      const change = (part: string) => (up ? part.toUpperCase() : part.toLowerCase());
      return result(
        operation.operator.length === 2 ? change(text.value) : change(text.value.slice(0, 1)) + text.value.slice(1),
      );
    }
    default:
      return undefined;
  }
}

function removed(value: string, source: string, operator: string): string {
  const expression = new RegExp(`^${source}$`);
  const lengths = Array.from({ length: value.length + 1 }, (_, index) => index);
  const longest = operator.length === 2;
  for (const length of longest ? lengths.reverse() : lengths) {
    const piece = operator.startsWith("#") ? value.slice(0, length) : value.slice(value.length - length);
    if (expression.test(piece))
      return operator.startsWith("#") ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}
