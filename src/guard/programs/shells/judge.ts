// Shells and everything that hands text to one: sh -c, eval, source, trap, standard input.
import { type Context, deeper, type Handler, note, originOf } from "../../command-line/context/context.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { maybeOption } from "../../command-line/shell/evaluated.ts";
import { judgeCode } from "../code/judge.ts";
import { shellNames } from "../telltales/telltales.ts";
import {
  constant,
  type Flow,
  hole,
  isStatic,
  nothing,
  Origin,
  shown,
  type Text,
  unknown,
} from "../../command-line/syntax/text.ts";

/** Code given as text. Known text is judged; anything else is L3. */
export function runText(text: Text, at: Context, here = false): Flow {
  if (text.from & Origin.network)
    note(at, "L3", "shell.run-download", "runs what came from the network", "download-and-run");
  else if (text.from & Origin.decoded)
    note(at, "L3", "shell.run-decoded", "decodes something and runs it", "download-and-run");
  if (text.holes || text.computed)
    note(at, "L3", "shell.dynamic-code", "runs a command line that is not known beforehand", "dynamic");
  if (text.holes && text.value.replaceAll(hole, "").trim() === "") return unknown(text.from);
  return at.run.judge.script(text.value.replaceAll(hole, "$fettle_unknown"), deeper(at), here);
}

/** Code that arrives on standard input, as the pipeline shows it. */
export function runInput(what: string, at: Context): void {
  const { stdin } = at.scope;
  if (stdin.from & Origin.network)
    note(at, "L3", "shell.run-download", `feeds what came from the network to ${what}`, "download-and-run");
  else if (stdin.from & Origin.decoded)
    note(at, "L3", "shell.run-decoded", `decodes something and feeds it to ${what}`, "download-and-run");
}

/** A script file that a shell or interpreter runs. */
export function runFile(file: Text, what: string, at: Context): void {
  if (file.from & (Origin.network | Origin.decoded))
    note(at, "L3", "shell.run-download", `runs what came from the network with ${what}`, "download-and-run");
  for (const place of places(file, at)) {
    const from = originOf(place.absolute, at);
    if (from & (Origin.network | Origin.decoded))
      note(
        at,
        "L3",
        "shell.run-download",
        `runs ${shown(file)}, which this command downloads or decodes`,
        "download-and-run",
      );
  }
  if (/^\/dev\/(stdin|fd\/\d+)$|^\/proc\/self\/fd\/0$/.test(file.value)) {
    shellInput(what, at);
    return;
  }
  judgePath(file, "read", at);
  note(at, "L2", "program.script", `runs ${shown(file)} with ${what}`, "interpreter");
  if (fettles.test(file.value)) note(at, "L3", "control.fettle", "acts on fettle itself", "control");
  for (const { absolute } of places(file, at)) {
    const text = at.run.contents.get(absolute);
    if (text === undefined) continue;
    if (shellNames.has(what) || what === "the shell") at.run.judge.script(text, deeper(at));
    else judgeCode(text, at);
  }
}

/** fettle's own program, under whatever interpreter. */
const fettles = /(^|\/)fettle\/(dist|src|bin)\/|(^|\/)(bin\/)?fettle(\.m?js)?$/;

function shellInput(what: string, at: Context): void {
  runInput(what, at);
  const { stdin } = at.scope;
  if (stdin.text !== undefined) at.run.judge.script(stdin.text, deeper(at));
  else if (stdin.shape === "nothing" || (stdin.shape === "unknown" && stdin.from === Origin.file))
    note(at, "L2", "program.script", `runs a script with ${what}`, "interpreter");
  else note(at, "L3", "shell.dynamic-code", `feeds ${what} with commands that are not known beforehand`, "dynamic");
}

