// Programs that run another command: judged by what they run.
import { type Context, deeper, type Handler, note } from "../../command-line/context/context.ts";
import { grammarOf, readArguments } from "../../command-line/context/options.ts";
import { judgePath } from "../../command-line/context/paths.ts";
import { judgeVariable } from "../../command-line/shell/variables.ts";
import {
  constant,
  type Flow,
  isStatic,
  literal,
  nothing,
  Origin,
  shown,
  type Text,
  unknown,
} from "../../command-line/syntax/text.ts";
import { runText } from "./judge.ts";
import { itemsOf, substitute } from "./xargs.ts";

interface Wrapper {
  options: string;
  /** Words before the command (`timeout 5`). */
  skip: number;
}

const simple: Record<string, Wrapper> = {
  timeout: { options: "-k: --kill-after: -s: --signal: -v --verbose --foreground --preserve-status -f -p", skip: 1 },
  nice: { options: "-n: --adjustment: -#", skip: 0 },
  ionice: { options: "-c: --class: -n: --classdata: -t --ignore", skip: 0 },
  chrt: { options: "-b -f -i -o -r -a -m -p -v", skip: 1 },
  taskset: { options: "-c: --cpu-list: -a", skip: 0 },
  nohup: { options: "", skip: 0 },
  time: { options: "-p -v -a -f: --format: -o:w --output:w --verbose --portability --append -l -h", skip: 0 },
  stdbuf: { options: "-i: -o: -e: --input: --output: --error:", skip: 0 },
  setsid: { options: "-c --ctty -f --fork -w --wait", skip: 0 },
  unbuffer: { options: "-p", skip: 0 },
  caffeinate: { options: "-d -i -m -s -u -t: -w:", skip: 0 },
  eatmydata: { options: "", skip: 0 },
  catchsegv: { options: "", skip: 0 },
  chronic: { options: "-v -e", skip: 0 },
  linux64: { options: "", skip: 0 },
  linux32: { options: "", skip: 0 },
  setarch: { options: "-R --addr-no-randomize", skip: 1 },
  prlimit: { options: "*", skip: 0 },
  choom: { options: "-n: --adjust: -p: --pid:", skip: 0 },
  multitime: { options: "-n: -q -s: -i: -I:", skip: 0 },
  softlimit: { options: "-m: -a: -d: -s: -l: -o: -p: -c: -f:", skip: 0 },
  setlock: { options: "-n -N -x -X", skip: 1 },
  rlwrap: { options: "*", skip: 0 },
  logsave: { options: "-a -s -v", skip: 1 },
  grc: { options: "-e -s -c: --config: --colour: --color: --pty", skip: 0 },
  "xvfb-run": { options: "-a --auto-servernum -e: -f: -n: -s: --server-args: -w:", skip: 0 },
  "dumb-init": { options: "-c -v -r: --", skip: 0 },
  tini: { options: "-s -g -v -p: -e: --", skip: 0 },
  "systemd-inhibit": { options: "*", skip: 0 },
  "dbus-run-session": { options: "*", skip: 0 },
  "aa-exec": { options: "-p: -n: -d -i -v --profile:", skip: 0 },
  openvt: { options: "-c: -f -l -s -w -v -e -u --", skip: 0 },
  hyperfine: { options: "-w: --warmup: -r: --runs: -m: -M: -N -i --show-output --style:", skip: 0 },
};

export const wrapper: Handler = (argv, at) => {
  const name = argv[0]?.value ?? "";
  const { options, skip } = simple[name] ?? { options: "", skip: 0 };
  const args = readArguments(argv.slice(1), grammarOf(`${options} --help --version`), true);
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  for (const { rule, value } of args.given) if (rule.access === "w" && value) judgePath(value, "write", at);
  if (name === "nohup" || name === "setsid") at.run.findings.tags.add("background");
  const rest =
    name === "taskset" && !args.given.some((option) => option.name.startsWith("-c"))
      ? args.operands.slice(1)
      : args.operands.slice(skip);
  if (name === "hyperfine") {
    for (const text of rest) runText(text, at);
    return unknown();
  }
  return rest.length > 0 ? at.run.judge.argv(rest, deeper(at)) : constant;
};
export const wrapperNames = Object.keys(simple);

