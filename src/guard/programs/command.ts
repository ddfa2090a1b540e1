// One command after expansion: who is it, and what does it do with these arguments?
import { judgeBrought } from "./telltales/brought-files.ts";
import { posix } from "node:path";
import { readingRow, tellsVersion } from "./reading/judge.ts";
import { saysThatItActs, unknownKind } from "../rules/unknown-reasons.ts";
import { plainReaders, rows } from "./tables.ts";
import type { Row } from "../rules/row.ts";
import { interpreters } from "./interpreters/table.ts";
import { riskRank } from "../../protocol/risk.ts";
import { type Context, deeper, type Handler, note, originOf } from "../command-line/context/context.ts";
import { maybeOption, maybeSplit } from "../command-line/shell/evaluated.ts";
import {
  constant,
  hole,
  isStatic,
  nothing,
  Origin,
  shown,
  type Flow,
  type Text,
  unknown,
} from "../command-line/syntax/text.ts";
import { builtins } from "./shells/builtins.ts";
import { declared } from "./checks/judge.ts";
import { handlers } from "./handlers.ts";
import { announcePackages } from "./packages/installs.ts";
import { judgeObeyed } from "./telltales/obeyed.ts";
import { outputs } from "./outputs.ts";
import { runsInstalled } from "./packages/judge.ts";
import { judgeRow } from "./rows/judge.ts";
import {
  carried,
  judgeOpenShell,
  judgeOutputs,
  judgeSecret,
  judgeShapes,
  judgeWords,
  located,
  shellNames,
} from "./telltales/telltales.ts";
import { judgePath, places } from "../command-line/context/paths.ts";
import { within } from "../command-line/context/sensitive.ts";
import { judgeCode } from "./code/judge.ts";

/** No table has a longer one, and nothing goes over a word again and again that is no name. */
const longestName = 64;

/** Programs of one name with a version (`python3.12`, `pip3`, `gcc-13`) share a row. */
export const family = (name: string): string => {
  const lower = name.replace(/\.exe$/i, "");
  if (lower.length > longestName || rows.has(lower) || handlers.has(lower)) return lower;
  const base = lower.replace(/-?\d+(\.\d+)*$/, "");
  return rows.has(base) || handlers.has(base) ? base : lower;
};

const systemFolder = /^\/(usr\/(local\/)?)?s?bin$/;

/** The program's table name if the word really names a program of the system. */
function identify(word: string, at: Context): { name: string; known: boolean } {
  const { facts } = at.run;
  if (!word.includes("/")) return { name: family(word), known: facts.systemProgram(word) !== undefined };
  const base = posix.basename(word);
  const system = facts.systemProgram(base);
  if (!system || !word.startsWith("/")) return { name: family(base), known: false };
  const fact = facts.path(posix.normalize(word));
  return {
    name: family(base),
    known: fact.real === system || (fact.kind === "missing" && systemFolder.test(posix.dirname(word))),
  };
}

export type Call = (name: string, rest: readonly Text[]) => Flow | undefined;

export function judgeCommand(argv: readonly Text[], at: Context, call: Call): Flow {
  const [head, ...rest] = argv;
  if (!head) return nothing;
  // What is searched for is not said.
  if (!plainReaders.has(posix.basename(head.value))) for (const text of rest) at.run.findings.say(shown(text));
  if (head.holes || head.computed) {
    judgeDynamic(head, at);
    if (head.holes) {
      if (head.value.includes("/")) judgeSuffix(head, argv, at, call);
      // An unset variable is empty: what then stands there counts too.
      const rest = head.value.replaceAll(hole, "");
      if (rest && !rest.includes("/"))
        judgeCommand([{ ...head, value: rest, holes: false, computed: false }, ...argv.slice(1)], at, call);
      return unknown();
    }
  }
  if (/^!(\/usr)?(\/bin\/)?(ba|z|da)?sh$/.test(head.value))
    note(at, "L3", "shell.opened", "opens a shell from a program that is still running", "escalate");
  if (head.glob) note(at, "L3", "shell.pattern-command", "hides the command behind a pattern", "hide");
  const called = call(head.value, rest);
  if (called && !at.scope.functions.get(head.value)?.some((body) => body.doubtful)) return called;
  const builtin = builtins.get(head.value);
  if (builtin) return builtin(argv, at);
  return judgeProgram(argv, at);
}

