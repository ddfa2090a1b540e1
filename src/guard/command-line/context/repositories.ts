// What git takes for a repository: `.git` in any spelling, or a folder with HEAD, objects and refs beside each other.
import { posix } from "node:path";
import type { Facts } from "../../contract/ports.ts";
import { namesGit, plainPath } from "../../rules/plain-path.ts";
import { within } from "./sensitive.ts";

/** Names that stand in a folder of git, as git looks for them. */
const marks = new Set([
  "head",
  "objects",
  "refs",
  "commondir",
  "config",
  "hooks",
  "info",
  "packed-refs",
  "config.worktree",
  "gitdir",
  "index",
  "shallow",
  "modules",
  "worktrees",
]);

/** The folders in which a path would put a part of a bare repository, with that part's name. */
export function markedFolders(path: string): { folder: string; mark: string }[] {
  const parts = path.split("/");
  return parts.flatMap((part, index) => {
    const mark = plainPath(part);
    return marks.has(mark) ? [{ folder: parts.slice(0, index).join("/"), mark }] : [];
  });
}

/** Whether git takes a folder with these names for a repository, or would with one more file of a program's making. */
export const isRepository = (names: ReadonlySet<string>): boolean =>
  names.has("head") && (names.has("commondir") || (names.has("objects") && names.has("refs")));

/**
 * The repository that git would find from a folder, where it is another than the workspace's own: its settings may name
 * programs that git runs, and nobody but whoever made that folder has seen them. A submodule's settings lie in the
 * workspace's own `.git`.
 */
export function otherRepository(folder: string, facts: Facts): string | undefined {
  for (let at = facts.path(folder).real; at !== facts.workspace; at = posix.dirname(at)) {
    const mark = facts.path(`${at}/.git`);
    const bare = ["HEAD", "objects", "refs"].every((name) => facts.path(`${at}/${name}`).kind !== "missing");
    if (bare || (mark.kind !== "missing" && !isSubmodule(at, facts))) return at;
    if (mark.kind !== "missing" || at === "/") return undefined;
  }
  return undefined;
}

function isSubmodule(folder: string, facts: Facts): boolean {
  const [, place] = /^gitdir: (.+)\s*$/.exec(facts.text(`${folder}/.git`) ?? "") ?? [];
  return (
    place !== undefined && within(facts.path(posix.resolve(folder, place)).real, `${facts.workspace}/.git/modules`)
  );
}

/** The first folder among `files` (relative) that git would take for a repository. */
export function repositoryIn(files: readonly string[]): string | undefined {
  const found = new Map<string, Set<string>>();
  for (const file of files) {
    if (file.split("/").some(namesGit)) return posix.dirname(file);
    for (const { folder, mark } of markedFolders(file)) {
      const names = found.get(folder) ?? new Set();
      names.add(mark);
      found.set(folder, names);
      if (isRepository(names)) return folder;
    }
  }
  return undefined;
}
