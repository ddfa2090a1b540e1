// A planned check in other words: the same runner on planned files or on tests, with another report, its output shortened.
import { entryOf } from "../../base/entry.ts";
import { below, type Call, callsOf, onlyShortens } from "./line.ts";
import { isReportWord, quietVariables, rowOf, type Runner, testPath } from "./runners.ts";

export interface PlannedCheck {
  /** What the plan holds it by. */
  digest: string;
  /** As it is written; for a script, also what it calls, and how one file of it is run. */
  forms: readonly string[];
}

interface Within {
  checks: readonly PlannedCheck[];
  /** Files that the plan holds. */
  paths: readonly string[];
  workspace: string | undefined;
}

/** The digest of the planned check that the line is, or is a part of; undefined where it is more or something else. */
export function plannedVariant(source: string, { checks, paths, workspace }: Within): string | undefined {
  const calls = callsOf(source, workspace);
  if (!calls) return undefined;
  const known = checks.flatMap(({ digest, forms }) => formsOf(digest, forms));
  const env = new Set(known.flatMap((form) => form.env));
  const found = calls.map((call) => {
    const usual = call.env.every((each) => env.has(each) || quietVariables.test(each));
    if (!usual || !call.into.every(onlyShortens)) return undefined;
    return known.find((form) => isPartOf(form, call, { paths, workspace }))?.digest;
  });
  return found.every((digest) => digest !== undefined) ? found[0] : undefined;
}

interface Form extends Program {
  digest: string;
  env: readonly string[];
  folder: string;
  /** It stands among the packages of the workspace, so npx fetches nothing for it. */
  installed: boolean;
  /** What a script of a manifest calls. */
  calls?: Program & { folder: string };
}

function formsOf(digest: string, texts: readonly string[]): Form[] {
  const read = texts.flatMap((text) => {
    const [call, ...more] = callsOf(text, undefined) ?? [];
    if (!call || more.length > 0 || call.into.length > 0) return [];
    const program = programOf(call.words);
    return program ? [{ ...program, digest, env: call.env, folder: call.folder, installed: false }] : [];
  });
  const called = read.filter(({ script }) => !script);
  const calls = called.find(({ runner }) => rowOf(runner)) ?? called[0];
  const installed = read.some(({ script, from }) => script || from === "npx" || from === "modules");
  return read.map((form) => ({ ...form, installed, ...(form.script && calls && { calls }) }));
}

interface Program {
  /** A row of the table, else the program itself. */
  runner: string;
  /** What starts it, where that is not one of the usual ways. */
  start: string;
  /** A script of package.json: what is handed to it belongs to what it calls. */
  script: boolean;
  words: readonly string[];
  /** `folder`: what is started depends on the folder it is started in; `npx`: it is fetched where it is not installed. */
  from: "path" | "modules" | "npx" | "folder";
}

const launcher = /^(?:uv|poetry|pipenv|pdm|rye|hatch) run$|^(?:pnpm|yarn) exec$/;

/** Others of these names are other programs. */
const ofNode = /^(?:vitest|jest|mocha|ava|eslint|tsc)$/;
const ofPython = /^(?:pytest|py\.test|mypy|ruff|flake8|tox|nox|coverage|black|isort|pylint)$/;

