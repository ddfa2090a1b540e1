// The shadow repository: bare, in the state folder, its work tree is the workspace. The person's .git is only read.
import { linkSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { hasCode, withFallback } from "../../base/fallback.ts";
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { notAFile, readRegular, statsOf } from "../files/regular.ts";
import { type GitExit, type GitOptions, runGit } from "../git/git.ts";
import { makePrivateFolder } from "../places/places.ts";
import { bootId } from "../store/lease.ts";

const config = `[core]
\trepositoryFormatVersion = 0
\tbare = true
\tfileMode = true
\tsymlinks = true
\tignoreCase = false
\tautocrlf = false
\tsafecrlf = false
\tprecomposeUnicode = false
\tquotePath = true
\tbigFileThreshold = 8m
[index]
\tversion = 2
[gc]
\tauto = 0
`;

/** Bytes are kept as they are, whatever .gitattributes say; `!diff` leaves it to the content whether it is text. */
const attributes = "* -text -ident -filter !diff -merge -eol -working-tree-encoding\n";

const twelve = "[0-9a-f]".repeat(12);
/** Control files of fettle are no files of the work, nor is what a killed process was writing. */
const ownIgnores = `.fettle\n.fettle-${twelve}\n.fettle-restore-${twelve}\n`;

const unique = (): string => randomBytes(6).toString("hex");

/** What makes a work tree a copy of another one, with the same objects. */
export interface CopyOf {
  /** Whose ignore rules hold. */
  workspace: string;
  /** Name of an index of its own. */
  index: string;
}

/** One that goes with the process that made it. */
export const ownIndex = (): string => `index.${process.pid}.${unique()}.copy`;

export class Shadow {
  readonly gitDir: string;
  readonly workspace: string;
  readonly #copyOf: CopyOf | undefined;
  private ready = false;

  constructor(gitDir: string, workspace: string, copyOf?: CopyOf) {
    this.gitDir = gitDir;
    this.workspace = workspace;
    this.#copyOf = copyOf;
  }

  /** Rejects with the Fault `snapshot.failed` when git does not end well. */
  async git(args: string[], more: Partial<GitOptions> = {}): Promise<Buffer> {
    const exit = await this.tryGit(args, more);
    if (exit.code !== 0) throw snapshotFailed(exit, this.gitDir);
    return exit.out;
  }

  tryGit(args: string[], more: Partial<GitOptions> = {}): Promise<GitExit> {
    this.prepare();
    return runGit(args, { cwd: this.workspace, gitDir: this.gitDir, workTree: this.workspace, ...more });
  }

  /**
   * Lends a private index that starts as the shared one, and shares it afterwards: nobody waits for a lock, and the last
   * writer wins, which costs another process no more than hashing again. Links and renames keep the file's time, by
   * which git tells entries that changed too recently to be trusted.
   */
  async withIndex<T>(body: (indexFile: string) => Promise<T>, fresh = false): Promise<T> {
    this.prepare();
    const mine = path.join(this.gitDir, `index.${process.pid}.${unique()}`);
    if (!fresh) ifPresent(() => linkSync(this.sharedIndex(), mine));
    try {
      const value = await body(mine);
      ifPresent(() => renameSync(mine, this.sharedIndex()));
      return value;
    } finally {
      rmSync(mine, { force: true });
      rmSync(`${mine}.lock`, { force: true });
    }
  }

  /** A folder that is removed afterwards. */
  async withTemporaryFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
    const folder = path.join(this.gitDir, `tmp.${process.pid}.${unique()}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    try {
      return await body(realpathSync(folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** The ignore rules that stand in the person's .git hold here too. */
  refreshIgnores(): void {
    this.prepare();
    const file = path.join(this.gitDir, "info", "exclude");
    const wanted =
      ownIgnores +
      textOf(path.join(commonFolder(path.join(this.#copyOf?.workspace ?? this.workspace, ".git")), "info", "exclude"));
    if (textOf(file) !== wanted) writeFileSync(file, wanted);
  }

  /** 0 before the first checkpoint. */
  indexBytes(): number {
    return statSync(this.sharedIndex(), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Nobody takes checkpoints of this work tree any more. */
  dropIndex(): void {
    rmSync(this.sharedIndex(), { force: true });
  }

  private sharedIndex(): string {
    return path.join(this.gitDir, this.#copyOf?.index ?? "index");
  }

  private prepare(): void {
    if (this.ready) return;
    try {
      refuseOddFiles(this.gitDir);
      if (textOf(path.join(this.gitDir, "HEAD")) === "") create(this.gitDir);
      else removeLeftovers(this.gitDir);
      if (textOf(path.join(this.gitDir, "boot")) !== bootId()) afterBoot(this.gitDir);
    } catch (error) {
      throw new Fault(
        "snapshot.unwritable",
        Exit.failed,
        `Checkpoints cannot be kept in ${this.gitDir} (${(error as Error).message}).`,
        `Free space on the disk, give yourself write access to this folder, or move the earlier checkpoints aside: mv '${this.gitDir}' '${this.gitDir}.broken'`,
      );
    }
    this.ready = true;
  }
}

/** `gitDir`: where git found the fault in its own files perhaps. */
export function snapshotFailed(exit: GitExit, gitDir?: string): Fault {
  const why =
    exit.err
      .trim()
      .split("\n")
      .findLast((line) => /^(fatal|error)/.test(line)) ?? exit.err.trim();
  const machine = /No space left|quota exceeded|Read-only file system|Permission denied/i.test(why);
  return new Fault(
    "snapshot.failed",
    Exit.failed,
    `git could not do this for a checkpoint: ${why || `exit code ${exit.code}`}.`,
    machine
      ? `Free space where ${gitDir ?? "fettle's state"} lies, or give yourself write access to it.`
      : gitDir && `If that goes on, move the earlier checkpoints aside: mv '${gitDir}' '${gitDir}.broken'`,
  );
}

const gitFiles = ["HEAD", "config", "boot", "index", "packed-refs", "info/attributes", "info/exclude"];

/** git would wait for somebody to write into a pipe. */
function refuseOddFiles(gitDir: string): void {
  for (const name of gitFiles) {
    const instead = notAFile(path.join(gitDir, name));
    if (instead) throw new Error(`${name} is ${instead}`);
  }
}

/** What `git init` would make, without its processes and templates; HEAD comes last and says that all is there. */
function create(gitDir: string): void {
  makePrivateFolder(gitDir);
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "info", "left-out"]) {
    mkdirSync(path.join(gitDir, folder), { recursive: true, mode: 0o700 });
  }
  writeFileSync(path.join(gitDir, "config"), config);
  writeFileSync(path.join(gitDir, "info", "attributes"), attributes);
  writeFileSync(path.join(gitDir, "HEAD"), "ref: refs/heads/none\n");
}

/**
 * A power cut can leave objects that were never written out: empty files that git takes for the real thing. The index may
 * name them, so everything is read anew once.
 */
function afterBoot(gitDir: string): void {
  const objects = path.join(gitDir, "objects");
  for (const folder of readdirSync(objects).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
    for (const name of readdirSync(path.join(objects, folder))) {
      const file = path.join(objects, folder, name);
      if (statSync(file).size === 0) rmSync(file, { force: true });
    }
  }
  rmSync(path.join(gitDir, "index"), { force: true });
  writeFileSync(path.join(gitDir, "boot"), bootId());
}

/** Files of processes that were killed. */
function removeLeftovers(gitDir: string): void {
  for (const name of readdirSync(gitDir)) {
    const owner = /^(?:index|tmp)\.(\d+)\./.exec(name)?.[1];
    if (owner && !alive(Number(owner))) rmSync(path.join(gitDir, name), { recursive: true, force: true });
  }
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Of a repository folder, or of the file that stands for one in a linked worktree. */
function commonFolder(dotGit: string): string {
  const named = /^gitdir: (.+)/.exec(isFile(dotGit) ? textOf(dotGit) : "")?.[1];
  if (!named) return dotGit;
  const own = path.resolve(path.dirname(dotGit), named);
  return path.resolve(own, textOf(path.join(own, "commondir")).trim());
}

const isFile = (file: string): boolean => statsOf(file)?.isFile() ?? false;

function textOf(file: string): string {
  try {
    return readRegular(file);
  } catch (error) {
    if (
      ["ENOENT", "ENOTDIR", "EACCES", "EISDIR", "ENOTFILE", "ELOOP"].includes(
        (error as NodeJS.ErrnoException).code ?? "",
      )
    )
      return "";
    throw error;
  }
}

function ifPresent(body: () => void): void {
  withFallback(undefined, hasCode("ENOENT"), () => body());
}
