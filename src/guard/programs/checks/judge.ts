// Declared checks: test, lint, type-check and build commands of the project's manifest.
import { toolOf } from "./table.ts";
import { type Context, note } from "../../command-line/context/context.ts";
import { grammarOf, readArguments } from "../../command-line/context/options.ts";
import { type Flow, isStatic, type Text, unknown } from "../../command-line/syntax/text.ts";
import { judgeValue } from "../rows/judge.ts";

const harmless =
  /^(-v|-vv|-q|-s|-x|-k|-t|-f|-u|--verbose|--silent|--quiet|--coverage|--no-coverage|--cov(=[\w./-]+)?|--run|--bail|--ci|--watch=false|--watchAll=false|--runInBand|--no-cache|--color|--no-color|--release|--all|--all-targets|--all-features|--workspace|--nocapture|--grep|--filter|-run|-race|-count=\d+|--fix|--maxfail=\d+|--tb=\w+|--lf|--ff|--reporter=(dot|verbose|json|default|spec|tap)|--passWithNoTests|--testNamePattern(=.*)?|--testPathPattern(=.*)?|-n|-p|--lib|--bins|--doc|--tests|--exit|--noEmit|--strict|--max-warnings(=\d+)?|--quiet|-e2e|--headless|--ext|--)$/;

/** Options that load code for one program and only choose for another. */
const choosing = new Map([
  ["-p", /^(cargo|go|tsc|tap)$/],
  ["-f", /^(bats|dotnet|go|cargo)$/],
]);
const loads = (words: readonly string[]): boolean =>
  words.some((word) => choosing.get(word)?.test(words[0] ?? "") === false);

/** Words that a package script hands on to its own tool: they choose, unless they load, write or lead elsewhere. */
const handsOn = /^(npm|pnpm|yarn|bun)$/;
const choosesOnly =
  /^--?(?![\w-]*(require|import|loader|plugin|config|exec|eval|preload|setup|runner|shell|script|command|cmd|out|output|dir|path|file|url|host|token|registry|publish|push|prefix|cwd|global|workspace|inspect|open|api))(?![corewgC](?:=|$))[a-zA-Z][\w-]*(=[\w.,:@-]*)?$/i;

/** Further words of these are more things to do, not what to check. */
const targets = /(^|\/)(g?make|just|rake|task|gradlew?|mvnw?|ant|ninja|bazel|nox|tox|invoke|hatch|turbo|nx|lerna)$/;

/** Judges a command that the project declares as a check; undefined when it is none. */
export function declared(argv: readonly Text[], at: Context): Flow | undefined {
  if (!argv.every((text, index) => isStatic(text) && (!text.glob || index > 0))) return undefined;
  const words = argv.map((text) => text.value);
  const found = at.scope.folders.map(
    (folder) =>
      (argv.some((text) => text.glob) ? undefined : lookUp(words, folder, at)) ?? lookUpTool(argv, folder, at),
  );
  const check = found[0];
  if (!check || found.includes(undefined)) return undefined;
  const { findings } = at.run;
  findings.tags.add("process");
  findings.effect(at.part, "execute", words.join(" "));
  findings.tags.add(check.kind === "build" ? "declared-build" : "declared-check");
  if (check.changed.length > 0)
    note(
      at,
      "L2",
      "check.changed",
      `runs a check whose definition changed in this session (${check.changed.join(", ")})`,
      "run-later",
    );
  else
    note(
      at,
      "L1",
      "check.declared",
      `runs a declared ${check.kind === "build" ? "build" : check.kind === "types" ? "type check" : check.kind}`,
    );
  return unknown();
}

/** `cargo +nightly test`, `node --import tsx --test`: what stands before the word that says what is done. */
function plainly(argv: readonly Text[]): readonly Text[] {
  const words = argv.map((text) => text.value);
  if (words[0] === "cargo" && /^\+[\w.-]+$/.test(words[1] ?? "")) return argv.filter((_, index) => index !== 1);
  const test = words.indexOf("--test");
  const script = words.findIndex(
    (word, index) =>
      index > 0 &&
      !word.startsWith("-") &&
      !/^(--import|-r|--require|--loader|--experimental-loader|-C|--conditions)$/.test(words[index - 1] ?? ""),
  );
  if (words[0] !== "node" || test < 2 || (script >= 0 && script < test)) return argv;
  return [argv[0] as Text, argv[test] as Text, ...argv.filter((_, index) => index !== 0 && index !== test)];
}

/** A tool of the project with nothing but options that keep it to its work, on files of the workspace. */
function lookUpTool(given: readonly Text[], folder: string, at: Context) {
  const argv = plainly(given);
  const words = argv.map((text) => text.value);
  const found = toolOf(words);
  if (!found) return undefined;
  const { tool, length, name } = found;
  // `mvn *` is declared where what follows must say what is done.
  const check = [words.slice(0, length).join(" "), name, `${name} *`]
    .map((command) => at.run.facts.declaredCheck(command, folder))
    .find((one) => one !== undefined);
  if (!check) return undefined;
  const rest = argv.slice(length);
  const args = readArguments(rest, grammarOf(tool.options));
  if (args.unknown.length > 0 || rest.some((text) => tool.except?.test(text.value))) return undefined;
  if (tool.tasks && !args.operands.every((text) => tool.tasks?.test(text.value))) return undefined;
  if (tool.needs && !rest.some((text) => tool.needs?.test(text.value))) return undefined;
  for (const { rule, value } of args.given) if (value && rule.access) judgeValue(rule.access, value, at);
  const letter = tool.operands[0] ?? "t";
  for (const operand of args.operands) judgeValue(letter, letter === "r" ? fileOf(operand) : operand, at);
  return check;
}

/** `tests/a.py::test_b` and `spec/a_spec.rb:12` name a file. */
const fileOf = (text: Text): Text => ({ ...text, value: text.value.replace(/::?[^/]*$/, "") || text.value });

/** Words of which a declared check consists at most. */
const longestCheck = 40;

/** The whole command, or its beginning when only harmless words follow. */
function lookUp(words: string[], folder: string, at: Context) {
  for (let length = Math.min(words.length, longestCheck); length >= 1; length--) {
    const rest = words.slice(length);
    const harmlessRest = rest.every(
      (word) =>
        harmless.test(word) ||
        (handsOn.test(words[0] ?? "") && choosesOnly.test(word)) ||
        (!word.startsWith("-") && !/^(\/|~)|(^|\/)\.\.(\/|$)|[;&|<>`$]/.test(word)),
    );
    if (!harmlessRest || loads([words[0] ?? "", ...rest])) return undefined;
    const operands = rest.filter((word) => !word.startsWith("-")).length;
    const check = at.run.facts.declaredCheck(words.slice(0, length).join(" "), folder);
    if (check && (operands === 0 || (check.kind !== "build" && !targets.test(words[0] ?? "")))) return check;
  }
  return undefined;
}
