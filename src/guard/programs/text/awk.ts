import { secretVariable } from "../../rules/variables.ts";
import { type Context, deeper, type Handler, note } from "../../command-line/context/context.ts";
import { grammarOf, readArguments } from "../../command-line/context/options.ts";
import { judgePath } from "../../command-line/context/paths.ts";
import { runInput } from "../shells/judge.ts";
import { isStatic, literal, Origin, shown, unknown } from "../../command-line/syntax/text.ts";

interface Token {
  kind: "string" | "word" | "mark";
  text: string;
}

/** Strings, words and marks of an awk program; regular expressions are left out. Undefined when it cannot be read. */
function tokens(program: string): Token[] | undefined {
  const found: Token[] = [];
  let index = 0;
  while (index < program.length) {
    const rest = program.slice(index);
    const string = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(rest);
    const word = /^[A-Za-z_]\w*|^\d[\w.]*|^\$\w*/.exec(rest);
    const before = found[found.length - 1];
    if (string) {
      found.push({ kind: "string", text: string[1] ?? "" });
      index += string[0].length;
    } else if (rest.startsWith("#")) index += rest.search(/\n|$/);
    else if (
      rest.startsWith("/") &&
      (before === undefined || (before.kind === "mark" && before.text !== ")" && before.text !== "]"))
    ) {
      const regex = /^\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\//.exec(rest);
      if (!regex) return undefined;
      index += regex[0].length;
    } else if (word) {
      found.push({ kind: "word", text: word[0] });
      index += word[0].length;
    } else if (rest.startsWith('"')) return undefined;
    else {
      const mark = /^(\|\||\|&|&&|>>|>=|<=|==|!=|\s*\n\s*|.)/s.exec(rest)?.[0] ?? rest.slice(0, 1);
      if (mark.includes("\n")) found.push({ kind: "mark", text: ";" });
      else if (mark.trim()) found.push({ kind: "mark", text: mark });
      index += mark.length;
    }
  }
  return found;
}

/** Judges what an awk program does besides printing: commands, pipes, files. */
function judgeAwk(program: string, at: Context): void {
  const list = tokens(program);
  if (!list) {
    note(at, "L2", "awk.unparseable", "runs an awk program that cannot be read", "unparseable");
    return;
  }
  let printing = false;
  let depth = 0;
  list.forEach((token, index) => {
    const next = list[index + 1];
    const before = list[index - 1];
    if (token.kind === "string") {
      if (/^\/inet[46]?\//.test(token.text))
        note(at, "L3", "network.awk-socket", "opens a network socket from awk", "exfiltrate");
      return;
    }
    if (token.kind === "word") {
      if (token.text === "print" || token.text === "printf") {
        printing = true;
        depth = 0;
      } else if (token.text === "system")
        runString(
          list[index + 2]?.kind === "string" && list[index + 3]?.text === ")" ? list[index + 2] : undefined,
          at,
        );
      else if (token.text === "getline") {
        const from = redirection(list, index + 1);
        if (from > 0) fileOf(list[from + 1], list[from + 2], "read", at);
      } else if (token.text === "ARGV" || token.text === "ARGC") operandChange(list, index, at);
      else if (token.text === "ENVIRON") environment(next, list[index + 2], at);
      return;
    }
    if (token.text === "(") depth++;
    else if (token.text === ")") depth--;
    else if (token.text === ";" || token.text === "}" || token.text === "{") printing = false;
    else if (token.text === "@")
      note(at, "L2", "awk.include", "loads another awk program or makes an indirect call", "interpreter");
    else if (token.text === "|" || token.text === "|&")
      runString(
        next?.text === "getline"
          ? before?.kind === "string"
            ? before
            : undefined
          : next?.kind === "string" && ends(list[index + 2])
            ? next
            : undefined,
        at,
      );
    else if ((token.text === ">" || token.text === ">>") && printing && depth <= 0)
      fileOf(next, list[index + 2], token.text === ">" ? "write" : "append", at);
  });
}

/** Where the `<` of `getline`, `getline x <`, `getline x[1] <` stands. */
function redirection(list: readonly Token[], from: number): number {
  let depth = 0;
  for (let index = from; index < list.length; index++) {
    const text = list[index]?.kind === "mark" ? list[index]?.text : "";
    if (text === "[" || text === "(") depth++;
    else if (text === "]" || text === ")") depth--;
    if (depth < 0 || (depth === 0 && /^([;{}|&]|\|\||&&|\|&)$/.test(text ?? ""))) return -1;
    if (depth === 0 && text === "<") return index;
  }
  return -1;
}

/** `ARGV[1] = "x"` makes awk read a file that no operand names. */
function operandChange(list: readonly Token[], from: number, at: Context): void {
  const end = list.findIndex((token, index) => index > from && token.text !== "[" && list[index - 1]?.text === "]");
  const after = list[from + 1]?.text === "[" ? list[end] : list[from + 1];
  if (after?.kind === "mark" && /^(=|\+|-)$/.test(after.text))
    note(at, "L2", "path.dynamic", "awk changes which files it reads", "dynamic");
}

function environment(bracket: Token | undefined, name: Token | undefined, at: Context): void {
  if (bracket?.text !== "[" || name?.kind !== "string" || secretVariable.test(name.text))
    note(at, "L2", "shell.prints-secret", "reads the environment, which may hold secrets", "sensitive-read");
}

const ends = (token: Token | undefined): boolean =>
  token === undefined || (token.kind === "mark" && /^[;})]$/.test(token.text));

