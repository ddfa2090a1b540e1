// Package scripts and build targets: looked up in the repository, judged by what they would run.
import { posix } from "node:path";
import { type Context, deeper, type Handler, note } from "../../command-line/context/context.ts";
import { judgePath } from "../../command-line/context/paths.ts";
import { within } from "../../command-line/context/sensitive.ts";
import { runInput } from "../shells/judge.ts";
import { constant, type Flow, isStatic, literal, shown, type Text, unknown } from "../../command-line/syntax/text.ts";
import { declared } from "../checks/judge.ts";
import { justRecipes, makeRecipes } from "./makefile.ts";
import { judgeChanged, manifestFolder, onlyForbidden, packageScript, runDefined, script } from "./scripts.ts";
import { fromDownload, judgeObeyed } from "../telltales/obeyed.ts";
import { forbiddenCommand, judgeOwnCode } from "../telltales/telltales.ts";

const installs = new Set(
  "install i in ci add update up upgrade uninstall remove rm un r unlink link ln dedupe ddp prune rebuild rb import fetch install-test it install-ci-test cit global self-update set shrinkwrap audit-fix pack-install patch patch-commit create init innit dlx exec x".split(
    " ",
  ),
);
const reading = new Set(
  "ls list la ll why explain view info show v outdated root prefix bin help search s query config-get fund licenses pkg-get -v --version -h --help version-get".split(
    " ",
  ),
);
const publishing = new Set(
  "publish unpublish deprecate dist-tag owner access token login adduser logout team org hook star unstar trust".split(
    " ",
  ),
);

/** npm, pnpm, yarn and bun. */
export const nodePackages: Handler = (argv, at) => {
  const name = argv[0]?.value ?? "npm";
  const check = declared(argv, at);
  const words = argv.slice(1);
  if (words.length === 0 && name !== "yarn") return constant;
  fromDownload(at);
  const options: Text[] = [];
  let index = 0;
  for (; index < words.length && words[index]?.value.startsWith("-"); index++) {
    const word = words[index];
    if (!word) break;
    options.push(word);
    if (/^(--prefix|-C|--cwd|--dir|-w|--workspace|--filter|-F|--userconfig|--registry)$/.test(word.value)) index++;
  }
  const folder = optionValue(words, /^(--prefix|-C|--cwd|--dir)$/);
  if (folder) judgePath(folder, "create", at);
  const verb = words[index];
  const rest = words.slice(index + 1);
  if (!verb) {
    if (words.length > 0 && words.every((text) => /^(-v|--version|-h|--help|-l)$/.test(text.value))) return constant;
    return installing(name, at);
  }
  if (!isStatic(verb)) {
    note(at, "L2", "shell.dynamic-command", "runs a script that is not known beforehand", "dynamic");
    return unknown();
  }
  if (name === "bun" && /^(-e|--eval|-p|--print)$/.test(words[0]?.value ?? ""))
    return at.run.judge.argv([literal("node"), ...words], deeper(at));
  const first = rest.find(({ value }) => !value.startsWith("-"));
  return judgeVerb({ name, verb: verb.value, rest, first, at, checked: check !== undefined, folder });
};

function optionValue(words: readonly Text[], pattern: RegExp): Text | undefined {
  const at = words.findIndex((text) => pattern.test(text.value));
  return at >= 0 ? words[at + 1] : undefined;
}

interface Verb {
  name: string;
  verb: string;
  rest: readonly Text[];
  first: Text | undefined;
  at: Context;
  checked: boolean;
  folder: Text | undefined;
}

/** In this order: the first that knows the verb judges it. */
const judges: readonly ((call: Verb) => Flow | undefined)[] = [
  runsScript,
  runsPackage,
  publishes,
  configures,
  asksRegistry,
  packs,
  reads,
  (call) => (installs.has(call.verb) ? installing(call.name, call.at) : undefined),
  runsByName,
];

function judgeVerb(call: Verb): Flow {
  for (const judge of judges) {
    const flow = judge(call);
    if (flow) return flow;
  }
  const { name, verb, at, checked } = call;
  if (checked) return unknown();
  if (withoutRun(name)) note(at, "L2", "package.script", `runs the script ${verb}`, "unknown-program");
  else note(at, "L2", "program.unknown", `${name} ${verb} is not known`, "unknown-program");
  return unknown();
}

/** Package managers that run a script without the word `run`. */
const withoutRun = (name: string): boolean => /^(yarn|pnpm|bun)$/.test(name);

function runsScript({ verb, rest, first, ...call }: Verb): Flow | undefined {
  if (/^(run|run-script|rum|urn)$/.test(verb)) {
    if (!first) return constant;
    return script(first.value, { ...call, rest: handedOn(rest.slice(rest.indexOf(first) + 1)) });
  }
  if (!/^(test|t|tst|start|stop|restart)$/.test(verb)) return undefined;
  return script(verb === "t" || verb === "tst" ? "test" : verb, { ...call, rest: handedOn(rest) });
}

