// Which files git may keep otherwise than they lie on the disk, by a filter or in another encoding. Line ends and `ident`
// are not told here: they never convert a file without changing its size.
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import ignore from "ignore";
import { regularText } from "../files/regular.ts";
import { runGit, textOf } from "../git/git.ts";
import { type RawPath, rawBytes, shown } from "./raw-path.ts";

export interface Repository {
  /** Folder that holds `.git`. */
  top: string;
  /** The workspace below `top`, with a final slash; empty when they are the same. */
  prefix: RawPath;
  /** Where its own files lie, and where those of all its work trees do. */
  own: string;
  common: string;
}

const converts = /(?:^|\s)(?:filter|working-tree-encoding)(?:=|\s|$)/m;

/** Answers whether a path (below `top`) may be converted. `names`: all paths that will be asked about. */
export async function convertedIn(
  repository: Repository,
  names: readonly RawPath[],
): Promise<(name: RawPath) => boolean> {
  const rules: ((name: RawPath) => boolean)[] = [];
  const { top, common } = repository;
  const everywhere = [path.join(common, "info", "attributes"), ...(await globalFiles(repository))];
  for (const file of everywhere) addRule(rules, "", textOf(file));
  for (const folder of foldersOf(names)) {
    const file = Buffer.concat([Buffer.from(`${top}/`), rawBytes(`${folder}.gitattributes`)]);
    if (existsSync(file)) addRule(rules, folder, textAt(file));
  }
  return (name) => rules.some((rule) => rule(name));
}

/** Undefined for what is no readable file. */
function textAt(file: Buffer): string | undefined {
  const name = file.toString("utf8");
  return Buffer.from(name).equals(file) ? regularText(name) : undefined;
}

/** What cannot be read for certain covers all that lies below its folder. */
function addRule(rules: ((name: RawPath) => boolean)[], folder: RawPath, text: string | undefined): void {
  if (text === undefined) rules.push((name) => name.startsWith(folder));
  if (text === undefined || !converts.test(text)) return;
  const lines = text.split(/\r?\n/).filter((line) => converts.test(line) && !line.trimStart().startsWith("#"));
  const patterns = lines.map((line) => line.trim().split(/\s/, 1)[0] ?? "");
  if (/^\s*\[attr\]/m.test(text) || patterns.some((each) => /^["!]/.test(each))) {
    rules.push((name) => name.startsWith(folder));
    return;
  }
  const matcher = ignore({ allowRelativePaths: true }).add(patterns);
  rules.push((name) => name.startsWith(folder) && matcher.ignores(shown(name.slice(folder.length))));
}

function foldersOf(names: readonly RawPath[]): Set<RawPath> {
  const folders = new Set<RawPath>([""]);
  let last = "";
  for (const name of names) {
    let end = name.lastIndexOf("/") + 1;
    if (end === last.length && name.startsWith(last)) continue;
    last = name.slice(0, end);
    while (end > 0 && !folders.has(name.slice(0, end))) {
      folders.add(name.slice(0, end));
      end = name.lastIndexOf("/", end - 2) + 1;
    }
  }
  return folders;
}

const home = (): string => process.env["HOME"] ?? os.homedir();
const personal = (): string => path.join(process.env["XDG_CONFIG_HOME"] || path.join(home(), ".config"), "git");

/** Attribute files of the person and of the machine, as their configuration names them. */
async function globalFiles(repository: Repository): Promise<string[]> {
  const found = [path.join(personal(), "attributes"), "/etc/gitattributes", "/usr/local/etc/gitattributes"];
  const named = await configured(repository, /attributesfile/i, ["--path", "--get-all", "core.attributesFile"]);
  return [...found, ...named.map((each) => path.resolve(repository.top, each))];
}

/** What each configuration file of git that may hold it (`mentions`) answers, with those that it includes. */
export async function configured(
  { top, own, common }: Repository,
  mentions: RegExp,
  question: readonly string[],
): Promise<string[]> {
  const files = [
    ...["/etc/gitconfig", path.join(home(), ".gitconfig"), path.join(personal(), "config")],
    ...[path.join(common, "config"), path.join(own, "config.worktree")],
  ];
  const answers: string[] = [];
  for (const file of files) {
    const text = textOf(file);
    if (!mentions.test(text) && !/\[include/i.test(text)) continue;
    const { out } = await runGit(["config", "--file", file, "--includes", "-z", ...question], { cwd: top });
    answers.push(
      ...out
        .toString("utf8")
        .split("\0")
        .filter((each) => each !== ""),
    );
  }
  return answers;
}
