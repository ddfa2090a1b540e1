// Files of the repository that a command runs by their names.
import path from "node:path";
import { withScripts } from "./sources/package-scripts.ts";

const scripts =
  /\.(?:sh|bash|zsh|bat|ps1)$|(?:^|\/)[^./]+$|(?:^|\/|[._-])(?:check|verify|smoke|assert|validate)\w*\.\w+$/i;

/** By its name it is there to check or to start something. */
export const isScript = (file: string): boolean => scripts.test(file);

const moving = /(?:(?<![\w-])cd|(?<!\S)(?:-C|--prefix|--dir|--cwd|--directory))[\s=]+([\w@./-]+)/g;

/** Folders that a command may work in: the top, and each that it goes to or has an option for, from the one before. */
function foldersOf(command: string): string[] {
  const folders = [""];
  for (const [, to = ""] of plain(command).matchAll(moving)) folders.push(asPath(to, folders.at(-1) ?? ""));
  return folders;
}

/** Where the scripts stand that a command may stand for. */
export const manifestFor = (command: string): string =>
  path.posix.join(foldersOf(command).at(-1) ?? "", "package.json");

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
/** Options of interpreters whose value is a word of its own. */
const valued = "--?(?:import|require|loader|experimental-loader|env-file|conditions|config|cwd|r|C|W|X|I|d)";
const starting = new RegExp(
  String.raw`\b(?:node|tsx|ts-node|deno(?: run)?|bun(?: run)?|python[\d.]*|ruby|perl|php|sh|bash|dash|go (?:-C \S+ )?run)(?:\s+(?:${valued}\s+\S+|-[\w-]+(?:=\S+)?))*(?=\s+([\w@./-]+))`,
  "g",
);

/** Those that a command starts by an interpreter. */
export function startedIn(command: string, { started }: Spelled, folders = foldersOf(command)): string[] {
  const words = [...plain(command).matchAll(starting)].map(([, word = ""]) => word);
  return words.flatMap((word) => located(word, folders).flatMap((name) => started.get(name) ?? []));
}

/** Those that the words of a command name, and those that it starts. */
export function filesIn(command: string, files: Spelled, folders = foldersOf(command)): string[] {
  const separators = /[\s=;&|()<>]+/;
  const words = [...plain(command).split(separators), ...command.split(/['"]/).join(" ").split(separators)];
  const named = [...new Set(words)]
    .filter(Boolean)
    .flatMap((word) => [...located(word, folders), ...located(`${word.replaceAll(".", "/")}.py`, folders)]);
  return [...new Set([...named.filter((name) => files.paths.has(name)), ...startedIn(command, files, folders)])];
}

const plain = (command: string): string => command.replace(here, "").replace(/["'\\]/g, "");
const asPath = (word: string, folder: string): string => path.posix.join(folder, word).replace(/\/$/, "");
const located = (word: string, folders: readonly string[]): string[] =>
  folders.flatMap((folder) => [
    asPath(word, folder),
    ...(/^\w+(?:\.\w+)+$/.test(word) ? [asPath(word.replaceAll(".", "/"), folder)] : []),
  ]);

const recipes = ["Makefile", "makefile", "GNUmakefile", "justfile"];

/** With those of the scripts of package.json that it stands for. */
export const filesRunBy = (command: string, manifest: string | undefined, files: Spelled): string[] => [
  ...withScripts([command], manifest).flatMap((text) => filesIn(text, files, foldersOf(command))),
  ...(/\b(?:make|just)\b/.test(command)
    ? foldersOf(command).flatMap((folder) =>
        recipes.map((file) => path.posix.join(folder, file)).filter((file) => files.paths.has(file)),
      )
    : []),
];
