// Tests of a runner that fettle does not know: they are run by the repository's own command, and by no other.
import path from "node:path";
import { shellWord } from "../../../base/shell-word.ts";
import { membersOf } from "../../../base/json-text.ts";
import { below, inFolder, type Look, nearest, type Proof } from "./profile.ts";

/** npm's placeholder is none. */
const none = /no test specified/;
const scriptCall = /^(?:npm|pnpm|yarn|bun)\s+(?:run(?:-script)?\s+)?([\w:.-]+)$/;
/** Programs of the machine; any other word of a script is looked for among what is installed beside the manifest. */
/** Their words are targets and commands of their own, and no folders: `make test` is not of what lies below test/. */
const targets = /^(?:(?:.*\/)?(?:make|just|rake|task|cargo|go|tox|nox|gradlew?|mvnw?|bazel|npm|pnpm|yarn|bun|docker))$/;
const programs = /^(?:node|deno|bun|npx|npm|pnpm|yarn|python[\d.]*|ruby|php|perl|sh|bash|make|\.{0,2}\/.*)$/;

/** The script of the nearest package.json that a command stands for. */
function scriptOf(test: string, { files, known, testCommand = "" }: Look): { folder: string; script: string } {
  const { folder, file } = nearest(files, test, /^package\.json$/) ?? { folder: "", file: "" };
  const scripts = membersOf(JSON.stringify(membersOf(known.get(file) ?? "")["scripts"] ?? {}));
  let script = scripts[scriptCall.exec(testCommand.trim())?.[1] ?? "test"];
  for (let deep = 0; deep < 3 && typeof script === "string"; deep += 1)
    script = scripts[scriptCall.exec(script.trim())?.[1] ?? ""] ?? script;
  return { folder, script: typeof script === "string" && !none.test(script) ? script : "" };
}

/** For the test alone where the command names the files that it runs, else all of it: `whole`. */
export function ownProof(test: string, look: Look): Proof | undefined {
  const { testCommand = "" } = look;
  const { folder, script } = scriptOf(test, look);
  if (script !== "") {
    const one = narrowed(script, below(folder, test), folder);
    if (one !== undefined) return { command: inFolder(folder, one), format: "any" };
    const all = scriptCall.test(testCommand.trim()) ? testCommand : inFolder(folder, "npm test");
    return { command: all, format: "any", whole: true };
  }
  if (testCommand === "") return undefined;
  const one = narrowed(testCommand, test, "");
  return one === undefined ? { command: testCommand, format: "any", whole: true } : { command: one, format: "any" };
}

/** The command with this file in the place of all that it would run; undefined where it names none. */
function narrowed(command: string, test: string, folder: string): string | undefined {
  if (/[|;<>&$`(){}\\]/.test(command.replaceAll(/\{[\w,.]+\}/g, ""))) return undefined;
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    (found) => found[1] ?? found[2] ?? found[3] ?? "",
  );
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  const program = words[start];
  if (program === undefined || targets.test(program)) return undefined;
  const rest = words.slice(start + 1);
  const script = /^(?:node|deno|bun|python[\d.]*|ruby|php|perl|sh|bash)$/.test(program);
  const first = script ? rest.findIndex((word) => !word.startsWith("-")) : -1;
  const taken = rest.map((word, at) => (at === first ? word === test : covers(word, test)));
  if (!taken.includes(true)) return undefined;
  const at = taken.indexOf(true);
  const files = rest.flatMap((word, index) => (index === at ? [test] : taken[index] ? [] : [word]));
  // A program that starts another one looks for it on the PATH, which npx sets.
  const installed =
    folder === "" && !/^(?:nyc|c8|cross-env|dotenv|env-cmd)$/.test(program)
      ? `node_modules/.bin/${program}`
      : `npx --no-install ${program}`;
  const begin = [...words.slice(0, start), programs.test(program) ? program : installed].join(" ");
  return [begin, ...files.map(shellWord)].join(" ");
}

/** A path, a folder or a pattern that the test is of. */
function covers(word: string, test: string): boolean {
  const plain = word.replace(/^\.\//, "").replace(/\/$/, "");
  if (plain === "" || plain.startsWith("-")) return false;
  return plain === test || test.startsWith(`${plain}/`) || (/[*?[]/.test(plain) && path.posix.matchesGlob(test, plain));
}