/** sh, bash, dash, zsh, ksh, fish and busybox sh. */
export const shell: Handler = (argv, at) => {
  const name = shown(argv[0] ?? { ...({} as Text), value: "sh" });
  let index = 1;
  for (; index < argv.length; index++) {
    const text = argv[index];
    if (!text) break;
    const value = text.value;
    if (text.holes && value.startsWith(hole)) break;
    if (value === "--version" || value === "--help") return constant;
    if (value === "--rcfile" || value === "--init-file") {
      note(at, "L3", "shell.rcfile", "starts a shell with its own start-up file", "hide");
      index++;
    } else if (/^[-+]o$|^[-+]O$/.test(value)) index++;
    else if (value === "--" || value === "-") {
      index++;
      break;
    } else if (/^--(login|posix|norc|noprofile|restricted|verbose|noediting)$/.test(value)) continue;
    else if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(value)) return commandString(argv, index + 1, name, at);
    else if (/^[-+][a-zA-Z]+$/.test(value)) {
      if (value.startsWith("-") && value.includes("i"))
        note(at, "L2", "shell.interactive", "starts an interactive shell", "interpreter");
      if (value.startsWith("-") && value.includes("n") && !value.includes("s"))
        return checkOnly(argv.slice(index + 1), at);
    } else if (/^[-+]/.test(value))
      note(at, "L2", "program.unknown-option", `uses an option that is not known (${value})`, "unknown-option");
    else break;
  }
  const file = argv[index];
  if (!file || argv.some((text, place) => place < index && /^-[a-z]*s/.test(text.value))) shellInput(name, at);
  else runFile(file, name, at);
  return unknown();
};

/** `bash -n file` only parses. */
function checkOnly(files: readonly Text[], at: Context): Flow {
  // `bash -n *`: a file that is called `+n` would let the next one run.
  if (maybeOption(files[0])) note(at, "L2", "shell.dynamic-option", "has a word that may become an option", "dynamic");
  for (const file of files) judgePath(file, "read", at);
  return unknown();
}

function commandString(argv: readonly Text[], from: number, name: string, at: Context): Flow {
  let index = from;
  while (/^[-+]/.test(argv[index]?.value ?? "")) index += /^[-+][oO]$/.test(argv[index]?.value ?? "") ? 2 : 1;
  const code = argv[index];
  if (!code) {
    note(at, "L2", "shell.unparseable", `${name} -c without a command`, "unparseable");
    return nothing;
  }
  const scope = at.scope.fork();
  scope.functions = new Map();
  argv.slice(index + 1).forEach((text, place) => scope.variables.set(String(place), [[text]]));
  scope.variables.set("@", [argv.slice(index + 2)]);
  return runText(code, { ...at, scope });
}

export const evaluate: Handler = (argv, at) => {
  const words = argv.slice(1).filter((text) => text.value !== "--");
  if (words.length === 0) return nothing;
  const joined = words.reduce((all, text) => ({
    ...text,
    value: `${all.value} ${text.value}`,
    holes: all.holes || text.holes,
    computed: all.computed || text.computed,
    from: all.from | text.from,
  }));
  return runText(joined, at, true);
};

export const source: Handler = (argv, at) => {
  const file = argv[1];
  if (!file) return nothing;
  if (file.holes || file.computed || file.from & (Origin.network | Origin.decoded)) {
    if (file.from & (Origin.network | Origin.decoded)) runFile(file, "the shell", at);
    else if (/^\/dev\/fd\//.test(file.value))
      note(at, "L3", "shell.dynamic-code", "sources the output of a command", "dynamic");
    else note(at, "L3", "shell.dynamic-code", "sources a file that is not known beforehand", "dynamic");
    return unknown();
  }
  runFile(file, "the shell", at);
  const place = places(file, at)[0];
  const text = place && !place.partial ? at.run.facts.text(place.absolute) : undefined;
  if (text !== undefined) at.run.judge.script(text, deeper(at), true);
  return unknown();
};

export const trap: Handler = (argv, at) => {
  const words = argv.slice(1).filter((text) => text.value !== "--");
  if (words.some((text) => /^-[lp]$/.test(text.value))) return constant;
  const [code] = words;
  if (!code || words.length < 2 || code.value === "-" || code.value === "") return nothing;
  if (!isStatic(code))
    note(at, "L3", "shell.dynamic-code", "traps with a command that is not known beforehand", "dynamic");
  else at.run.judge.script(code.value, deeper(at));
  return nothing;
};
