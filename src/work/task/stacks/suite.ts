// A repository's whole suite, run so that its runner's own report says which tests there are and what came of each.
import { membersOf } from "../../../base/json-text.ts";
import { inFolder, type Look, type Proof, withReport } from "./profile.ts";

/** Undefined where the report of the declared command cannot be had in another form: it is then run as it stands. */
export async function suiteOf(declared: string, { known }: Look): Promise<Proof | undefined> {
  const [, folder = "", command = declared] = /^cd (\S+) && (.*)$/.exec(declared) ?? [];
  const script = /^(?:npm|pnpm|yarn|bun) (?:run )?([\w:.-]+)$/.exec(command)?.[1];
  if (script !== undefined) {
    const manifest = known.get(folder === "" ? "package.json" : `${folder}/package.json`) ?? "";
    const scripts = membersOf(JSON.stringify(membersOf(manifest)["scripts"] ?? {}));
    const text = scripts[script];
    // What npm runs before and after it belongs to it.
    const alone = scripts[`pre${script}`] === undefined && scripts[`post${script}`] === undefined;
    return typeof text === "string" && alone ? scriptSuite(text.trim(), folder) : undefined;
  }
  const found = others.find(([pattern]) => pattern.test(command));
  return found && { command: inFolder(folder, found[1](command)), format: found[2], whole: true };
}

const others: readonly [RegExp, (command: string) => string, Proof["format"]][] = [
  [
    /^(?:\w+=\S+ )*python3 -m pytest$/,
    (command) => withReport((report) => `${command} -q -p no:cacheprovider --junitxml=${report}`),
    "junit",
  ],
  [/^(?:\w+=\S+ )*python3 -m unittest$/, (command) => `${command} -v`, "unittest"],
  [/^cargo test( --workspace)?$/, (command) => `${command} --offline --no-fail-fast --color never`, "libtest"],
  [/^go test \.\/\.\.\.$/, () => "go test -json ./...", "go-json"],
];

/** Only a script that is one plain command; what stands around it belongs to it. */
function scriptSuite(script: string, folder: string): Proof | undefined {
  if (/[|;<>&$`(){}\\]/.test(script)) return undefined;
  const [, env = "", program = "", rest = ""] = /^((?:\w+=\S+ )*)(\S+)(.*)$/.exec(script) ?? [];
  const start = `${env}${folder === "" ? `node_modules/.bin/${program}` : `npx --no-install ${program}`}`;
  const whole = (command: string, format: Proof["format"]): Proof => ({
    command: inFolder(folder, command),
    format,
    whole: true,
  });
  switch (program) {
    case "node":
      return /(?:^| )--test(?= |$)/.test(rest) && !rest.includes("--test-reporter")
        ? whole(`${env}node${rest.replace(/ --test(?= |$)/, " --test --test-reporter=tap")}`, "tap")
        : undefined;
    case "vitest":
      return whole(
        withReport(
          (report) => `${start} run${rest.replace(/^ (?:run|--run)\b/, "")} --reporter=json --outputFile=${report}`,
        ),
        "vitest-json",
      );
    case "jest":
      return whole(`${start}${rest} --json`, "jest-json");
    case "mocha":
      return whole(`${start}${rest} --reporter json`, "mocha-json");
    default:
      return undefined;
  }
}