function programOf(given: readonly string[]): Program | undefined {
  let words = [...given];
  let start = "";
  let from: Program["from"] = "path";
  if (words[0] === "npx") {
    const stays = /^--no(?:-install)?$/.test(words[1] ?? "");
    words = words.slice(stays ? 2 : 1);
    from = stays ? "modules" : "npx";
    if (!ofNode.test(words[0] ?? "")) start = "npx ";
  } else if (launcher.test(words.slice(0, 2).join(" "))) {
    start = words.slice(0, 2).join(" ");
    from = "folder";
    words = words.slice(2);
  } else if (words[1] === "-m" && /^(?:\S*\/)?python[\d.]*$/.test(words[0] ?? "")) {
    const usual = /^python3?$/.test(words[0] ?? "") && (words[2] === "unittest" || ofPython.test(words[2] ?? ""));
    start = usual ? "" : `${words[0]} -m`;
    from = "folder";
    words = words.slice(2);
    if (words[0] === "unittest") return { runner: "unittest", start, script: false, words: words.slice(1), from };
  }
  const [name = "", ...rest] = words;
  if (name === "" || name.startsWith("-")) return undefined;
  const file = name.replace(/^(?:\.\/)?node_modules\/\.bin\//, "");
  if (file !== name) from = "modules";
  if (file.includes("/")) start += file.slice(0, file.lastIndexOf("/") + 1);
  const program = named(file.slice(file.lastIndexOf("/") + 1), rest, start);
  return { ...program, from: file.includes("/") && !file.startsWith("/") ? "folder" : from };
}

function named(name: string, rest: readonly string[], start: string): Omit<Program, "from"> {
  if (/^(?:npm|pnpm|yarn|bun)$/.test(name)) {
    const [script = "", ...words] = /^run(?:-script)?$/.test(rest[0] ?? "") ? rest.slice(1) : rest;
    return { runner: `${name} ${script === "t" ? "test" : script}`, start, script: true, words };
  }
  if (/^(?:go|cargo)$/.test(name))
    return { runner: `${name} ${rest[0] ?? ""}`, start, script: false, words: rest.slice(1) };
  const runner = { "py.test": "pytest", mvnw: "mvn", gradlew: "gradle", flutter: "dart" }[name] ?? name;
  // Two programs of one row are still two programs.
  return { runner, start: name === "flutter" ? `${start}flutter` : start, script: false, words: rest };
}

type Around = Pick<Within, "paths" | "workspace">;

function isPartOf(form: Form, call: Call, around: Around): boolean {
  const program = programOf(call.words);
  if (!program || program.runner !== form.runner || program.start !== form.start) return false;
  if (program.from === "npx" && !form.installed) return false;
  // Seen from another folder it is another program, or works with other settings.
  const sticks =
    program.from === "modules" || program.from === "folder" || !call.env.every((each) => quietVariables.test(each));
  if (sticks && call.folder !== form.folder) return false;
  if (form.script) return isScript(form, { ...program, folder: call.folder }, around);
  const row = testingRow(form);
  // Of a program that nobody here knows, every word decides what it does.
  if (!row || !testingRow(program)) return !row && call.folder === form.folder && same(form.words, program.words);
  return fits({ runner: form.runner, row }, { planned: form, asked: { ...program, folder: call.folder } }, around);
}

/** Undefined for a runner that is told to do something else than to test. */
function testingRow({ runner, words }: Pick<Program, "runner" | "words">): Runner | undefined {
  const row = rowOf(runner);
  if (!row?.needs) return row;
  const at = words.findIndex((word) => row.needs?.test(word));
  return at >= 0 && sorted(runner, row, words.slice(0, at)).operands.length === 0 ? row : undefined;
}

interface Pair {
  planned: { folder: string; words: readonly string[] };
  asked: { folder: string; words: readonly string[] };
}

function fits({ runner, row }: { runner: string; row: Runner }, { planned, asked }: Pair, around: Around): boolean {
  const [was, is] = [sorted(runner, row, planned.words), sorted(runner, row, asked.words)];
  if (!same(was.decides, is.decides) || !same(was.handed.decides, is.handed.decides)) return false;
  // A linter may read other settings in another folder.
  if (asked.folder !== planned.folder && /^(?:files|none)$/.test(row.operands)) return false;
  const known = was.operands.flatMap((word) =>
    row.operands === "names" ? word : (placed(planned.folder, word) ?? []),
  );
  if (is.operands.length > 0)
    return is.operands.every((word) => isPlannedOperand(row, { word, folder: asked.folder, known }, around));
  // All tests of a folder are some of all.
  return was.operands.length === 0;
}

interface Sorted {
  /** In their order. */
  decides: string[];
  operands: string[];
  handed: { decides: string[] };
}

function sorted(runner: string, row: Runner, words: readonly string[]): Sorted {
  const end = words.indexOf("--");
  const own = end < 0 ? words : words.slice(0, end);
  const found: Sorted = { decides: [], operands: [], handed: { decides: [] } };
  for (let at = 0; at < own.length; at += 1) {
    const word = own[at] ?? "";
    const value = entryOf(row.valued, word);
    if (isReportWord(runner, word)) continue;
    if (value?.test(own[at + 1] ?? "")) at += 1;
    else if (mayTakeNext(row, word) && /^[^-]/.test(own[at + 1] ?? "")) {
      found.decides.push(word, own[at + 1] ?? "");
      at += 1;
    } else if (word.startsWith("-") || row.operands === "none" || (row.acts?.test(word) && found.operands.length === 0))
      found.decides.push(word);
    else found.operands.push(word);
  }
  if (end < 0) return found;
  const hands = rowOf(row.hands ?? "");
  const rest = words.slice(end + 1);
  if (!hands) found.handed.decides.push(...rest);
  else {
    const inner = sorted(row.hands ?? "", hands, rest);
    found.handed.decides.push(
      ...inner.decides,
      ...(hands.operands === "names" ? [] : inner.operands.filter((word) => !isTest(word))),
    );
  }
  return found;
}

/** `--config FILE`: what follows an option that nobody here knows is no operand, but its value. */
const mayTakeNext = (row: Runner, word: string): boolean =>
  word.startsWith("-") && !word.includes("=") && row.alone?.test(word) !== true;

const isTest = (word: string): boolean => testPath.test(below("", fileOf(word), undefined) ?? "");

interface Operand {
  word: string;
  folder: string;
  /** Those of the planned check, from the top. */
  known: readonly string[];
}

function isPlannedOperand(
  { operands }: Runner,
  { word, folder, known }: Operand,
  { paths, workspace }: Around,
): boolean {
  if (operands === "names") return /^[\w:]+$/.test(word);
  // A file of arguments.
  if (word.startsWith("@")) return false;
  const file = placed(folder, word, workspace);
  if (operands === "modules" && !word.includes("/")) {
    const names = word.split(".");
    return known.includes(word) || names.some((_, at) => testPath.test(`${names.slice(0, at + 1).join("/")}.py`));
  }
  if (file === undefined) return false;
  if (known.includes(file) && (operands !== "packages" || word.startsWith("./"))) return true;
  if (/[^\w@%+=:,./ -]/.test(file) || (operands === "packages" && !word.startsWith("./"))) return false;
  // A bare word may be a subcommand: `vitest init`.
  const within = known.some((each) => (each === "" ? /[./]/.test(word) : file.startsWith(`${each}/`)));
  if (paths.includes(file) || within) return true;
  return operands === "tests" && testPath.test(file);
}

/** `tests/test_a.py::test_b` is one test of a file. */
const fileOf = (word: string): string => word.replace(/::[^/]*$/, "").replace(/:\d+$/, "");
const placed = (folder: string, word: string, workspace?: string): string | undefined =>
  below(folder, fileOf(word).replace(/(^|\/)\.\.\.$/, "$1") || ".", workspace);

/** `npm test -- ARGUMENTS`; other package managers hand them on without the dashes, too. */
function isScript({ folder, runner, calls, words: own }: Form, asked: Pair["asked"], around: Around): boolean {
  if (asked.folder !== folder) return false;
  const words = asked.words.filter((word) => !/^(?:-s|--silent)$/.test(word));
  if (own.length > 0 || words.length === 0) return same(own, words);
  const end = words.indexOf("--");
  if (end > 0 || (end < 0 && runner.startsWith("npm "))) return false;
  const row = calls && testingRow(calls);
  if (!row) return false;
  // It is added to what the script calls already, so it may choose and report, and decide nothing.
  const added = sorted(calls.runner, row, words.slice(end + 1));
  const known = sorted(calls.runner, row, calls.words).operands.flatMap((word) => placed(folder, word) ?? []);
  return (
    added.decides.length === 0 &&
    added.handed.decides.length === 0 &&
    added.operands.every((word) => isPlannedOperand(row, { word, folder, known }, around))
  );
}

const same = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((word, at) => word === right[at]);
