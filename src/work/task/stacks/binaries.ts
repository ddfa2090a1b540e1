// What has to be installed before a plan can run, and how to get it.
import { entryOf } from "../../../base/entry.ts";
import { programsOf } from "../../../guard/command-line/syntax/programs-of.ts";
import { profileOf } from "./list.ts";
import known from "../../../../assets/programs/installing.json" with { type: "json" };

/** Programs that another one brings, or that need another one to be of use. */
const needs: Readonly<Record<string, readonly string[]>> = known.needs;

interface Hint {
  apt?: string;
  brew?: string;
  otherwise: string;
}

const hints: Readonly<Record<string, Hint>> = known.hints;

/** Part of every shell, so that nobody has to install them. */
const builtins = new Set(
  "[ [[ : . alias bg break builtin caller case cd command continue declare echo eval exec exit export false fg for function getopts hash help if jobs kill let local mapfile popd printf pushd pwd read readonly return select set shift shopt source test then time times trap true type typeset ulimit umask unalias unset until wait while".split(
    " ",
  ),
);

/**
 * Programs that the commands need and the machine has to have: names only. What stands in the repository, or is brought
 * by its dependencies, is not among them.
 */
export function binariesOf(commands: readonly string[], stack?: string): string[] {
  const found = new Set<string>(stack === undefined ? [] : (profileOf(stack)?.programs ?? []));
  for (const command of commands) {
    for (const written of programsOf(command)) {
      const name = written.split("/").at(-1) ?? written;
      for (const other of entryOf(needs, name) ?? []) found.add(other);
      if (!written.includes("/") && !builtins.has(written)) found.add(written);
    }
  }
  return [...found].toSorted();
}

/**
 * Why a shell would look for such a program at all, where nobody means one: text between backticks that stands within double
 * quotes is run. Undefined where the commands name it otherwise.
 */
export function mistakenFor(name: string, commands: readonly string[]): string | undefined {
  const among = (command: string) => programsOf(command).includes(name);
  const found = commands.filter(among);
  const [first] = found;
  if (first === undefined || found.some((command) => among(command.replace(/`[^`]*`/g, "x")))) return undefined;
  return `A shell runs what stands between backticks in double quotes, so ${first} runs ${name}; single quotes leave it as text.`;
}

/** How to get a program, in a sentence. */
export function installHint(name: string, platform: string): string {
  const hint = entryOf(hints, name);
  if (!hint) return `${name} is not installed, or not on the PATH.`;
  const by =
    platform === "darwin"
      ? hint.brew && `brew install ${hint.brew}`
      : platform === "linux"
        ? hint.apt && `apt install ${hint.apt}`
        : undefined;
  return `${name} is not installed: ${[by, hint.otherwise].filter(Boolean).join(", or ")}.`;
}
