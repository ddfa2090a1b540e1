// Builtins that set variables, take names or evaluate numbers.
import { type Context, type Handler, note } from "../context.ts";
import { type Arguments, grammarOf, readArguments } from "../options.ts";
import { isStatic, literal, nameText, nothing, Origin, shown, type Text, unknown, unknownText } from "../shell/text.ts";
import { secretVariable } from "../../rules/variables.ts";
import { judgeExpression, judgeHidden, judgeNumber, judgeVariable } from "../shell/variables.ts";
import { runText } from "./shells.ts";

/** A name that a builtin gives a value to. */
export function sets(name: Text | undefined, at: Context): void {
  if (!name) return;
  if (isStatic(name)) {
    judgeVariable(name.value.replace(/[[=+][\s\S]*$/, ""), undefined, at);
    judgeHidden(name, at);
  } else if (!name.names)
    note(at, "L2", "shell.dynamic-name", "sets a variable that is not known beforehand", "dynamic");
}

export const arithmetic: Handler = (argv, at) => {
  for (const text of argv.slice(1)) {
    judgeNumber(text, at);
    judgeExpression(text.value, at);
    const name = /^\s*([A-Za-z_]\w*)\s*([-+*/%&|^]|<<|>>)?=/.exec(text.value)?.[1];
    if (name) judgeVariable(name, undefined, at);
  }
  return nothing;
};

export const getopts: Handler = (argv, at) => {
  sets(argv[2], at);
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
  for (const text of words) {
    const found = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=([\s\S]*)$/.exec(text.value);
    judgeHidden(text, at);
    if (!found && ((text.holes && !text.names) || options.includes("-n"))) sets(text, at);
    if (!found && options.includes("p") && secretVariable.test(text.value))
      note(at, "L2", "shell.prints-secret", `prints the variable ${shown(text)}`, "sensitive-read");
    if (!found) continue;
    const value = { ...text, value: found[3] ?? "" };
    if (options.includes("i")) judgeNumber(value, at);
    judgeVariable(found[1] ?? "", value, at);
    const unclear = /=\(/.test(text.value) || /[niru]/.test(options.replaceAll("-", ""));
    at.scope.set(
      found[1] ?? "",
      unclear && !/^-*[rx]+$/.test(options) ? [unknownText(text.from, { split: true, computed: true })] : [value],
    );
  }
  return nothing;
};

const readOptions = grammarOf("-e -E -r -s -a: -d: -i: -n: -N: -p: -t: -u:");
const mapfileOptions = grammarOf("-t -d: -n: -O: -s: -u: -C: -c:");

/** What arrives on standard input, one word of it. */
function arriving(at: Context): Text {
  const { stdin } = at.scope;
  if (stdin.text !== undefined && !/\s\S/.test(stdin.text))
    return { ...literal(stdin.text.trim()), computed: true, from: stdin.from };
  return stdin.shape === "names"
    ? { ...nameText(), from: Origin.file | (stdin.from & Origin.everything) }
    : unknownText(stdin.from | Origin.program, { split: true });
}

function fills(args: Arguments, names: readonly Text[], fallback: string, at: Context): void {
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  const value = arriving(at);
  judgeHidden(value, at);
  for (const name of names) {
    sets(name, at);
    if (isStatic(name)) at.scope.set(name.value, [value]);
  }
  if (names.length === 0) at.scope.set(fallback, [value]);
}

export const read: Handler = (argv, at) => {
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
    if (text.value === "PATH" || (text.holes && !text.names)) sets(text, at);
    at.scope.undefine(text.value);
    if (argv[1]?.value !== "-f") at.scope.variables.delete(text.value);
  }
  return nothing;
};

/** `compgen` runs the command of `-C` and expands the words of `-W`. */
export const completions: Handler = (argv, at) => {
  argv.forEach((text, index) => {
    const option = /^-[a-zA-Z]*([CFW])$/.exec(argv[index - 1]?.value ?? "")?.[1];
    if (option === "C") runText(text, at);
    else if (
      option === "F" ||
      (option === "W" && (text.holes || /[$`]/.test(text.value))) ||
      /^-[CFW]./.test(text.value)
    )
      note(at, "L2", "shell.completion", "runs what a completion says", "dynamic");
  });
  return unknown(Origin.file);
};
