// Git repositories in a workspace, and where their git folders really are.
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
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

function realOptional(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

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

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function describeRepository(entry: string): Repository | undefined {
  const stats = lstatSync(entry, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const folders = new Set<string>();
  const named = stats.isFile() ? /^gitdir: (.+)$/m.exec(regularText(entry) ?? "")?.[1] : undefined;
  const folder = realOptional(named === undefined ? entry : path.resolve(path.dirname(entry), named.trim()));
  if (folder && lstatSync(folder).isDirectory()) {
    folders.add(folder);
    const common = regularText(path.join(folder, "commondir"))?.trim();
    const real = common ? realOptional(path.resolve(folder, common)) : undefined;
    if (real) folders.add(real);
  }
  return { entry, folders: [...folders] };
}

/** The repository at the top is always looked at anew; nested ones are searched for at most every 20 s. */
export function repositories(workspace: string): Repository[] {
  const known = cache.get(workspace);
  const now = performance.now();
  const nested = known && now - known.at < freshMs ? known.nested : findNested(workspace);
  if (nested !== known?.nested) cache.set(workspace, { at: now, nested });
  return [path.join(workspace, ".git"), ...nested].flatMap((entry) => describeRepository(entry) ?? []);
}
