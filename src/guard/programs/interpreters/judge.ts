// Interpreters: asking for a version is free, everything else is code.
import { type Interpreter, interpreters } from "./table.ts";
import { type Context, deeper, type Handler, note } from "../../command-line/context/context.ts";
import { inOwnNetwork, servesOwn } from "../../command-line/context/own-network.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { within } from "../../command-line/context/sensitive.ts";
import {
  constant,
  type Flow,
  hole,
  isDash,
  isStatic,
  literal,
  Origin,
  shown,
  type Text,
  unknown,
} from "../../command-line/syntax/text.ts";
import { maybeOption, maybeSplit } from "../../command-line/shell/evaluated.ts";
import { judgeCode } from "../code/judge.ts";
import { judgeOwnCode } from "../telltales/telltales.ts";
import { runFile, runInput, runText } from "../shells/judge.ts";

/** Python modules that only read, with the operands that are paths; others are code. */
const readingModules = new Set([
  "json.tool",
  "this",
  "tokenize",
  "ast",
  "dis",
  "calendar",
  "platform",
  "sysconfig",
  "site",
  "tabnanny",
  "pyclbr",
]);

function judgeText(code: Text, rules: Interpreter, name: string, at: Context): void {
  note(at, "L2", "program.one-liner", `runs code with ${name}`, "interpreter");
  if (code.from & Origin.network)
    note(at, "L3", "shell.run-download", "runs what came from the network", "download-and-run");
  else if (code.from & Origin.decoded)
    note(at, "L3", "shell.run-decoded", "decodes something and runs it", "download-and-run");
  else if (code.holes && code.value.replaceAll(hole, "").trim() === "")
    note(at, "L3", "shell.dynamic-code", "runs code that is not known beforehand", "dynamic");
  judgeCode(code.value, at);
  for (const found of code.value.matchAll(rules.shell)) {
    const text = (found[2] ?? "").replace(/\\(["'`\\])/g, "$1");
    if (text.trim()) at.run.judge.script(text, deeper(at));
  }
  for (const [, , program, list = "", plain = ""] of code.value.matchAll(calls)) {
    const words = Array.from((list || plain).matchAll(/(["'])((?:\\.|(?!\1).)*)\1/g), (word) => word[2] ?? "");
    const argv = program === undefined ? words : [program, ...words];
    if (argv.length > 1) at.run.judge.argv(argv.map(literal), deeper(at));
  }
}

/** `run(["rm", "-rf", x])`, `spawn("rm", ["-rf"])`, `system("rm", "-rf")`: a command as a list of words. */
const calls =
  /\b(?:run|call|check_call|check_output|Popen|spawn(?:Sync)?|execFile(?:Sync)?|spawnvp?|execvp?|execlp?|system|exec|Command)\s*\(?\s*(?:(?:(["'])([\w./-]+)\1\s*,\s*)?\[((?:\s*["'][^"']*["']\s*,?)+)\]|((?:["'][^"']*["']\s*,\s*)+["'][^"']*["']))/g;

/** `-c code`, also as `-Sc code`, `-e'code'`, `--eval=code`. */
function codeAt(
  argv: readonly Text[],
  index: number,
  rules: Interpreter,
): { code: Text | undefined; used: number } | undefined {
  const text = argv[index];
  if (!text) return undefined;
  const { value } = text;
  for (const option of rules.code) {
    if (value === option) return { code: argv[index + 1], used: 2 };
    if (option.startsWith("--") && value.startsWith(`${option}=`))
      return { code: { ...text, value: value.slice(option.length + 1) }, used: 1 };
    if (option === "+" && value.startsWith("+")) return { code: { ...text, value: value.slice(1) }, used: 1 };
    if (/^-[a-zA-Z]$/.test(option) && /^-[a-zA-Z0-9]+/.test(value) && !value.startsWith("--")) {
      const letter = option[1] ?? "";
      const place = value.indexOf(letter);
      const before = value.slice(1, place);
      if (place > 0 && /^[a-zA-Z0-9]*$/.test(before) && !rules.values.some((other) => before.includes(other[1] ?? "-")))
        return value.length > place + 1
          ? { code: { ...text, value: value.slice(place + 1) }, used: 1 }
          : { code: argv[index + 1], used: 2 };
    }
  }
  return undefined;
}

export const interpreter: Handler = (argv, at) => {
  const name = argv[0]?.value ?? "";
  const rules = interpreters.get(name);
  if (!rules) return unknown();
  const words = argv.slice(1);
  if (words.length > 0 && words.every((text) => rules.queries.includes(text.value))) return constant;
  let coded = false;
  let index = 0;
  for (; index < words.length; index++) {
    const text = words[index];
    if (!text) break;
    const code = codeAt(words, index, rules);
    if (code) {
      coded = true;
      if (/^-(enc|EncodedCommand|e)$/i.test(text.value) && /^(pwsh|powershell)$/.test(name))
        note(at, "L3", "shell.run-decoded", "decodes something and runs it", "download-and-run");
      if (name === "osascript" && code.code && /do shell script|keystroke|password/i.test(code.code.value))
        note(at, "L3", "code.content", "runs a shell from AppleScript", "escalate");
      if (name === "sqlite3" || name === "vim" || name === "gdb") editorCode(code.code, at);
      if (code.code) judgeText(code.code, rules, name, at);
      index += code.used - 1;
    } else if (name === "python" && (text.value === "-m" || /^-m./.test(text.value))) return moduleOf(words, index, at);
    else if (rules.values.includes(text.value)) index++;
    else if (
      text.value === "--check" ||
      (text.value === "-c" && name === "node") ||
      (/^-[wc]*c[wc]*$/.test(text.value) && /^(ruby|perl)$/.test(name)) ||
      (text.value === "-l" && name === "php")
    )
      return checks(words, name, at);
    else if (text.value === "-" || !text.value.startsWith("-")) break;
  }
  const file = words[index];
  if (!coded && (!file || isDash(file))) return fromInput(rules, name, at);
  if (!coded && file) runFile(file, name, at);
  if (coded && /^(perl|ruby)$/.test(name)) filtered(words, index, at);
  if (coded && name === "vim")
    for (const edited of words.slice(index)) if (!/^[-+]/.test(edited.value)) judgePath(edited, "edit", at);
  return unknown(at.scope.stdin.from | Origin.program);
};

/** `perl -pe`, `ruby -i -ne`: the operands are files that are read, or edited. */
function filtered(words: readonly Text[], from: number, at: Context): void {
  const options = words.filter(({ value }) => /^-[a-zA-Z0-9]+/.test(value)).map(({ value }) => value);
  const edits = options.some((value) => /^-[a-zA-Z0-9]*i/.test(value));
  if (!edits && !options.some((value) => /^-[a-zA-Z0-9]*[np]/.test(value))) return;
  for (const file of words.slice(from)) if (!file.value.startsWith("-")) judgePath(file, edits ? "edit" : "read", at);
}

function fromInput(rules: Interpreter, name: string, at: Context): Flow {
  runInput(name, at);
  const { stdin } = at.scope;
  if (stdin.text !== undefined) judgeText(literal(stdin.text), rules, name, at);
  else note(at, "L2", "program.one-liner", `runs code with ${name}`, "interpreter");
  return unknown();
}

/** `:!cmd` of an editor, `.shell` of sqlite3, `shell` of gdb. */
function editorCode(code: Text | undefined, at: Context): void {
  if (/(^|[|:])\s*(shell|term(inal)?)\s*$/.test(code?.value ?? ""))
    note(at, "L3", "shell.opened", "opens a shell from an editor", "escalate");
  const found =
    /(?:^|\||:)\s*(?:[%.]?\s*(?:w(?:rite)?|r(?:ead)?)?\s*!|\.shell\b|\.system\b|shell\b|make\b)\s*([\s\S]*)/.exec(
      code?.value ?? "",
    );
  if (found?.[1]) runText(literal(found[1]), at);
}

/** A file whose name begins with a dash is an option to the program. */
function judgeOptions(words: readonly Text[], at: Context): void {
  if (words.some((text) => maybeOption(text) || maybeSplit(text)))
    note(at, "L2", "shell.dynamic-option", "has a word that may become an option", "dynamic");
}

/** `node --check`, `ruby -c`, `php -l` only parse (perl's also runs BEGIN blocks). */
function checks(files: readonly Text[], name: string, at: Context): Flow {
  judgeOptions(files, at);
  for (const file of files)
    if (!file.value.startsWith("-")) judgePath(file, "read", at);
    else if (!/^(--check|-[wcl]+|--)$/.test(file.value))
      note(at, "L2", "program.option", `uses the option ${shown(file)}, which may load code`, "interpreter");
  if (name === "perl") note(at, "L2", "program.script", "runs the BEGIN blocks of a perl program", "interpreter");
  return unknown(Origin.file);
}

/** In the private temporary folder, where the links of an environment may lead to the system's Python. */
const keptApart = (words: readonly Text[], at: Context): boolean =>
  words.every((word) => {
    if (word.value.startsWith("-")) return isStatic(word);
    const found = isStatic(word) && !word.glob ? places(word, at) : [];
    const { facts } = at.run;
    return found.length > 0 && found.every(({ absolute }) => within(facts.path(absolute).real, facts.temporary));
  });

function moduleOf(words: readonly Text[], index: number, at: Context): Flow {
  const word = words[index];
  const module = word?.value === "-m" ? words[index + 1] : word ? { ...word, value: word.value.slice(2) } : undefined;
  const rest = words.slice(index + (word?.value === "-m" ? 2 : 1));
  const name = module?.value ?? "";
  // Without -I the modules of the folder come first, and so do those that a module imports in its turn.
  const isolated = words.slice(0, index).some((text) => isStatic(text) && /^-[a-zA-Z]*I[a-zA-Z]*$/.test(text.value));
  if (/^(pip|pip3|ensurepip|uv|pipx)$/.test(name)) {
    if (!isolated) note(at, "L2", "program.module", "runs pip with the modules of this folder", "interpreter");
    return at.run.judge.argv([literal("pip"), ...rest], deeper(at));
  }
  if (isolated && readingModules.has(name) && !(name === "sysconfig" && rest.length > 0)) {
    judgeOptions(rest, at);
    const files = rest.filter((text) => !text.value.startsWith("-"));
    // `json.tool *`: the second file that the pattern finds would be written.
    if (name === "json.tool" && files.some((text) => text.glob || text.split))
      note(at, "L2", "path.dynamic", "has a word that may become several", "dynamic");
    files.forEach((file, place) => judgePath(file, name === "json.tool" && place === 1 ? "write" : "read", at));
    return unknown(Origin.file);
  }
  const serves = /^(?:http\.server|SimpleHTTPServer|pyftpdlib|smtpd)$/.test(name);
  if (serves && !servesOwn(at)) note(at, "L2", "network.server", "serves files to the network", "network");
  if ((name === "venv" || name === "virtualenv") && !keptApart(rest, at))
    note(at, "L2", "program.install", "makes a Python environment (in /tmp nobody is asked)", "install");
  const addresses = rest.filter((text) => /^https?:/.test(text.value));
  for (const _ of inOwnNetwork(addresses, at) ? [] : addresses)
    note(at, "L2", "network.client", "uses the network", "network");
  const hint = readingModules.has(name) ? " with the modules of this folder (-I leaves them out)" : "";
  note(at, "L2", "program.module", `runs the Python module ${shown(module ?? literal("?"))}${hint}`, "interpreter");
  // A module of a tool that is forbidden under its own name (`python -m pwncat`).
  const row = at.run.row(name);
  if (row?.risk === "L3" && row.tag === "exfiltrate") note(at, "L3", "program.exfiltrate", row.why ?? "", row.tag);
  for (const text of rest) judgeOwnCode(text, at);
  return unknown();
}
