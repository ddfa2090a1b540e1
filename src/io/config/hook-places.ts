// Where a hook's own script lies, outside of the workspace: the sandbox hides the home folder, and this has to be seen.
import { existsSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

interface HookPlaces {
  workspace: string;
  home: string;
  /** fettle's own folders. */
  own: readonly string[];
}

const hidden = ["/tmp", "/var/tmp", "/root", "/home", "/run"];
const below = (folder: string, file: string): boolean => file === folder || file.startsWith(`${folder}/`);

/** Real paths: the folder of each script that the command names, or the script alone where its folder holds more than hooks. */
export function hookPlaces(command: string, places: HookPlaces): string[] {
  const words = command
    .replace(/\$\{?HOME\}?|(?<=^|[\s"'=])~(?=\/)/g, places.home)
    .match(/(?<![\w$}])\/[^\s"'`;|&<>()$*?]+/g);
  return [...new Set((words ?? []).flatMap((word) => placeOf(word, places)))];
}

const interpreters = /^(ba|da|z)?sh$|^(python|pypy)[\d.]*$|^(node|bun|ruby|perl)$/;

/**
 * The script that the command begins with, where it is not there. Shells and Python end with 2 for want of it, which a
 * hook says when it refuses.
 */
export function missingScript(
  command: string,
  { workspace, home }: Pick<HookPlaces, "workspace" | "home">,
): string | undefined {
  const words = command
    .replace(/\$\{?(?:CLAUDE|FETTLE)_PROJECT_DIR\}?/g, workspace)
    .replace(/\$\{?HOME\}?|(?<=^|[\s"'])~(?=\/)/g, home)
    .replace(/["']/g, "")
    .trim()
    .split(/\s+/);
  const byInterpreter = interpreters.test(path.basename(words[0] ?? ""));
  const word = (byInterpreter ? words[1] : words[0]) ?? "";
  const named = byInterpreter
    ? /^[\w./@+-]+$/.test(word) && !word.startsWith("-")
    : /^[\w.@+-]*\/[\w./@+-]*$/.test(word);
  const file = path.resolve(workspace, word);
  return named && !existsSync(file) ? file : undefined;
}

function placeOf(word: string, { workspace, home, own }: HookPlaces): string[] {
  const real = realFile(word);
  if (real === undefined || below(workspace, real) || ![home, ...hidden].some((folder) => below(folder, real)))
    return [];
  const folder = path.dirname(real);
  const wide =
    below(folder, home) ||
    below(folder, workspace) ||
    path.dirname(folder) === home ||
    hidden.includes(folder) ||
    own.some((each) => below(folder, each));
  return [wide ? real : folder];
}

function realFile(file: string): string | undefined {
  try {
    const real = realpathSync(file);
    return statSync(real).isFile() ? real : undefined;
  } catch {
    // Nothing there: the run says so.
    return undefined;
  }
}