function runsPackage({ verb, rest, at }: Verb): Flow | undefined {
  if (verb === "dlx") return downloads(rest, at);
  return verb === "exec" || verb === "x" ? npx([literal("npx"), ...rest], at) : undefined;
}

function publishes({ verb, first, at }: Verb): Flow | undefined {
  if (!publishing.has(verb) || (verb === "access" && /^(ls|list|get)$/.test(first?.value ?? ""))) return undefined;
  if (verb === "token") {
    note(at, "L3", "program.credentials", "handles registry credentials", "sensitive-write");
    return unknown();
  }
  note(at, "L2", "program.publish", "publishes or changes a published package", "publish");
  at.run.findings.effect(at.part, "network", "registry", "irreversible");
  return unknown();
}

function configures({ verb, rest, first, at }: Verb): Flow | undefined {
  if (!/^(config|c|set|get)$/.test(verb)) return undefined;
  const key = rest.find(({ value }) => !value.startsWith("-") && !/^(set|get|list|ls)$/.test(value))?.value ?? "";
  const getting = verb === "get" || first?.value === "get";
  if (getting && isStatic(first) && key && !/auth|token|pass|key|cert|:/i.test(key)) return constant;
  if (getting || /^(list|ls)$/.test(first?.value ?? "")) {
    note(at, "L2", "program.config-read", "shows settings, which may hold credentials", "sensitive-read");
    return unknown();
  }
  if (/script-shell|node-options|init-module|editor|shell/.test(key))
    note(at, "L3", "program.config", `makes the package manager run something else (${key})`, "hide");
  note(at, "L2", "program.config", "changes settings", "environment");
  return unknown();
}

function asksRegistry({ verb, first, at }: Verb): Flow | undefined {
  if (verb === "pkg" && first?.value === "get") return unknown();
  if (/^(audit|outdated|view|info|show|v|search|ping|whoami)$/.test(verb)) {
    note(at, "L2", "network.registry", "asks the package registry", "network");
    return unknown();
  }
  if (verb !== "cache" && verb !== "store") return undefined;
  // In the sandbox it is the session's own that is looked through.
  if (first?.value === "verify")
    note(at, "L2", "program.inspects", "looks through the package cache", "unknown-program");
  else note(at, "L2", "program.cache", "works on the package cache", "outside");
  return unknown();
}

function packs({ verb, rest, at }: Verb): Flow | undefined {
  if (verb !== "pack" || !rest.some(({ value }) => value === "--dry-run")) return undefined;
  if (!rest.some(({ value }) => value === "--ignore-scripts"))
    note(at, "L2", "package.script", "runs prepack and prepare (--ignore-scripts leaves them out)", "unknown-program");
  // `owner/name`, `name@1` and an address are fetched, also when a file is called so.
  if (rest.some((text) => !text.value.startsWith("-") && !isFolderName(text)))
    note(at, "L2", "network.registry", "fetches what it packs", "network");
  return unknown();
}

const isFolderName = (text: Text): boolean =>
  isStatic(text) && !text.glob && /^(\.{1,2}|\.{0,2}\/[^:]*)$/.test(text.value);

function reads({ name, verb, first, at }: Verb): Flow | undefined {
  if (verb === "fund" && first) note(at, "L2", "network.client", "opens a browser", "network");
  if (!reading.has(verb) && !(verb === "workspaces" && /^(info|list)$/.test(first?.value ?? ""))) return undefined;
  judgeObeyed(name, at);
  return unknown();
}

/** yarn, pnpm and bun take scripts and programs of the project, bun files as well, where npm wants `run` or `exec`. */
function runsByName({ name, verb, rest, at, checked, folder }: Verb): Flow | undefined {
  if (!withoutRun(name)) return undefined;
  if (packageScript(verb, folder, at) !== undefined) return script(verb, { at, checked, folder, rest });
  if (name === "bun" && /\.[cm]?[jt]sx?$/.test(verb)) {
    judgePath(literal(verb), "read", at);
    note(at, "L2", "program.script", `runs ${verb}`, "interpreter");
    return unknown();
  }
  if (checked || !installed(literal(verb), [literal(verb)], at)) return undefined;
  return projectProgram([literal(verb), ...rest], at);
}

/** npm keeps options before `--` to itself; the others hand all on. */
const handedOn = (rest: readonly Text[]): Text[] => rest.filter((text) => text.value !== "--");

function installing(name: string, at: Context): Flow {
  note(at, "L2", "program.install", "installs packages", "install");
  at.run.findings.tags.add("network");
  at.run.findings.effect(at.part, "network", `${name} registry`, "irreversible");
  return unknown();
}

