// A repository's whole suite, run so that its runner's own report says which tests there are and what came of each.
import path from "node:path";
import { shellWord } from "../../../base/shell-word.ts";
import { membersOf } from "../../../base/json-text.ts";
import { inFolder, type Look, type Proof, withReport, withReports } from "./profile.ts";

/** The same in parts: one file, which stands where `fileHere` does; one test, by its name; all of it, with its coverage. */
interface Parts {
  one?: string;
  named?: string;
  coverage?: string;
}
export type Suite = Proof & Parts;

export const fileHere = "{file}";
export const nameHere = "{name}";
const baseHere = "{base}";

/** mocha runs the files of its settings beside those that it is given, so all others are left out by name. */
export const onlyFile = `--ignore '**/!(${baseHere})' ${fileHere}`;

export const withoutFile = (text: string): string => text.replace(` ${onlyFile}`, "").replace(` ${fileHere}`, "");

/** The command for one file, and for one test of it. */
export const filled = (text: string, file: string, name = ""): string =>
  text
    .replace(baseHere, () => path.posix.basename(file).replaceAll("'", "?"))
    .replace(fileHere, () => shellWord(file))
    .replace(nameHere, () => shellWord(name));

/** How programs start that are installed beside a manifest. */
const installed = (folder: string, program: string): string =>
  folder === "" ? `node_modules/.bin/${program}` : `npx --no-install ${program}`;

/** Undefined where the report of the declared command cannot be had in another form: it is then run as it stands. */
export async function suiteOf(declared: string, { known }: Pick<Look, "known">): Promise<Suite | undefined> {
  const [, folder = "", command = declared] = /^cd (\S+) && (.*)$/.exec(declared) ?? [];
  const script = scriptIn(command);
  if (script === undefined) return plainSuite(command, folder, known);
  const manifest = manifestIn(known, folder);
  const scripts = membersOf(JSON.stringify(membersOf(manifest)["scripts"] ?? {}));
  const text = scripts[script];
  // What npm runs before and after it belongs to it.
  const alone = scripts[`pre${script}`] === undefined && scripts[`post${script}`] === undefined;
  return typeof text === "string" && alone ? plainSuite(text.trim(), folder, known) : undefined;
}

const manifestIn = (known: Look["known"], folder: string): string =>
  known.get(folder === "" ? "package.json" : `${folder}/package.json`) ?? "";

/** The script of package.json that a command stands for. */
export function scriptIn(command: string): string | undefined {
  const name = /^(?:npm|pnpm|yarn|bun) (?:run )?([\w:.-]+)$/.exec(command)?.[1];
  return name === "t" ? "test" : name;
}