export const env: Handler = (argv, at) => {
  const queue = [...argv.slice(1)];
  let assigned = false;
  const scope = at.scope.fork();
  scope.functions = new Map();
  const inner = deeper(at, { scope });
  while (queue.length > 0) {
    const text = queue[0];
    if (!text) break;
    const value = text.value;
    if (value === "-S" || value === "--split-string" || /^-[iv0]*S./.test(value) || value.startsWith("--split-string="))
      return splitString(queue, inner);
    if (/^(-i|-|--ignore-environment)$/.test(value) || /^(-u|--unset=)?GIT_/.test(unsetName(value, queue[1])))
      note(
        at,
        "L2",
        "shell.variable",
        "takes away variables by which fettle keeps programs to themselves",
        "environment",
      );
    if (value === "-u" || value === "--unset" || value === "-C" || value === "--chdir") {
      if (value.includes("C") || value.includes("chdir")) scope.folders = [];
      queue.splice(0, 2);
    } else if (
      /^(-i|-0|-v|-|--|--ignore-environment|--null|--debug|--unset=.*|-u.+|--(block|default|ignore)-signal.*|--list-signal-handling)$/.test(
        value,
      )
    )
      queue.shift();
    else if (/^--chdir=/.test(value)) {
      scope.folders = [];
      queue.shift();
    } else if (/^-/.test(value) && !text.holes) {
      note(at, "L2", "program.unknown-option", `uses an option that is not known (${value})`, "unknown-option");
      queue.shift();
    } else {
      const found = /^([^=]*)=([\s\S]*)$/.exec(value);
      if (!found) break;
      assigned = true;
      judgeVariable(found[1] ?? "", { ...text, value: found[2] ?? "" }, at);
      queue.shift();
    }
  }
  if (queue.length > 0) return at.run.judge.argv(queue, inner);
  if (/--(help|version)$/.test(argv[1]?.value ?? "")) return constant;
  note(at, "L2", "shell.prints-environment", "prints the environment, which may hold secrets", "sensitive-read");
  return unknown(Origin.environment | Origin.secret | (assigned ? Origin.program : 0));
};

const unsetName = (value: string, next: Text | undefined): string =>
  /^(-u|--unset)$/.test(value) ? (next?.value ?? "") : value.replace(/^[A-Za-z].*/, "");

/** `env -S "rm -rf x"` splits its text into words itself. */
function splitString(queue: readonly Text[], at: Context): Flow {
  const [head, ...rest] = queue;
  const attached = /^(?:-[iv0]*S|--split-string=)([\s\S]+)$/.exec(head?.value ?? "")?.[1];
  const text = attached === undefined ? rest[0] : literal(attached);
  const more = attached === undefined ? rest.slice(1) : rest;
  if (!text || !isStatic(text)) {
    note(at, "L3", "shell.dynamic-code", "splits a command line that is not known beforehand", "dynamic");
    return unknown();
  }
  const words = splitWords(text.value);
  if (!words) {
    note(at, "L3", "shell.dynamic-code", "splits a command line that is not known beforehand", "dynamic");
    return unknown();
  }
  return env([literal("env"), ...words.map(literal), ...more], at);
}