function judgeDynamic(head: Text, at: Context): void {
  if (head.from & (Origin.network | Origin.decoded))
    note(at, "L3", "shell.run-download", "runs what came from the network or was decoded", "download-and-run");
  else note(at, "L2", "shell.dynamic-command", "the command is not known beforehand", "dynamic");
}

/** `"$dir"/rm -rf /`: the visible name still counts. */
function judgeSuffix(head: Text, argv: readonly Text[], at: Context, call: Call): void {
  const name = head.value.slice(head.value.lastIndexOf("/") + 1);
  if (name && !name.includes(hole))
    judgeCommand([{ ...head, value: name, holes: false, computed: false }, ...argv.slice(1)], at, call);
}

const isReader = (name: string): boolean =>
  !handlers.has(name) && (rows.get(name)?.risk ?? "L0") === "L0" && rows.has(name);

/** A program, whatever functions and builtins are called the same. */
function judgeProgram(argv: readonly Text[], at: Context): Flow {
  const flow = judgeNamed(argv, at);
  judgeActing(argv, at);
  return flow;
}

/** What is asked only because nobody knows it, and says itself that it publishes or installs, is asked for that, too. */
function judgeActing([head, ...rest]: readonly Text[], at: Context): void {
  const unknownOnly = at.run.findings
    .segment(at.part)
    .some(({ risk, code }) => risk === "L2" && unknownKind(code) === "code");
  if (!head || !unknownOnly) return;
  const words = rest.map(({ value }) => value);
  if (saysThatItActs(head.value, words))
    note(at, "L2", "program.says-so", "says that it publishes, deploys or installs");
}

function judgeNamed(argv: readonly Text[], at: Context): Flow {
  const [head] = argv;
  if (!head) return nothing;
  const { findings } = at.run;
  const { name, known } = identify(head.value, at);
  findings.tags.add("process");
  findings.effect(at.part, "execute", head.value);
  if (writtenHere(head, at)) return unknown();
  judgeShapes(name, argv, at);
  judgeOpenShell(name, argv, at);
  const handler: Handler | undefined = handlers.get(name);
  const row = rows.get(name);
  if (!known || row?.risk === "L2" || interpreters.has(name) || /^(npx|bunx|pnpx)$/.test(name)) {
    const check = declared(argv, at);
    if (check) return check;
  }
  if (!runsInstalled(name, argv, at)) announcePackages(name, argv, at);
  const tells = known && (handler !== undefined || row !== undefined) && tellsVersion(name, argv);
  if (tells || !/^(npm|yarn|pnpm|bun)$/.test(name)) judgeObeyed(name, at);
  if (tells) return constant;
  const form = known ? readingRow(name, argv) : undefined;
  if (form) {
    const flow = judgeRow(form, [{ ...head, value: name }, ...argv.slice(1)], at);
    return carried(name, flow, argv.slice(1), at);
  }
  if (!handler && !row) {
    if (isFolder(head, at)) {
      note(at, "L2", "program.missing", `${shown(head)} is a folder, so nothing runs`, "unknown-program");
      judgeWords(argv, at);
      return unknown();
    }
    note(at, "L2", "program.unknown", `runs ${shown(head)}, which is not known`, "unknown-program");
    if (head.value.includes("/")) judgePath(head, "read", at);
    judgeWords(argv, at);
    judgeBrought(name, argv.slice(1), at);
    return unknown();
  }
  if (!handler && row && (riskRank(row.risk ?? "L0") > 0 || /(^| )\*( |$)/.test(row.options ?? "")))
    judgeWords(argv, at);
  if (row?.tag === "install" && argv.some((text, index) => index > 0 && downloaded(text, at)))
    note(at, "L3", "shell.run-download", "installs what came from the network", "download-and-run");
  if (!known)
    note(at, "L2", "program.not-system", `${shown(head)} is not a program of this system's folders`, "unknown-program");
  const acting = [{ ...head, value: name }, ...argv.slice(1)];
  if (handler)
    for (const text of argv.slice(1)) if (!/^(sed|gsed|awk|gawk|mawk|nawk|jq|yq)$/.test(name)) judgeSecret(text, at);
  if (!isReader(name)) judgeOutputs(argv, at);
  if (optionsMatter(name, row)) judgeUnknownOptions(argv, at);
  const inner = shellNames.has(name) ? at : { ...at, inside: name };
  const flow = handler ? handler(acting, inner) : row ? judgeRow(row, acting, inner) : nothing;
  judgeBrought(name, argv.slice(1), at);
  if (name === "which") return carried(name, located(argv.slice(1), at), argv.slice(1), at);
  return carried(name, outputs.get(name)?.(argv.slice(1), inner, flow) ?? flow, argv.slice(1), at);
}

