// Small programs of npm's world that run or delete what their words name.
import { type Context, deeper, type Handler, note } from "../../command-line/context/context.ts";
import { grammarOf, readArguments } from "../../command-line/context/options.ts";
import { judgeVariable } from "../../command-line/shell/variables.ts";
import { constant, isStatic, literal, shown, unknown } from "../../command-line/syntax/text.ts";
import { packageScript, script } from "./scripts.ts";

/** `cross-env NAME=value command`. */
export const crossEnv: Handler = (argv, at) => {
  const start = argv.findIndex((text, index) => index > 0 && !/^[A-Za-z_]\w*=/.test(text.value));
  for (const text of argv.slice(1, start < 0 ? argv.length : start)) {
    const equals = text.value.indexOf("=");
    judgeVariable(text.value.slice(0, equals), { ...text, value: text.value.slice(equals + 1) }, at);
  }
  return start < 0 ? constant : at.run.judge.argv(argv.slice(start), deeper(at));
};

/** `rimraf`, `del-cli` and their kin delete like `rm -rf`. */
export const rimraf: Handler = (argv, at) => {
  const words = argv
    .slice(1)
    .filter((text) => !/^(-g|--glob|--verbose|-v|--force|-f|--no-preserve-root)$/.test(text.value));
  return at.run.judge.argv([literal("rm"), literal("-rf"), ...words], deeper(at));
};

/** `shx rm -rf dist`. */
export const shx: Handler = (argv, at) => (argv.length > 1 ? at.run.judge.argv(argv.slice(1), deeper(at)) : constant);

const coverage =
  "-r: --reporter: --check-coverage --100 --99 --95 --90 --lines: --branches: --functions: --statements: --all -a --src: -n: --include: -x: --exclude: --report-dir:c --reports-dir:c -o:c --temp-directory:c --clean? --no-clean --per-file --skip-full --experimental-monocart --silent -s --exclude-after-remap? --extension: -e: -i:r --require:r --instrument? --source-map? --watermarks: --cache? --config:r -c:r";

/** `c8 mocha`, `nyc npm test`: measures another command. */
export const measured: Handler = (argv, at) => {
  const args = readArguments(argv.slice(1), grammarOf(coverage), true);
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  const [verb] = args.operands;
  if (!verb || (/^(report|check-coverage|instrument|merge)$/.test(verb.value) && isStatic(verb))) {
    note(at, "L1", "program.coverage", "writes a report of coverage");
    return unknown();
  }
  note(at, "L1", "program.coverage", "writes what was covered");
  return at.run.judge.argv(args.operands, deeper(at));
};

/** `run-s lint test:*`: scripts of the package, one after the other or at once. */
export const runScripts: Handler = (argv, at) => {
  const names = argv.slice(1).filter((text) => !text.value.startsWith("-"));
  for (const name of names) oneScript(name.value, at);
  return names.length > 0 ? unknown() : constant;
};

function oneScript(line: string, at: Context): void {
  const [name = "", ...rest] = line.split(" ");
  const words = rest.filter((word) => word !== "--").map(literal);
  const known = packageScript(name, undefined, at) !== undefined;
  if (known || /[*{]/.test(name)) {
    if (known) script(name, { at, checked: false, folder: undefined, rest: words });
    else note(at, "L2", "package.script", `runs the scripts ${name}`, "unknown-program");
    return;
  }
  at.run.judge.argv([literal("npm"), literal("run"), literal(name), ...words], deeper(at));
}

/** `concurrently "npm:watch" "tsc -w"`: each word is a command line. */
export const concurrently: Handler = (argv, at) => {
  const args = readArguments(
    argv.slice(1),
    grammarOf(
      "-k --kill-others --kill-others-on-fail -n: --names: -c: --prefix-colors: -p: --prefix: -r --raw -s: --success: -g --group --no-color --hide: --max-processes: -m: --restart-tries: --timings -i --handle-input -P --passthrough-arguments --names-separator: --default-input-target:",
    ),
  );
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  for (const line of args.operands) {
    if (!isStatic(line))
      note(at, "L3", "shell.dynamic-code", "runs a command line that is not known beforehand", "dynamic");
    else if (/^(npm|yarn|pnpm|bun):/.test(line.value)) oneScript(line.value.slice(line.value.indexOf(":") + 1), at);
    else at.run.judge.script(line.value, deeper(at));
  }
  return unknown();
};