/** Only one plain command; what stands around it belongs to it. */
function plainSuite(command: string, folder: string, known: Look["known"]): Suite | undefined {
  if (/[|;<>&$`(){}\\]/.test(command)) return undefined;
  const found =
    compiled(command) ??
    python(command, [...known.values()].join("\n")) ??
    script(command, { folder, manifest: manifestIn(known, folder) });
  return found && eachOf(found, (text) => inFolder(folder, text));
}

/** The suite and its parts, changed alike. */
export const eachOf = ({ command, one, named, coverage, ...rest }: Suite, change: (text: string) => string): Suite => ({
  ...rest,
  command: change(command),
  ...(one !== undefined && { one: change(one) }),
  ...(named !== undefined && { named: change(named) }),
  ...(coverage !== undefined && { coverage: change(coverage) }),
});

/** Variables and steps stand before the program, behind what leads to its folder and what keeps its report. */
export const begunBy = (suite: Suite, words: string): Suite =>
  eachOf(suite, (text) => text.replace(/^(?:cd \S+ && )?(?:r=\$\(mktemp\); )?/, (start) => `${start}${words} `));

const whole = (command: string, format: Proof["format"], parts: Parts = {}): Suite => ({
  ...{ command, format, whole: true },
  ...parts,
});

function compiled(command: string): Suite | undefined {
  const [, env = "", program = "", rest = ""] = /^((?:\w+=\S+ )*)(\S+)(.*)$/.exec(command) ?? [];
  if (program === "cargo" && /^ test(?= |$)/.test(rest) && !/ -- |--no-run/.test(rest))
    return cargoSuite(`${env}cargo${rest.replace(/ --(?:no-fail-fast|offline)(?= |$)/g, "")}`);
  if (program === "go" && /^ test(?= |$)/.test(rest)) {
    const all = rest.replace(/^ test/, "").replace(/ -(?:v|json)(?= |$)/g, "");
    const run = (flags: string) => `${env}go test -json${flags}${all}`;
    return whole(run(""), "go-json", { named: run(` -run ${nameHere}`), coverage: run(" -cover") });
  }
  if (/(?:^|\/)mvnw?$/.test(program) && / (?:test|verify)(?= |$)/.test(rest))
    return whole(withReports(`${env}${program} -o -q -B${rest}`, "*/surefire-reports/TEST-*.xml"), "junit");
  if (/(?:^|\/)gradlew?$/.test(program) && / test(?= |$)/.test(rest))
    return whole(
      withReports(`${env}${program} --offline -q${rest} --rerun-tasks`, "*/test-results/*/TEST-*.xml"),
      "junit",
    );
  return undefined;
}

function cargoSuite(start: string): Suite {
  const command = `${start} --offline --no-fail-fast --color never`;
  return whole(command, "libtest", { named: `${command} ${nameHere}` });
}

/** `settings`: of the repository, which say what is installed for its tests. */
function python(command: string, settings: string): Suite | undefined {
  const [, env = "", start = "", name = "", rest = ""] =
    /^((?:\w+=\S+ )*)((?:\S*python[\d.]* -m )?(?:coverage run (?:-\S+ )*-m )?(?:\S+\/)?)(pytest|py\.test|unittest)(?= |$)(.*)$/.exec(
      command,
    ) ?? [];
  if (name === "") return undefined;
  if (name === "unittest")
    return start.includes("python")
      ? whole(`${env}${start}unittest${rest} -v`, "unittest", {
          one: `${env}${start}unittest -v ${fileHere}`,
          named: `${env}${start}unittest -v -k ${nameHere} ${fileHere}`,
        })
      : undefined;
  const run = (words: string) =>
    withReport((report) => `${env}${start}${name}${words} -q -p no:cacheprovider --junitxml=${report}`);
  const options = optionsOf(
    rest.replaceAll(/ --(?:cov\S*|junit-?xml\S*)/g, ""),
    /^-[cmknpoWr]$|^--(?:rootdir|maxfail|ignore)$/,
  );
  const counts = / --cov(?=[ =]|$)/.test(rest) ? rest : `${rest} --cov`;
  return whole(run(rest), "junit", {
    one: run(`${options} ${fileHere}`),
    named: run(`${options} ${fileHere} -k ${nameHere}`),
    ...(/\bpytest[-_]cov\b|--cov\b/.test(`${settings}${rest}`) && { coverage: run(counts) }),
  });
}

/** Options, with the values that they take, and no file, folder or pattern. */
function optionsOf(rest: string, valued: RegExp): string {
  const words = rest.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? [];
  const kept = words.filter((word, at) => word.startsWith("-") || valued.test(words[at - 1] ?? ""));
  return kept.map((word) => ` ${word}`).join("");
}

const nodeValued = /^(?:-r|--require|--import|--loader|--experimental-loader|--conditions|-C|--env-file)$/;
const runnerValued =
  /^(?:-c|--config|-r|--root|--rootDir|--dir|--project|--selectProjects|--environment|--env|--require|--import|--loader|-t|--timeout|-u|--ui|--pool|--testTimeout|--preset)$/;

/** Programs that count or set something, and start the runner. */
const wrapper =
  /^(?:npx (?:--no-install |--no )?|pnpm exec |yarn exec |(?:nyc|c8)(?: --?[\w-]+(?:=\S+)?)* |cross-env (?:\w+=\S+ )+)/;

function script(command: string, { folder, manifest }: { folder: string; manifest: string }): Suite | undefined {
  const [, env = "", call = ""] = /^((?:\w+=\S+ )*)(.*)$/.exec(command) ?? [];
  const outer = wrapper.exec(call)?.[0] ?? "";
  const [, program = "", rest = ""] = /^(\S+)(.*)$/.exec(call.slice(outer.length)) ?? [];
  const set = outer.startsWith("cross-env ") ? outer.slice("cross-env ".length) : "";
  // Where it only counts coverage, one file is run without it.
  const counts = /^(?:nyc|c8) /.test(outer) ? `${installed(folder, outer.trim())} ` : "";
  const start = (name: string, around = counts) =>
    `${env}${set}${around}${name === "node" ? name : installed(folder, name)}`;
  const counter = /"(nyc|c8)"\s*:/.exec(manifest)?.[1];
  const counted = counts === "" && counter !== undefined ? `${installed(folder, counter)} ` : counts;
  return runnerSuite(program, rest, { start, counted, manifest });
}

interface Starting {
  start: (name: string, around?: string) => string;
  /** What counts coverage around a runner that does not; empty where nothing does. */
  counted: string;
  manifest: string;
}

function runnerSuite(program: string, rest: string, { start, counted, manifest }: Starting): Suite | undefined {
  const options = optionsOf(rest.replaceAll(/ --(?:coverage\S*|watch\S*|ci)(?= |$)/g, ""), runnerValued);
  switch (program) {
    case "node": {
      if (!/(?:^| )--test(?= |$)/.test(rest) || rest.includes("--test-reporter-destination")) return undefined;
      const plain = rest.replaceAll(/ --test-reporter[= ]\S+/g, "");
      const own = optionsOf(plain, nodeValued).replace(/ --test(?= |$)/, " --test --test-reporter=tap");
      const all = plain.replace(/ --test(?= |$)/, " --test --test-reporter=tap");
      return whole(`${start("node")}${all}`, "tap", {
        one: `${start("node", "")}${own} ${fileHere}`,
        named: `${start("node", "")}${own} --test-name-pattern=${nameHere} ${fileHere}`,
        coverage: `${start("node")} --experimental-test-coverage${all}`,
      });
    }
    case "vitest": {
      const run = (from: string, words: string) =>
        withReport((report) => `${from} run${words} --reporter=json --outputFile=${report}`);
      const all = rest.replace(/^ (?:run|--run)\b/, "");
      const one = `${options.replace(/ --run\b/, "")} ${fileHere}`;
      return whole(run(start("vitest"), all), "vitest-json", {
        one: run(start("vitest", ""), one),
        named: run(start("vitest", ""), `${one} -t ${nameHere}`),
        ...(/"@vitest\/coverage-/.test(manifest) && {
          coverage: run(start("vitest"), `${all.replace(/ --coverage\S*/g, "")} --coverage`),
        }),
      });
    }
    case "jest":
      return whole(`${start("jest")}${rest} --json`, "jest-json", {
        one: `${start("jest", "")}${options} --json --runTestsByPath ${fileHere}`,
        named: `${start("jest", "")}${options} --json -t ${nameHere} --runTestsByPath ${fileHere}`,
        coverage: `${start("jest")}${rest.replace(/ --coverage\S*/g, "")} --json --coverage`,
      });
    case "mocha":
      return whole(`${start("mocha")}${rest} --reporter json`, "mocha-json", {
        one: `${start("mocha", "")}${options} --reporter json ${onlyFile}`,
        named: `${start("mocha", "")}${options} --reporter json --grep ${nameHere} ${onlyFile}`,
        ...(counted !== "" && { coverage: `${start("mocha", counted)}${rest} --reporter json` }),
      });
    case "ava":
      return whole(`${start("ava")}${rest} --tap`, "tap", {
        one: `${start("ava", "")}${options} --tap ${fileHere}`,
        named: `${start("ava", "")}${options} --tap --match ${nameHere} ${fileHere}`,
        ...(counted !== "" && { coverage: `${start("ava", counted)}${rest} --tap` }),
      });
    case "tape":
      // What is thrown in a test ends it all, so its exit code has the last word.
      return whole(`${start("tape")}${rest}`, "any", { one: `${start("tape", "")}${options} ${fileHere}` });
    default:
      return undefined;
  }
}