const escapes: Readonly<Record<string, string>> = { f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/**
 * The words that `env -S` makes of a text: quotes, escapes and comments as GNU's manual has them (coreutils, "env -S syntax").
 * Undefined where it reads a variable, or refuses the text.
 */
function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "\\" && !(quote === "'" && !/['\\]/.test(text[at + 1] ?? ""))) {
      const next = text[(at += 1)] ?? "";
      if (next === "c" && !quote) break;
      const blank = next === "_" && !quote;
      if (blank && word !== undefined) words.push(word);
      const meant = next === "_" ? " " : (escapes[next] ?? (/["#$'\\]/.test(next) ? next : undefined));
      if (meant === undefined) return undefined;
      word = blank ? undefined : (word ?? "") + meant;
    } else if (char === quote) quote = "";
    else if (!quote && /["']/.test(char)) {
      quote = char;
      word ??= "";
    } else if (char === "$" && quote !== "'") return undefined;
    else if (!quote && /[ \t\n\v\f\r]/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "#" && !quote && word === undefined) break;
    else word = (word ?? "") + char;
  }
  if (quote) return undefined;
  return word === undefined ? words : [...words, word];
}

export const parallel: Handler = (argv, at) => {
  const args = readArguments(
    argv.slice(1),
    grammarOf(
      "-j: --jobs: -k --keep-order -0 --null -n: -N: -X -m --bar --progress --eta --halt: -I: --will-cite --no-notice --line-buffer --lb --tag --dry-run -u --ungroup -a:r --colsep: -q",
    ),
    true,
  );
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  if (argv.some((text) => text.value.includes("{=")))
    note(at, "L2", "program.one-liner", "runs code with perl in the words of parallel", "interpreter");
  const separator = args.operands.findIndex((text) => /^:::[:+]?$/.test(text.value));
  const command = separator < 0 ? args.operands : args.operands.slice(0, separator);
  const given =
    separator < 0
      ? itemsOf({ fromFile: false, separator: "\n", cut: false }, at)
      : args.operands.slice(separator + 1).filter((text) => !/^:::/.test(text.value));
  if (command.length === 0) {
    for (const text of given) runText(text, at);
    return unknown();
  }
  for (const word of given.slice(0, 32)) {
    const line = command.map((text) => substitute(text, "{}", word));
    const whole = command.some((text) => text.value.includes("{")) ? line : [...line, word];
    const joined = whole.reduce((all, text) => ({
      ...text,
      value: `${all.value} ${text.value}`,
      holes: all.holes || text.holes,
      from: all.from | text.from,
    }));
    if (command.length === 1) runText(joined, at);
    else at.run.judge.argv(whole, deeper(at));
  }
  return unknown();
};

export const watch: Handler = (argv, at) => {
  const args = readArguments(
    argv.slice(1),
    grammarOf(
      "-n: --interval: -d? --differences? -t --no-title -b --beep -e --errexit -g --chgexit -c --color -x --exec -p --precise -w --no-wrap -q:",
    ),
    true,
  );
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  if (args.operands.length === 0) return constant;
  if (args.given.some(({ name }) => name === "-x" || name === "--exec"))
    return at.run.judge.argv(args.operands, deeper(at));
  const joined = args.operands.reduce((all, text) => ({
    ...text,
    value: `${all.value} ${text.value}`,
    holes: all.holes || text.holes,
    computed: all.computed || text.computed,
    from: all.from | text.from,
  }));
  return runText(joined, at);
};

/** `script -c`, `flock`, `entr`, `strace` and others that run a command in their own way. */
export const flock: Handler = (argv, at) => {
  const args = readArguments(
    argv.slice(1),
    grammarOf(
      "-s --shared -x -e --exclusive -n --nb --nonblock -w: --wait: --timeout: -o --close -u --unlock -F --no-fork -E: --verbose -c: --command:",
    ),
    true,
  );
  const code = args.given.find(({ name }) => name === "-c" || name === "--command")?.value;
  const [file, ...rest] = args.operands;
  if (file) judgePath(file, "create", at);
  if (code) return runText(code, at);
  if (rest[0]?.value === "-c" && rest[1]) return runText(rest[1], at);
  return rest.length > 0 ? at.run.judge.argv(rest, deeper(at)) : nothing;
};

export const scriptProgram: Handler = (argv, at) => {
  const args = readArguments(
    argv.slice(1),
    grammarOf("-q --quiet -a --append -e --return -f --flush -c: --command:"),
    false,
  );
  const code = args.given.find(({ name }) => name === "-c" || name === "--command")?.value;
  for (const file of args.operands) judgePath(file, "write", at);
  if (code) return runText(code, at);
  note(at, "L2", "program.script", "records a shell session", "interpreter");
  return unknown();
};

/** Runs what follows under a tracer or checker: at least unknown, and what it runs. */
export const tracer: Handler = (argv, at) => {
  note(at, "L2", "program.unknown", `runs a command under ${argv[0]?.value}`, "process");
  const from = /^(perf|heaptrack|rr)$/.test(argv[0]?.value ?? "") && /^[a-z-]+$/.test(argv[1]?.value ?? "") ? 1 : 0;
  const start = argv.findIndex(
    (text, index) =>
      index > from && !text.value.startsWith("-") && !/^-[opesSaEuIbP]$/.test(argv[index - 1]?.value ?? ""),
  );
  return start > 0 ? at.run.judge.argv(argv.slice(start), deeper(at)) : unknown();
};

/** `sudo`, `su`, `ssh`, `chroot`: L3 whatever follows; what follows is judged too where it is visible. */
export const escalation =
  (text: string, tag: "escalate" | "exfiltrate"): Handler =>
  (argv, at) => {
    if (argv.length === 2 && /^(--version|-V|--help)$/.test(argv[1]?.value ?? "")) return constant;
    note(at, "L3", `program.${tag}`, text, tag);
    if (tag === "exfiltrate")
      at.run.findings.effect(
        at.part,
        "network",
        shown(argv.find((word, index) => index > 0 && !word.value.startsWith("-")) ?? literal("")),
        "irreversible",
      );
    const start = argv.findIndex((word, index) => index > 0 && !word.value.startsWith("-"));
    if (tag === "escalate" && start > 0 && argv[0]?.value !== "su") at.run.judge.argv(argv.slice(start), deeper(at));
    return unknown(Origin.network);
  };

export const busybox: Handler = (argv, at) => {
  const rest = argv.slice(1);
  if (rest.length === 0 || /^--(help|list|list-full)$/.test(rest[0]?.value ?? "")) return constant;
  return at.run.judge.argv(rest, deeper(at));
};
