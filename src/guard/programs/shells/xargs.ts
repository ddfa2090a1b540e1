// xargs: which words its command gets, by the rules that xargs itself has for its input.
import { type Context, deeper, type Handler, note } from "../../command-line/context/context.ts";
import { type Arguments, grammarOf, readArguments } from "../../command-line/context/options.ts";
import { judgePath } from "../../command-line/context/paths.ts";
import { judgeVariable } from "../../command-line/shell/variables.ts";
import {
  type Flow,
  hole,
  joinFlows,
  literal,
  nameText,
  nothing,
  Origin,
  shown,
  type Text,
  unknownText,
} from "../../command-line/syntax/text.ts";

const xargsOptions =
  "-0 --null -a:r --arg-file:r -d: --delimiter: -E: -e? --eof? -I: -i? --replace? -L: -l? --max-lines? -n: --max-args: -P: --max-procs: -p --interactive -r --no-run-if-empty -s: --max-chars: -t --verbose -x --exit -o --open-tty --process-slot-var: --show-limits --help --version -J: -R:";

export const xargs: Handler = (argv, at) => {
  const args = readArguments(argv.slice(1), grammarOf(xargsOptions), true);
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  const of = (pattern: RegExp) => args.given.find(({ name }) => pattern.test(name));
  const file = of(/^(-a|--arg-file)$/)?.value;
  if (file) judgePath(file, "read", at);
  const slot = of(/^--process-slot-var$/)?.value;
  if (slot) judgeVariable(slot.value, undefined, at);
  const replace = of(/^(-I|-i|--replace|-J)$/);
  const mark = replace ? replace.value?.value || "{}" : undefined;
  const reading: Reading = {
    fromFile: file !== undefined,
    separator: separatorOf(args, mark !== undefined),
    cut: of(/^(-L|-l|--max-lines|-s|--max-chars|-E|-e|--eof)$/) !== undefined,
  };
  const words = itemsOf(reading, at);
  const command = args.operands.length > 0 ? args.operands : [literal("echo")];
  const inner = deeper(at, { scope: at.scope.fork() });
  inner.scope.stdin = nothing;
  const run = (argv: readonly Text[]): Flow => at.run.judge.argv(argv, inner);
  if (mark === undefined) {
    const most = Number(of(/^(-n|--max-args)$/)?.value?.value ?? Number.NaN);
    if (!Number.isInteger(most) || most < 1) return run([...command, ...words]);
    let flow: Flow = nothing;
    for (let from = 0; from === 0 || from < words.length; from += most)
      flow = joinFlows(flow, run([...command, ...words.slice(from, from + most)]));
    return flow;
  }
  let flow: Flow = nothing;
  for (const one of words)
    flow = joinFlows(
      flow,
      run(command.map((text) => (text.value.includes(mark) ? substitute(text, mark, one) : text))),
    );
  return flow;
};

interface Reading {
  fromFile: boolean;
  /** What stands between the items; undefined: white space, and quotes are taken away. */
  separator: string | undefined;
  /** Other options decide which items go together, or where they end. */
  cut: boolean;
}

/** `-0`, `-d X`, and the lines of `-I`; `?` where it is not known. */
function separatorOf(args: Arguments, lines: boolean): string | undefined {
  const chosen = args.given.findLast(({ name }) => /^(-0|--null|-d|--delimiter)$/.test(name));
  if (!chosen) return lines ? "line" : undefined;
  if (!chosen.value) return hole;
  const { value } = chosen.value;
  return value === "\\n" ? "\n" : value === "\\0" ? hole : value === "\\t" ? "\t" : /^[^\\]$/.test(value) ? value : "?";
}

/** The items that xargs would read, as far as the pipeline shows them. */
export function itemsOf({ fromFile, separator, cut }: Reading, at: Context): Text[] {
  const { stdin } = at.scope;
  const item = (value: string): Text => ({ ...literal(value), from: stdin.from });
  const any = unknownText(stdin.from | (fromFile ? Origin.file : Origin.program), { split: true });
  if (!fromFile && stdin.text !== undefined && !cut && separator !== "?") {
    const quoted = /["'\\]/.test(stdin.text);
    const items =
      separator === undefined
        ? stdin.text.split(/\s+/).filter(Boolean)
        : separator === "line"
          ? stdin.text
              .split("\n")
              .map((line) => line.trimStart())
              .filter(Boolean)
          : stdin.text.split(separator);
    if (separator !== undefined && separator !== "line" && items.at(-1) === "") items.pop();
    if (items.length <= 32 && !(quoted && (separator === undefined || separator === "line"))) return items.map(item);
    return [any];
  }
  if (fromFile || !/^(names|constant|numbers)$/.test(stdin.shape)) return [any];
  const whole = separator !== undefined && separator !== "line";
  const from = Origin.file | (stdin.from & Origin.everything) | (whole ? stdin.from & Origin.loose : Origin.loose);
  const name =
    stdin.shape === "names" ? nameText(from) : unknownText(0, { names: true, numeric: stdin.shape === "numbers" });
  return [name, ...(separator === "line" ? [] : [name])];
}

export function substitute(text: Text, mark: string, word: Text): Text {
  if (!text.value.includes(mark)) return text;
  return {
    ...text,
    value: text.value.replaceAll(mark, () => word.value),
    holes: text.holes || word.holes,
    computed: text.computed || word.computed,
    names: word.holes && word.names && (!text.holes || text.names),
    split: word.split,
    tilde: text.tilde || (text.value.startsWith(mark) && word.tilde),
    from: text.from | word.from,
  };
}
