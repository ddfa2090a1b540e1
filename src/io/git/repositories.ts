// Git repositories in a workspace, and where their git folders really are.
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";
import { regularText } from "../files/regular.ts";

export interface Repository {
  /** The `.git` entry: a folder, a link, or the file of a worktree or submodule. */
  entry: string;
  /** Real folders with its control files: the git folder and, for worktrees, the common one. */
  folders: string[];
}

const skipped = new Set(["node_modules", "target", ".venv", "venv", "__pycache__", ".tox", "dist", "build", ".gradle"]);
const folderBudget = 1500;
const deepest = 5;
const freshMs = 20_000;

const cache = new Map<string, { at: number; nested: string[] }>();

const realOptional = (file: string): string | undefined => withFallback(undefined, anyError, () => realpathSync(file));

/** Names of `.git` entries below the top, found by a bounded walk, breadth first. */
function findNested(workspace: string): string[] {
  const found: string[] = [];
  let level = [workspace];
  let budget = folderBudget;
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (budget-- <= 0) return found;
      for (const entry of entriesOf(folder)) {
        if (entry.name === ".git") {
          if (folder !== workspace) found.push(path.join(folder, ".git"));
        } else if (entry.isDirectory() && !skipped.has(entry.name)) next.push(path.join(folder, entry.name));
      }
    }
    level = next;
  }
  return found;
}

const entriesOf = (folder: string) => withFallback([], anyError, () => readdirSync(folder, { withFileTypes: true }));

/** Where this entry says that the repository lies, whoever wrote it. */
export function describeRepository(entry: string): Repository | undefined {
  const stats = lstatSync(entry, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const folders = new Set<string>();
  const named = stats.isFile() ? namedIn(entry) : undefined;
  const folder = realOptional(named ?? entry);
  if (folder && lstatSync(folder).isDirectory()) {
    folders.add(folder);
    const common = regularText(path.join(folder, "commondir"))?.trim();
    const real = common ? realOptional(path.resolve(folder, common)) : undefined;
    if (real) folders.add(real);
  }
  return { entry, folders: [...folders] };
}

const namedIn = (entry: string): string | undefined => {
  const named = /^gitdir: (.+)$/m.exec(regularText(entry) ?? "")?.[1];
  return named === undefined ? undefined : path.resolve(path.dirname(entry), named.trim());
};

const below = (root: string, file: string): boolean => file === root || file.startsWith(`${root}/`);

/**
 * Git folders outside of the workspace that are its own: of a linked worktree, or of a submodule that is worked on by
 * itself. The git folder names the workspace in return, and only the person's git wrote there: a `.git` file that a
 * program planted leads nowhere.
 */
function outsideFolders(workspace: string): string[] {
  const entry = path.join(workspace, ".git");
  if (!lstatSync(entry, { throwIfNoEntry: false })?.isFile()) return [];
  const named = namedIn(entry);
  const folder = named === undefined ? undefined : realOptional(named);
  if (folder === undefined || below(workspace, folder)) return [];
  const back = regularText(path.join(folder, "gitdir"))?.trim();
  if (back !== undefined && realOptional(path.resolve(folder, back)) === entry) {
    const common = path.dirname(path.dirname(folder));
    const named = path.resolve(folder, regularText(path.join(folder, "commondir"))?.trim() ?? "");
    return path.basename(path.dirname(folder)) === "worktrees" && realOptional(named) === common
      ? [folder, common]
      : [];
  }
  const tree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(regularText(path.join(folder, "config")) ?? "")?.[1];
  return tree !== undefined && realOptional(path.resolve(folder, tree)) === workspace ? [folder] : [];
}

/** As they were when the workspace was first asked about: what a `.git` file says later opens nothing. */
const opened = new Map<string, readonly string[]>();

/** The workspace's own git folders outside of it. */
export function ownFolders(workspace: string): readonly string[] {
  const now = outsideFolders(workspace);
  const first = opened.get(workspace);
  if (!first) opened.set(workspace, now);
  return first ? now.filter((folder) => first.includes(folder)) : now;
}

/**
 * The repositories in a workspace, with their git folders in it and in the workspace's own outside of it; others are
 * nobody's to see or to write. The one at the top is always looked at anew; nested ones are searched for at most every 20 s.
 */
export function repositories(workspace: string): Repository[] {
  const known = cache.get(workspace);
  const now = performance.now();
  const nested = known && now - known.at < freshMs ? known.nested : findNested(workspace);
  if (nested !== known?.nested) cache.set(workspace, { at: now, nested });
  const trusted = [workspace, ...ownFolders(workspace)];
  return [path.join(workspace, ".git"), ...nested].flatMap((entry) => {
    const found = describeRepository(entry);
    const inside = (folder: string) => trusted.some((root) => below(root, folder));
    return found ? [{ entry, folders: found.folders.filter(inside) }] : [];
  });
}

/** Folders of nested repositories that a command names, so far that its text holds the last part of their path. */
export function nestedNamed(workspace: string, command: string): string[] {
  const words = new Set(command.split(/[\s/'"=;&|()<>]+/));
  const folders = repositories(workspace).map(({ entry }) => path.dirname(entry));
  return folders.filter((folder) => folder !== workspace && words.has(path.basename(folder)));
}
