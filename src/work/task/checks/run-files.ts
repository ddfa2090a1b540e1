// Files of the repository that a command runs by their names.
import path from "node:path";
import { withScripts } from "./sources/package-scripts.ts";

const scripts =
  /\.(?:sh|bash|zsh|bat|ps1)$|(?:^|\/)[^./]+$|(?:^|\/|[._-])(?:check|verify|smoke|assert|validate)\w*\.\w+$/i;

/** By its name it is there to check or to start something. */
export const isScript = (file: string): boolean => scripts.test(file);

const folderOf = (command: string): string => /^cd (\S+) && /.exec(command)?.[1] ?? "";

/** Where the scripts stand that a command may stand for. */
export const manifestFor = (command: string): string => path.posix.join(folderOf(command), "package.json");

/** Files that the words of a command may name: paths, and modules of Python. */
export function filesIn(command: string, folder = folderOf(command)): string[] {
  return command
    .split(/[\s'"=;&|()]+/)
    .filter(Boolean)
    .flatMap((word) => [word, `${word.replaceAll(".", "/")}.py`])
    .map((word) => path.posix.join(folder, word));
}

/** With those of the scripts of package.json that it stands for. */
export const filesRunBy = (command: string, manifest: string | undefined): string[] =>
  [
    ...withScripts([command], manifest).flatMap((text) => filesIn(text, folderOf(command))),
    ...(/\b(?:make|just)\b/.test(command) ? ["Makefile", "makefile", "GNUmakefile", "justfile"] : []),
  ].map((file) => path.posix.normalize(file));