/** Whether a command that may download a program runs one that the project has. */
export function runsInstalled(name: string, argv: readonly Text[], at: Context): boolean {
  const words = argv.slice(1);
  const verb = /^(npm|pnpm|yarn|bun)$/.test(name) ? words.findIndex(({ value }) => /^(exec|x)$/.test(value)) : -1;
  if (verb < 0 && !/^(npx|bunx|pnpx)$/.test(name)) return false;
  const rest = words.slice(verb + 1);
  const program = rest.find(({ value }) => !value.startsWith("-"));
  return program !== undefined && installed(program, rest, at);
}

/** Whether the project has the program, so that nothing is downloaded: no package is named, and no version. */
function installed(program: Text, words: readonly Text[], at: Context): boolean {
  const { facts } = at.run;
  if (!isStatic(program) || !/^[\w.-]+$/.test(program.value)) return false;
  const before = words.slice(0, words.indexOf(program));
  if (!before.every(({ value }) => /^(--no|--no-install|--offline|--prefer-offline|-q|--quiet|--)$/.test(value)))
    return false;
  return (
    at.scope.folders.length > 0 &&
    at.scope.folders.every((folder) => {
      const { real, kind } = facts.path(posix.join(folder, "node_modules/.bin", program.value));
      return kind === "file" && within(real, facts.workspace);
    })
  );
}

/** The project's own program: what its name is known for counts, and its code is not known. */
function projectProgram(argv: readonly Text[], at: Context): Flow {
  note(
    at,
    "L2",
    "program.not-system",
    `runs ${shown(argv[0] ?? literal("?"))} of the project's packages`,
    "unknown-program",
  );
  at.run.judge.argv(argv, deeper(at));
  return unknown();
}

export const npx: Handler = (argv, at) => {
  const check = declared(argv, at);
  if (check) return check;
  const words = argv.slice(1);
  if (words.length > 0 && words.every((text) => /^(-v|--version|-h|--help)$/.test(text.value))) return constant;
  const code = words.findIndex((text) => text.value === "-c" || text.value === "--call");
  if (code >= 0 && words[code + 1]) at.run.judge.script(words[code + 1]?.value ?? "", deeper(at));
  const program = words.find(
    (text, index) => !text.value.startsWith("-") && !/^(-p|--package|-c|--call)$/.test(words[index - 1]?.value ?? ""),
  );
  const own = code < 0 && program ? installed(program, words, at) : false;
  if (program && own) return projectProgram(words.slice(words.indexOf(program)), at);
  return downloads(program ? words.slice(words.indexOf(program)) : [], at);
};

function downloads(argv: readonly Text[], at: Context): Flow {
  const program = argv.find((text) => !text.value.startsWith("-"));
  const what = program ? shown(program) : "?";
  note(at, "L2", "program.npx", `runs the package ${what}, downloading it if needed`, "install");
  at.run.findings.tags.add("network");
  if (program) {
    const found = forbiddenCommand(argv.slice(argv.indexOf(program)), at);
    if (found) note(at, "L3", found.code, found.text, found.tag);
  }
  return unknown();
}

/** make, just, rake, task, ninja and friends: any target may run anything. */
export const build: Handler = (argv, at) => {
  const words = argv.slice(1);
  if (words.length > 0 && words.every((text) => /^(--version|-v|--help|-h|-V)$/.test(text.value))) return constant;
  for (const text of words) {
    if (/^(SHELL|MAKEFLAGS|\.SHELLFLAGS)=/.test(text.value))
      note(at, "L3", "program.shell-variable", "makes make use another shell", "hide");
    if (/^\w+=.*\s/.test(text.value)) judgeOwnCode({ ...text, value: text.value.replace(/^\w+=/, "") }, at);
    if (/^--eval/.test(text.value))
      note(at, "L3", "shell.dynamic-code", "gives make rules on the command line", "dynamic");
  }
  fromDownload(at);
  const folder = optionValue(words, /^(-C|--directory|-f|--file|--makefile)$/);
  if (folder?.value === "-") {
    runInput("make", at);
    for (const line of (at.scope.stdin.text ?? "").split("\n"))
      onlyForbidden(line.replace(/^[\w./%-]+\s*:[^;]*;?/, "").trim(), at);
  }
  if (folder) judgePath(folder, "read", at);
  const name = argv[0]?.value ?? "";
  const recipes = /make$/.test(name) ? makeRecipes(words, at) : name === "just" ? justRecipes(words, at) : undefined;
  const check = declared(argv, at);
  if (check) {
    for (const line of recipes?.lines ?? []) onlyForbidden(line, at);
    judgeChanged(recipes?.lines ?? [], at);
    return check;
  }
  const where = recipes?.whole ? manifestFolder(undefined, at) : undefined;
  runDefined(recipes?.lines ?? [], { what: `${name} targets`, where, at });
  return unknown();
};