/** A shell says that it is one, and does nothing. In the roots something else may have taken its place by then. */
function isFolder(head: Text, at: Context): boolean {
  if (!isStatic(head) || !head.value.startsWith("/")) return false;
  const { facts } = at.run;
  const { real, kind } = facts.path(posix.normalize(head.value));
  return kind === "folder" && !within(real, facts.workspace) && !within(real, facts.temporary);
}

/** Programs with a table of options, of which some act. The words of a wrapper are those of another command. */
const optionsMatter = (name: string, row: Row | undefined): boolean =>
  !plainReaders.has(name) && (handlers.has(name) ? ownOptions.test(name) : row !== undefined);

/** Of the programs that more than a row judges, those whose words are all their own. */
const ownOptions =
  /^(g?sed|g?find|fd|fdfind|git|jq|yq|gojq|dasel|jaq|g?tar|bsdtar|unzip|openssl|gpg2?|[bgx]?zcat|b(un)?zip2|g(un)?zip|(un)?xz|zstd(cat)?|lz4(cat)?|xxd|base(32|64|nc)|printenv)$/;

/** Subcommands of git of which no option writes or runs anything. */
const plainGit = /^(rev-parse|rev-list|merge-base|ls-files|ls-tree|show-ref)$/;

function judgeUnknownOptions(argv: readonly Text[], at: Context): void {
  if (argv[0]?.value === "git" && plainGit.test(argv[1]?.value ?? "")) return;
  const end = argv.findIndex((text) => text.value === "--");
  if (argv.slice(1, end < 0 ? argv.length : end).some((text) => maybeOption(text) || maybeSplit(text)))
    note(
      at,
      "L2",
      "shell.dynamic-option",
      "has a word that may become an option (write -- or ./ before it)",
      "dynamic",
    );
}

/** What an installer is given came from the network with this same command. */
const downloaded = (text: Text, at: Context): boolean =>
  (text.from & Origin.network) !== 0 ||
  (at.run.written.size > 0 &&
    /^[.~]|\/|\.(deb|rpm|whl|tgz|gz|zip|apk|gem|jar|txt|snap|pkg|nupkg)$/.test(text.value) &&
    places(text, at).some(({ absolute }) => (originOf(absolute, at) & Origin.network) !== 0));

/** Running a file that the same command line downloaded, decoded or wrote. */
function writtenHere(head: Text, at: Context): boolean {
  if (!isStatic(head) || !head.value.includes("/")) return false;
  for (const folder of head.value.startsWith("/") ? ["/"] : at.scope.folders) {
    const text = at.run.contents.get(posix.resolve(folder, head.value));
    if (text !== undefined) judgeContents(text, at);
    const from = originOf(posix.resolve(folder, head.value), at);
    if (from & (Origin.network | Origin.decoded)) {
      note(
        at,
        "L3",
        "shell.run-download",
        `runs ${shown(head)}, which this command downloads or decodes`,
        "download-and-run",
      );
      return true;
    }
  }
  return false;
}

/** A script that this command has just written, by its first line. */
function judgeContents(text: string, at: Context): void {
  if (/^#!.*\b(python|perl|ruby|node|php|lua|deno|bun|tclsh)/.test(text)) judgeCode(text, at);
  else at.run.judge.script(text, deeper(at));
}