function runString(token: Token | undefined, at: Context): void {
  if (!token || /\\[x0-7]/.test(token.text))
    note(at, "L3", "shell.dynamic-code", "runs a command line that awk puts together", "dynamic");
  else at.run.judge.script(token.text.replace(/\\(.)/g, "$1"), deeper(at));
}

function fileOf(
  token: Token | undefined,
  after: Token | undefined,
  access: "read" | "write" | "append",
  at: Context,
): void {
  if (token?.kind === "string" && ends(after)) judgePath(literal(token.text), access, at);
  else
    note(
      at,
      "L2",
      "path.dynamic",
      `awk ${access === "read" ? "reads" : "writes"} files that are not known beforehand`,
      "dynamic",
    );
}

const options =
  "-F: --field-separator: -v: --assign: -f: --file: -e: --source: -b -c -C -d? -D? -E: -g -h -i: --include: -I -k -l: --load: -L? -M -n -N -o? -O -p? -P -r -s -S -t -V --version --help --posix --re-interval --sandbox --csv -W:";

export const awk: Handler = (argv, at) => {
  const args = readArguments(argv.slice(1), grammarOf(options), true);
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  let fromFile = false;
  for (const { name, value } of args.given) {
    if (/^(-f|--file|-E)$/.test(name) && value) {
      fromFile = true;
      if (/^(-|\/dev\/(stdin|fd\/\d+))$/.test(value.value)) runInput("awk", at);
      judgePath(value, "read", at);
      note(at, "L2", "awk.file", "runs an awk program from a file", "interpreter");
    } else if (/^(-e|--source)$/.test(name) && value) {
      fromFile = true;
      judgeAwk(value.value, at);
    } else if (/^(-i|--include|-l|--load|-o|-p|-d|-D)$/.test(name))
      note(at, "L2", "program.option", `uses the option ${name}`, "interpreter");
  }
  const operands = [...args.operands];
  if (!fromFile) {
    const program = operands.shift();
    if (program && program.from & (Origin.network | Origin.decoded))
      note(at, "L3", "shell.run-download", "runs an awk program from the network", "download-and-run");
    if (program && (isStatic(program) || (program.computed && !program.holes))) judgeAwk(program.value, at);
    else if (program?.holes) judgeHoles(program.value, at);
    // `awk *`: a file's name is the program, also where the pattern stands for an option's value.
    const before = argv.slice(1, program ? argv.indexOf(program) + 1 : undefined);
    if (program?.doubtful || before.some((text) => text.glob || (text.split && text.holes)))
      note(at, "L2", "awk.dynamic", "runs an awk program that is not known beforehand", "dynamic");
  }
  for (const file of operands) if (!/^[A-Za-z_]\w*=/.test(file.value)) judgePath(file, "read", at);
  const field = /^\s*(\S+\s*)?\{\s*print \$\w+;?\s*\}\s*$/.test(args.operands[0]?.value ?? "");
  if (operands.length === 0 && field && at.scope.stdin.shape !== "unknown") return at.scope.stdin;
  return unknown(at.scope.stdin.from | Origin.file | Origin.program);
};

/** A program with unknown pieces: inside a quoted string they may be anything, so any act makes it dynamic. */
function judgeHoles(program: string, at: Context): void {
  if (/system|\||getline|>/.test(program))
    note(at, "L3", "shell.dynamic-code", "runs an awk program that is not known beforehand", "dynamic");
  else note(at, "L2", "awk.dynamic", "runs an awk program that is not known beforehand", "dynamic");
}
