// Git's control files can make git itself run programs. After a run that could have written them they are put back.
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";
import { acceptable } from "./git-config.ts";
import { repositories } from "../git/repositories.ts";

type Remembered =
  | { kind: "file"; content: Buffer; mode: number }
  | { kind: "link"; target: string }
  /** A folder, a pipe or something huge: never a control file that git made. */
  | { kind: "odd" };

const largest = 1024 * 1024;
const single = ["config", "config.worktree", "commondir", "gitdir"];
const wholeFolders = ["hooks", "info"];
/** New repositories are the person's or the agent's: what they may not have is set aside, not destroyed. */
const setAsideSuffix = ".set-aside-by-fettle";

const contents = new Map<string, { seal: string; value: Remembered }>();
/** Entries seen when a workspace was first watched; what comes later is new until it was looked at. */
const looked = new Map<string, Set<string>>();

/** A link in the place of a folder of git's is a control file itself: what it leads to is not the repository's. */
const isLink = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

function entries(folder: string): string[] {
  if (isLink(folder)) return [folder];
  return withFallback([], anyError, () => readdirSync(folder).map((name) => path.join(folder, name)));
}

/** Control files below one git folder, those of its worktrees and submodules included. */
export function controlFiles(folder: string, depth = 0): string[] {
  const listed = wholeFolders.flatMap((name) => entries(path.join(folder, name)));
  const own = [...single.map((name) => path.join(folder, name)), ...listed].filter(
    (file) => !file.endsWith(setAsideSuffix),
  );
  if (depth > 2) return own;
  const inner = [...entries(path.join(folder, "worktrees")), ...entries(path.join(folder, "modules"))];
  return [...own, ...inner.flatMap((place) => (isLink(place) ? [place] : controlFiles(place, depth + 1)))];
}

function remember(file: string): Remembered | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return { kind: "link", target: readlinkSync(file) };
  if (!stats.isFile() || stats.size > largest) return { kind: "odd" };
  const seal = `${stats.ino} ${stats.ctimeMs} ${stats.size} ${stats.mode}`;
  const known = contents.get(file);
  if (known?.seal === seal) return known.value;
  const value: Remembered = { kind: "file", content: readFileSync(file), mode: stats.mode & 0o777 };
  contents.set(file, { seal, value });
  return value;
}

function same(a: Remembered | undefined, b: Remembered | undefined): boolean {
  if (a?.kind === "file" && b?.kind === "file") return a.mode === b.mode && a.content.equals(b.content);
  if (a?.kind === "link" && b?.kind === "link") return a.target === b.target;
  return a?.kind === b?.kind;
}

function mayStay(
  file: string,
  before: Remembered | undefined,
  now: Remembered | undefined,
  workspace: string,
): boolean {
  if (now?.kind !== "file" || (before && before.kind !== "file")) return false;
  return acceptable(file, { before: before?.content.toString(), now: now.content.toString() }, workspace);
}

/** git forgot the worktree as a whole. */
function ofGoneWorktree(file: string): boolean {
  const folder = path.dirname(file);
  return path.basename(path.dirname(folder)) === "worktrees" && !lstatSync(folder, { throwIfNoEntry: false });
}

/**
 * Works in the folder that is there now, not in one that a program swaps for a link meanwhile. False when the folder
 * does not lie below `root`, or is gone.
 */
export function insideFolder(folder: string, root: string, work: (folder: string) => void): boolean {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch {
    return false;
  }
  try {
    const held = `/proc/self/fd/${descriptor}`;
    const place = existsSync(held) ? held : folder;
    const real = realpathSync(place);
    if (real !== root && !real.startsWith(`${root}/`)) return false;
    work(place);
    return true;
  } finally {
    closeSync(descriptor);
  }
}

function putBack(file: string, before: Remembered | undefined, root: string): void {
  const folder = path.dirname(file);
  if (before) mkdirSync(folder, { recursive: true });
  insideFolder(folder, root, (place) => {
    const target = path.join(place, path.basename(file));
    rmSync(target, { recursive: true, force: true });
    if (!before || before.kind === "odd") return;
    if (before.kind === "link") return symlinkSync(before.target, target);
    writeFileSync(target, before.content, { flag: "wx", mode: before.mode });
    chmodSync(target, before.mode);
  });
}

/** Moves a control file of a new repository out of git's sight, unless it is harmless. Says whether it did. */
export function setAside(file: string, workspace: string): boolean {
  const now = remember(file);
  if (!now || mayStay(file, undefined, now, workspace)) return false;
  return insideFolder(path.dirname(file), workspace, (folder) => {
    const place = path.join(folder, path.basename(file));
    rmSync(place + setAsideSuffix, { recursive: true, force: true });
    renameSync(place, place + setAsideSuffix);
  });
}

/** Sets aside what a repository that came into being has beyond a plain `git init` or clone. */
function tameNew(workspace: string, watched: ReadonlySet<string>): string[] {
  const known = looked.get(workspace) ?? new Set<string>();
  const tamed: string[] = [];
  for (const { entry, folders } of repositories(workspace).filter((found) => !known.has(found.entry))) {
    known.add(entry);
    // A new entry may lead to a repository elsewhere, which is not the workspace's to change.
    const own = folders.filter((folder) => !watched.has(folder) && folder.startsWith(`${workspace}/`));
    for (const file of own.flatMap((folder) => controlFiles(folder))) {
      if (setAside(file, workspace)) tamed.push(file);
    }
  }
  looked.set(workspace, known);
  return tamed;
}

/**
 * `restore` puts back what differs from the moment of watching and names it, relative to the workspace. Changes that
 * cannot make git run anything stay (a remote, an upstream, a new worktree). `sealed`: the run could not write to the
 * repositories that exist, so only new ones are looked at.
 */
export function watchControlFiles(workspace: string, options: { sealed?: boolean } = {}): { restore(): string[] } {
  const before = new Map<string, Remembered | undefined>();
  const found = repositories(workspace);
  if (!looked.has(workspace)) looked.set(workspace, new Set(found.map(({ entry }) => entry)));
  const known = found.filter(({ entry }) => looked.get(workspace)?.has(entry));
  const folders = new Set(options.sealed ? [] : known.flatMap((repository) => repository.folders));
  for (const { entry, folders: inside } of known) {
    // A file or a link: replaced, it would lead git elsewhere. A link cannot be sealed.
    if (!inside.includes(entry) && (!options.sealed || isLink(entry))) before.set(entry, remember(entry));
  }
  for (const file of [...folders].flatMap((folder) => controlFiles(folder))) before.set(file, remember(file));
  return {
    restore() {
      const restored: string[] = [];
      const present = [...folders].flatMap((folder) => controlFiles(folder));
      const rootOf = (file: string) =>
        [...folders].filter((folder) => file.startsWith(`${folder}/`)).sort((a, b) => a.length - b.length)[0];
      // Links in the place of folders go first, so that nothing is put back through them.
      const ordered = [...new Set([...present.filter(isLink), ...before.keys(), ...present])];
      for (const file of ordered) {
        const wanted = before.get(file);
        const now = remember(file);
        if (same(wanted, now) || mayStay(file, wanted, now, workspace) || ofGoneWorktree(file)) continue;
        putBack(file, wanted, rootOf(file) ?? path.dirname(file));
        restored.push(file);
      }
      return [...restored, ...tameNew(workspace, folders)].map((file) => path.relative(workspace, file)).sort();
    },
  };
}
