// What git inside of a sandbox is told of files that it cannot see as they are: a copy of the index in which they are
// marked as not checked out (skip-worktree), so that none of them looks changed, is staged, stashed or committed.
import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";
import { runGit } from "../git/git.ts";
import { regularText } from "../files/regular.ts";
import { below, real } from "./hidden.ts";
import { repositories } from "../git/repositories.ts";

/** A file to be seen at another one's place. */
export interface StandIn {
  path: string;
  source: string;
}

interface Tree {
  /** The folder that the repository's work tree is. */
  top: string;
  gitDir: string;
  /** Masked files of this work tree, relative to its top. */
  files: string[];
}

/** Each masked file belongs to the innermost repository around it. */
function trees(workspace: string, masked: readonly string[]): Tree[] {
  if (masked.length === 0) return [];
  const found = repositories(workspace)
    .flatMap(({ entry, folders }): Tree[] => {
      const own = lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink() === false;
      const [gitDir] = folders;
      return own && gitDir !== undefined ? [{ top: path.dirname(entry), gitDir, files: [] }] : [];
    })
    .sort((a, b) => b.top.length - a.top.length);
  for (const file of masked) {
    const tree = found.find(({ top }) => file !== top && below(top, file));
    tree?.files.push(path.relative(tree.top, file));
  }
  return found.filter(({ files }) => files.length > 0);
}

const perCall = 400;

async function listed({ top, files }: Tree, options: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < files.length; from += perCall) {
    const words = ["--literal-pathspecs", "ls-files", "-z", ...options, "--", ...files.slice(from, from + perCall)];
    const { code, out } = await runGit(words, { cwd: top });
    if (code !== 0) return files;
    found.push(...out.toString("utf8").split("\0").filter(Boolean));
  }
  return found;
}

const sealOf = (file: string): string | undefined => {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
};

/** By the index that it was made from: nothing is asked of git while that and the masks stay the same. */
const known = new Map<string, { seal: string; made: StandIn[] }>();

/**
 * Indexes to be shown in place of the repositories' own, for repositories in which a masked file is tracked. `folder`
 * takes the copies and must be out of reach of programs.
 */
export async function maskedIndexes(
  workspace: string,
  masked: readonly string[],
  folder: string,
): Promise<readonly StandIn[]> {
  const found: StandIn[] = [];
  for (const tree of trees(workspace, masked)) {
    const index = path.join(tree.gitDir, "index");
    if (real(index) !== index) continue;
    const state = sealOf(index);
    if (state === undefined) continue;
    const seal = createHash("sha256")
      .update(JSON.stringify([state, tree]))
      .digest("hex")
      .slice(0, 24);
    const key = `${folder}\0${index}`;
    const before = known.get(key);
    const there = before?.seal === seal && before.made.every(({ source }) => sealOf(source) !== undefined);
    const made = there ? before.made : await copied(index, tree, { folder, seal });
    known.set(key, { seal, made });
    found.push(...made);
  }
  return found;
}

async function copied(index: string, tree: Tree, to: { folder: string; seal: string }): Promise<StandIn[]> {
  const tracked = await listed(tree, ["-c"]);
  if (tracked.length === 0) return [];
  mkdirSync(to.folder, { recursive: true, mode: 0o700 });
  dropOld(to.folder);
  const copy = path.join(to.folder, `making.${randomBytes(9).toString("hex")}`);
  copyFileSync(index, copy);
  // git takes an entry for unchanged if it is older than the index: a copy may not look newer than what it is a copy of.
  const { atimeMs, mtimeMs } = statSync(index);
  utimesSync(copy, atimeMs / 1000, Math.floor(mtimeMs / 1000) - 1);
  const marking = ["-c", "core.splitIndex=false", "update-index", "-z", "--skip-worktree", "--stdin"];
  const { code } = await runGit(marking, {
    ...{ cwd: tree.top, indexFile: copy },
    input: `${tracked.join("\0")}\0`,
  });
  if (code !== 0) {
    rmSync(copy, { force: true });
    return [];
  }
  const source = path.join(to.folder, to.seal);
  renameSync(copy, source);
  return [{ path: index, source }];
}

/** Sandboxes that stand ready may still name the last ones. */
const mostCopies = 8;

function dropOld(folder: string): void {
  const copies = readdirSync(folder).map((name) => path.join(folder, name));
  const aged = copies.map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { file } of aged.sort((a, b) => b.at - a.at).slice(mostCopies)) rmSync(file, { force: true });
}

/** Masked files that git would look at: tracked, or untracked and not ignored. */
export async function seenByGit(workspace: string, masked: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const tree of trees(workspace, masked)) {
    const files = await listed(tree, ["-c", "-o", "--exclude-standard"]);
    found.push(...new Set(files.map((file) => path.join(tree.top, file))));
  }
  return found;
}

export interface GitPrograms {
  /** A hook, or a folder of hooks that is named. */
  hooks: boolean;
  /** A filter, a merge or diff driver, an alias, a watcher, or settings of elsewhere that may name them. */
  drivers: boolean;
}

/** Whether git would start programs that one of these repositories names. */
export function programsOfGit(workspace: string): GitPrograms {
  const folders = repositories(workspace).flatMap(({ folders }) => folders);
  const settings = folders.flatMap((folder) =>
    ["config", "config.worktree"].map((name) => regularText(path.join(folder, name)) ?? ""),
  );
  const hook = (name: string) => !name.endsWith(".sample");
  return {
    hooks:
      folders.some((folder) => namesIn(path.join(folder, "hooks")).some(hook)) ||
      settings.some((text) => /\bhookspath\s*=/i.test(text)),
    drivers: settings.some((text) => driver.test(text)),
  };
}

const driver =
  /\[\s*(?:filter|merge|diff|include|includeif|alias|hook)\b|\b(?:fsmonitor|gpgsign|program|sshcommand|editor|pager|external)\s*=/i;

const namesIn = (folder: string): string[] => withFallback([], systemError, () => readdirSync(folder));
