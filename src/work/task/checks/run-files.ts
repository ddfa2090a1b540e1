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

/** Files by their paths, and by what an interpreter that starts them may be told instead. */
export interface Spelled {
  paths: ReadonlySet<string>;
  /** `tools/check` is `tools/check.mjs`, `tools` is `tools/index.js`, `tools/__main__.py` or a package of Go. */
  started: ReadonlyMap<string, readonly string[]>;
}

export function spelled(files: Iterable<string>): Spelled {
  const paths = new Set(files);
  const started = new Map<string, string[]>();
  for (const file of paths) for (const name of startedAs(file)) started.set(name, [...(started.get(name) ?? []), file]);
  return { paths, started };
}

function startedAs(file: string): string[] {
  const { dir, ext, name } = path.posix.parse(file);
  const folder = ext === ".go" || name === "index" || name === "__main__";
  return [file, path.posix.join(dir, name), ...(folder && dir !== "" ? [dir] : [])];
}

const here = /(?:\$\{?PWD\}?|\$\(pwd\)|`pwd`)\//g;
const starting =
  /\b(?:node|tsx|ts-node|deno(?: run)?|bun(?: run)?|python[\d.]*|ruby|perl|php|sh|bash|dash|go run)(?:\s+-[\w-]+(?:=\S+)?)*\s+([\w@./-]+)/g;

/** Those that a command starts by an interpreter. */
export function startedIn(command: string, { started }: Spelled, folder = folderOf(command)): string[] {
  const words = [...plain(command).matchAll(starting)].map(([, word = ""]) => word);
  return words.flatMap((word) => located(word, folder).flatMap((name) => started.get(name) ?? []));
}

/** Those that the words of a command name, and those that it starts. */
export function filesIn(command: string, files: Spelled, folder = folderOf(command)): string[] {
  const separators = /[\s=;&|()<>]+/;
  const words = [...plain(command).split(separators), ...command.split(/['"]/).join(" ").split(separators)];
  const named = [...new Set(words)]
    .filter(Boolean)
    .flatMap((word) => [...located(word, folder), ...modules(word, folder)]);
  return [...new Set([...named.filter((name) => files.paths.has(name)), ...startedIn(command, files, folder)])];
}

const plain = (command: string): string => command.replace(here, "").replace(/["'\\]/g, "");
const asPath = (word: string, folder: string): string => path.posix.join(folder, word).replace(/\/$/, "");
const located = (word: string, folder: string): string[] => [
  asPath(word, folder),
  ...(/^\w+(?:\.\w+)+$/.test(word) ? [asPath(word.replaceAll(".", "/"), folder)] : []),
];
const modules = (word: string, folder: string): string[] => [asPath(`${word.replaceAll(".", "/")}.py`, folder)];

const recipes = ["Makefile", "makefile", "GNUmakefile", "justfile"];

/** With those of the scripts of package.json that it stands for. */
export const filesRunBy = (command: string, manifest: string | undefined, files: Spelled): string[] => [
  ...withScripts([command], manifest).flatMap((text) => filesIn(text, files, folderOf(command))),
  ...(/\b(?:make|just)\b/.test(command) ? recipes.filter((file) => files.paths.has(file)) : []),
];
