// A repository's whole suite, run so that its runner's own report says which tests there are and what came of each.
import { membersOf } from "../../../base/json-text.ts";
import { inFolder, type Look, type Proof, withReport, withReports } from "./profile.ts";

/** `one`: the same for one file of it, which stands where `fileHere` does. */
export type Suite = Proof & { one?: string };

export const fileHere = "{file}";

/** How programs start that are installed beside a manifest. */
const installed = (folder: string, program: string): string =>
  folder === "" ? `node_modules/.bin/${program}` : `npx --no-install ${program}`;

/** Undefined where the report of the declared command cannot be had in another form: it is then run as it stands. */
export async function suiteOf(declared: string, { known }: Pick<Look, "known">): Promise<Suite | undefined> {
  const [, folder = "", command = declared] = /^cd (\S+) && (.*)$/.exec(declared) ?? [];
  const script = scriptIn(command);
  if (script === undefined) return plainSuite(command, folder);
  const manifest = known.get(folder === "" ? "package.json" : `${folder}/package.json`) ?? "";
  const scripts = membersOf(JSON.stringify(membersOf(manifest)["scripts"] ?? {}));
  const text = scripts[script];
  // What npm runs before and after it belongs to it.
  const alone = scripts[`pre${script}`] === undefined && scripts[`post${script}`] === undefined;
  return typeof text === "string" && alone ? plainSuite(text.trim(), folder) : undefined;
}

/** The script of package.json that a command stands for. */
export function scriptIn(command: string): string | undefined {
  const name = /^(?:npm|pnpm|yarn|bun) (?:run )?([\w:.-]+)$/.exec(command)?.[1];
  return name === "t" ? "test" : name;
}

/** Only one plain command; what stands around it belongs to it. */
function plainSuite(command: string, folder: string): Suite | undefined {
  if (/[|;<>&$`(){}\\]/.test(command)) return undefined;
  const found = compiled(command) ?? python(command) ?? script(command, folder);
  return (
    found && {
      ...found,
      command: inFolder(folder, found.command),
      ...(found.one && { one: inFolder(folder, found.one) }),
    }
  );
}

const whole = (command: string, format: Proof["format"], one?: string): Suite => ({
  ...{ command, format, whole: true },
  ...(one !== undefined && { one }),
});

function compiled(command: string): Suite | undefined {
  const [, env = "", program = "", rest = ""] = /^((?:\w+=\S+ )*)(\S+)(.*)$/.exec(command) ?? [];
  if (program === "cargo" && /^ test(?= |$)/.test(rest) && !/ -- |--no-run/.test(rest))
    return whole(
      `${env}cargo${rest.replace(/ --(?:no-fail-fast|offline)(?= |$)/g, "")} --offline --no-fail-fast --color never`,
      "libtest",
    );
  if (program === "go" && /^ test(?= |$)/.test(rest))
    return whole(`${env}go test -json${rest.replace(/^ test/, "").replace(/ -(?:v|json)(?= |$)/g, "")}`, "go-json");
  if (/(?:^|\/)mvnw?$/.test(program) && / (?:test|verify)(?= |$)/.test(rest))
    return whole(withReports(`${env}${program} -o -q -B${rest}`, "*/surefire-reports/TEST-*.xml"), "junit");
  if (/(?:^|\/)gradlew?$/.test(program) && / test(?= |$)/.test(rest))
    return whole(
      withReports(`${env}${program} --offline -q${rest} --rerun-tasks`, "*/test-results/*/TEST-*.xml"),
      "junit",
    );
  return undefined;
}

function python(command: string): Suite | undefined {
  const [, env = "", start = "", name = "", rest = ""] =
    /^((?:\w+=\S+ )*)((?:\S*python[\d.]* -m )?(?:coverage run (?:-\S+ )*-m )?(?:\S+\/)?)(pytest|py\.test|unittest)(?= |$)(.*)$/.exec(
      command,
    ) ?? [];
  if (name === "") return undefined;
  if (name === "unittest")
    return start.includes("python")
      ? whole(`${env}${start}unittest${rest} -v`, "unittest", `${env}${start}unittest -v ${fileHere}`)
      : undefined;
  const run = (words: string) =>
    withReport((report) => `${env}${start}${name}${words} -q -p no:cacheprovider --junitxml=${report}`);
  const options = optionsOf(
    rest.replaceAll(/ --(?:cov\S*|junit-?xml\S*)/g, ""),
    /^-[cmknpoWr]$|^--(?:rootdir|maxfail|ignore)$/,
  );
  return whole(run(rest), "junit", run(`${options} ${fileHere}`));
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

function script(command: string, folder: string): Suite | undefined {
  const [, env = "", call = ""] = /^((?:\w+=\S+ )*)(.*)$/.exec(command) ?? [];
  const outer = wrapper.exec(call)?.[0] ?? "";
  const [, program = "", rest = ""] = /^(\S+)(.*)$/.exec(call.slice(outer.length)) ?? [];
  const set = outer.startsWith("cross-env ") ? outer.slice("cross-env ".length) : "";
  // Where it only counts coverage, one file is run without it.
  const counts = /^(?:nyc|c8) /.test(outer) ? `${installed(folder, outer.trim())} ` : "";
  const start = (name: string, around = counts) => `${env}${set}${around}${name}`;
  return runnerSuite(program, rest, (name, around) => start(name === "node" ? name : installed(folder, name), around));
}

function runnerSuite(
  program: string,
  rest: string,
  start: (name: string, around?: string) => string,
): Suite | undefined {
  const options = optionsOf(rest.replaceAll(/ --(?:coverage\S*|watch\S*|ci)(?= |$)/g, ""), runnerValued);
  switch (program) {
    case "node": {
      if (!/(?:^| )--test(?= |$)/.test(rest) || rest.includes("--test-reporter-destination")) return undefined;
      const plain = rest.replaceAll(/ --test-reporter[= ]\S+/g, "");
      const own = optionsOf(plain, nodeValued).replace(/ --test(?= |$)/, " --test --test-reporter=tap");
      const all = plain.replace(/ --test(?= |$)/, " --test --test-reporter=tap");
      return whole(`${start("node")}${all}`, "tap", `${start("node", "")}${own} ${fileHere}`);
    }
    case "vitest": {
      const run = (from: string, words: string) =>
        withReport((report) => `${from} run${words} --reporter=json --outputFile=${report}`);
      return whole(
        run(start("vitest"), rest.replace(/^ (?:run|--run)\b/, "")),
        "vitest-json",
        run(start("vitest", ""), `${options.replace(/ --run\b/, "")} ${fileHere}`),
      );
    }
    case "jest":
      return whole(
        `${start("jest")}${rest} --json`,
        "jest-json",
        `${start("jest", "")}${options} --json --runTestsByPath ${fileHere}`,
      );
    case "mocha":
      return whole(
        `${start("mocha")}${rest} --reporter json`,
        "mocha-json",
        `${start("mocha", "")}${options} --reporter json ${fileHere}`,
      );
    case "ava":
      return whole(`${start("ava")}${rest} --tap`, "tap", `${start("ava", "")}${options} --tap ${fileHere}`);
    default:
      return undefined;
  }
}
