// Builtins that set variables, take names or evaluate numbers.
import { parse } from "unbash";
import { type Context, type Handler, note } from "../../command-line/context/context.ts";
import { type Arguments, grammarOf, readArguments } from "../../command-line/context/options.ts";
import {
  hole,
  isStatic,
  literal,
  nameText,
  nothing,
  numberText,
  Origin,
  shown,
  type Text,
  unknown,
  unknownText,
} from "../../command-line/syntax/text.ts";
import { secretVariable } from "../../rules/variables.ts";
import { expressionOf } from "../../command-line/shell/arithmetic.ts";
import { judgeHidden, judgeName, judgeNumber, maybeOption } from "../../command-line/shell/evaluated.ts";
import { judgeVariable } from "../../command-line/shell/variables.ts";
import { runText } from "./judge.ts";

/** A name that a builtin gives a value to. */
export function sets(name: Text | undefined, at: Context, value?: Text): void {
  if (!name) return;
  const bare = name.value.replace(/[[=+][\s\S]*$/, "");
  if (!bare.includes(hole)) judgeVariable(bare, value, at);
  judgeHidden(name, at);
  const index = /^[A-Za-z_]\w*\[/.exec(name.value)?.[0].slice(0, -1);
  if (index === undefined || !at.scope.associative.has(index)) judgeName(name, at);
}

/** An unknown word where options are read may be one that sets or runs something. */
export function judgeOption(text: Text | undefined, at: Context): void {
  if (maybeOption(text)) note(at, "L2", "shell.dynamic-option", "has a word that may become an option", "dynamic");
}

/** `let i=i+1`: every word is an expression. */
export const arithmetic: Handler = (argv, at) => {
  for (const text of argv.slice(1)) {
    judgeHidden(text, at);
    const known = !text.holes || text.numeric;
    const command = known ? parse(`((${text.value.replaceAll(hole, "0")}))`).commands[0]?.command : undefined;
    if (command?.type !== "ArithmeticCommand" || !command.expression || text.doubtful || text.glob)
      judgeNumber(text, at);
    else expressionOf(command.expression, at, { word: () => unknownText(0), script: () => unknownText(0) });
  }
  return nothing;
};

/** `wait -n -p NAME`: all else are numbers of processes. */
export const wait: Handler = (argv, at) => {
  argv.slice(1).forEach((text, index) => {
    const attached = /^-[a-z]*p([\s\S]+)$/.exec(text.value)?.[1];
    if (attached !== undefined) sets({ ...text, value: attached }, at);
    else if (/^-[a-z]*p$/.test(text.value)) sets(argv[index + 2], at);
    judgeOption(text, at);
  });
  return nothing;
};

export const getopts: Handler = (argv, at) => {
  sets(argv[2], at, unknownText(Origin.program));
  if (argv[2] && isStatic(argv[2])) at.scope.set(argv[2].value, [unknownText(Origin.program, { split: true })]);
  at.scope.set("OPTARG", [unknownText(Origin.program, { split: true })]);
  return nothing;
};

/** `shift` and `shift 2`: the arguments move; by an unknown number they may be any. */
export const shift: Handler = (argv, at) => {
  const { variables, certain } = at.scope;
  const by = argv[1] ? Number(argv[1].value) : 1;
  const given = [...variables].filter(([name]) => /^[1-9]\d*$/.test(name));
  const exact = certain && Number.isInteger(by) && variables.get("@")?.length === 1;
  for (const [name] of given) variables.delete(name);
  for (const [name, values] of given)
    if (!exact) variables.set(name, [[unknownText(Origin.program, { split: true })]]);
    else if (Number(name) > by) variables.set(String(Number(name) - by), values);
  for (const name of ["@", "*"]) {
    const all = variables.get(name)?.[0];
    if (all && exact) variables.set(name, [all.slice(by)]);
    else if (all) variables.set(name, [[unknownText(Origin.program, { split: true })]]);
  }
  return nothing;
};

export const declare: Handler = (argv, at) => {
  const words = argv.slice(1);
  const options = argv
    .filter((text) => /^[-+][a-zA-Z]+$/.test(text.value))
    .map((text) => text.value)
    .join("");
  if (words.every((text) => text.value.startsWith("-")) && !/[fF]/.test(options)) {
    note(at, "L2", "shell.prints-environment", "prints all variables, which may hold secrets", "sensitive-read");
    return unknown(Origin.environment | Origin.secret);
  }
  if (options.includes("n") && argv[0]?.value !== "export")
    note(at, "L2", "shell.name-reference", "gives a variable a second name", "dynamic");
  const made: string[] = [];
  for (const text of words) {
    const found = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=([\s\S]*)$/.exec(text.value);
    judgeHidden(text, at);
    if (/^[-+][a-zA-Z]+$/.test(text.value)) continue;
    const name = found?.[1] ?? text.value;
    if (argv[0]?.value === "readonly" || options.includes("r")) made.push(name);
    if (options.includes("i")) at.scope.integers.add(name);
    if (options.includes("A")) at.scope.associative.add(name);
    if (found?.[2]) sets({ ...text, value: name + found[2] }, at);
    if (!found && (text.holes || text.computed || text.glob || options.includes("-n")))
      sets({ ...text, value: text.value.replace(/\+?=[\s\S]*$/, "") }, at);
    if (!found && options.includes("p") && secretVariable.test(text.value))
      note(at, "L2", "shell.prints-secret", `prints the variable ${shown(text)}`, "sensitive-read");
    if (!found) continue;
    const value = { ...text, value: found[3] ?? "" };
    judgeVariable(found[1] ?? "", value, at);
    if (options.includes("i")) {
      at.scope.set(name, [numberText()]);
      continue;
    }
    const unclear = /=\(/.test(text.value) || /[niru]/.test(options.replaceAll("-", ""));
    at.scope.set(
      found[1] ?? "",
      unclear && !/^-*[rx]+$/.test(options) ? [unknownText(text.from, { split: true, computed: true })] : [value],
    );
  }
  for (const name of made) at.scope.fixed.add(name);
  return nothing;
};

const readOptions = grammarOf("-e -E -r -s -a: -d: -i: -n: -N: -p: -t: -u:");
const mapfileOptions = grammarOf("-t -d: -n: -O: -s: -u: -C: -c:");

/** What arrives on standard input, one word of it. */
function arriving(at: Context): Text {
  const { stdin } = at.scope;
  if (stdin.text !== undefined && !/\s\S/.test(stdin.text))
    return { ...literal(stdin.text.trim()), computed: true, from: stdin.from };
  if (stdin.shape === "constant") return unknownText(0, { names: true });
  return stdin.shape === "names"
    ? { ...nameText(), from: Origin.file | Origin.loose | (stdin.from & Origin.everything) }
    : unknownText(stdin.from | Origin.program, { split: true, numeric: stdin.shape === "numbers" });
}

function fills(args: Arguments, names: readonly Text[], fallback: string, at: Context): void {
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  const value = arriving(at);
  judgeHidden(value, at);
  const before = at.scope.state();
  for (const name of names) {
    sets(name, at, value);
    if (isStatic(name)) at.scope.set(name.value, [value]);
  }
  if (names.length === 0) at.scope.set(fallback, [value]);
  // `read -t 0` reads nothing, and there may be no such descriptor.
  if (args.given.some(({ name }) => name === "-t" || name === "-u")) at.scope.mayBe(before);
}

export const read: Handler = (argv, at) => {
  for (const text of argv.slice(1)) judgeOption(text, at);
  const args = readArguments(argv.slice(1), readOptions, true);
  const array = args.given.find(({ name }) => name === "-a")?.value;
  fills(args, array ? [array, ...args.operands] : args.operands, "REPLY", at);
  return nothing;
};

export const mapfile: Handler = (argv, at) => {
  const args = readArguments(argv.slice(1), mapfileOptions, true);
  for (const { name, value } of args.given) if (name === "-C" && value) runText(value, at);
  fills(args, args.operands, "MAPFILE", at);
  return nothing;
};

export const unset: Handler = (argv, at) => {
  for (const text of argv.slice(1)) {
    judgeHidden(text, at);
    if (/^HIST/.test(text.value))
      note(at, "L3", "shell.variable", `unsets ${text.value}, which hides what was run`, "hide");
    if (/^GIT_/.test(text.value))
      note(at, "L2", "shell.variable", `unsets ${text.value}, by which fettle keeps git to itself`, "environment");
    if (
      text.value === "PATH" ||
      (!text.value.startsWith("-") && (!isStatic(text) || text.glob)) ||
      /\[/.test(text.value)
    )
      sets(text, at);
    at.scope.undefine(text.value);
    if (argv[1]?.value !== "-f") at.scope.variables.delete(text.value);
  }
  return nothing;
};

/** `compgen` runs the command of `-C` and expands the words of `-W`. */
export const completions: Handler = (argv, at) => {
  argv.forEach((text, index) => {
    judgeOption(text, at);
    const option = /^-[a-zA-Z]*([CFW])$/.exec(argv[index - 1]?.value ?? "")?.[1];
    if (option === "C") runText(text, at);
    else if (
      option === "F" ||
      (option === "W" && (text.holes || text.glob || /[$`]/.test(text.value))) ||
      /^-[CFW]./.test(text.value)
    )
      note(at, "L2", "shell.completion", "runs what a completion says", "dynamic");
  });
  return unknown(Origin.file);
};
