// Whether a git command takes away or brings back nothing but what the session itself changed: then the person's own
// uncommitted work is as it was, and the record can bring everything back.
import { existsSync } from "node:fs";
import path from "node:path";
import type { GitWork } from "../facts/spec.ts";
import { replacesObjects } from "../git/git-names.ts";
import { gitNow, gitToplevel } from "../git/git.ts";
import type { KnownToGit, OwnChanges } from "./own-changes.ts";

const most = { files: 200, milliseconds: 1_000 };

/** `undefined`: no record was made yet, so the session has changed nothing. */
export function concernsOwnWork(work: GitWork, workspace: string, record: OwnChanges | undefined): boolean {
  if (!record || gitToplevel(workspace) !== workspace || existsSync(path.join(workspace, ".gitmodules"))) return false;
  if (replacesObjects(workspace)) return false;
  const git = new Asked(workspace);
  // What git was told to take for unchanged is in no list, and `git stash` or `git restore` would overwrite it.
  const marked = git.text("ls-files", "-v");
  if (marked === undefined || /^[a-z]/m.test(marked)) return false;
  if (work.act === "restore") return restores(work, git, record);
  return work.act === "stash" ? putsAway(work, git, record) : bringsBack(git, record);
}

/** Files, and folders with all that git tracks below them. */
function restores({ files, from }: GitWork, git: Asked, record: OwnChanges): boolean {
  if (files.length === 0) return false;
  if (from === "HEAD" && git.names("diff", "--cached", ...differing, ...literally(files))?.length !== 0) return false;
  // What git tracks nothing of may be the name of a branch.
  if (git.text("ls-files", "--error-unmatch", ...literally(files)) === undefined) return false;
  const changed = git.names("diff", ...differing, ...literally(files));
  return changed?.every((file) => git.has("", file, (known) => known && record.isOwn(file, known))) === true;
}

function putsAway({ files, untracked }: GitWork, git: Asked, record: OwnChanges): boolean {
  const only = files.length === 0 ? [] : literally(files);
  const changed = git.names("diff", "HEAD", ...differing, ...only);
  // A stash of some paths holds all that is staged, and bringing it back brings that back.
  const staged = git.names("diff", "--cached", ...differing);
  const here = git.names("diff", "--cached", ...differing, ...only);
  const fresh = untracked ? git.names("ls-files", "-z", "--others", ...git.ignoring(), ...only) : [];
  if (!changed || !staged || !here || !fresh) return false;
  const all = [...new Set([...changed, ...here, ...fresh])];
  return (
    all.every((file) => git.has("HEAD", file, (known) => record.isOwn(file, known))) &&
    // `git stash pop` does not bring back what was staged, so the person's may not be among it.
    staged.every((file) => git.has("", file, (known) => record.hasSeen(file, known)))
  );
}

/** The newest entry of the stash. One with untracked files has a third parent, which holds them. */
function bringsBack(git: Asked, record: OwnChanges): boolean {
  const entry = "refs/stash";
  // git says itself that there is none.
  if (git.text("for-each-ref", entry) === "") return true;
  const between = ["diff-tree", "-r", ...differing];
  const tracked = git.names(...between, `${entry}^1`, entry);
  const staged = git.names(...between, `${entry}^1`, `${entry}^2`);
  const third = git.text("rev-parse", "--verify", "--quiet", `${entry}^3`) !== undefined;
  const untracked = third ? git.names("ls-tree", "-r", "-z", "--name-only", `${entry}^3`) : [];
  if (!tracked || !staged || !untracked || tracked.length + untracked.length === 0) return false;
  const seen = (revision: string) => (file: string) => git.has(revision, file, (known) => record.hasSeen(file, known));
  return tracked.every(seen(entry)) && staged.every(seen(`${entry}^2`)) && untracked.every(seen(`${entry}^3`));
}

/** The commit that a repository inside stands for is a change, too. */
const differing = ["--name-only", "-z", "--no-renames", "--ignore-submodules=dirty"];

const literally = (files: readonly string[]): string[] => ["--", ...files.map((file) => `:(top,literal)${file}`)];

class Asked {
  readonly #workspace: string;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  text = (...words: string[]): string | undefined => gitNow(words, this.#workspace, most.milliseconds);

  names(...words: string[]): string[] | undefined {
    const found = entriesOf(this.text(...words));
    return found && found.length <= most.files ? found : undefined;
  }

  /** Not the person's own list of what is ignored everywhere: git in the sandbox does not see it. */
  ignoring(): string[] {
    const exclude = ".git/info/exclude";
    const here = existsSync(path.join(this.#workspace, exclude));
    return ["--exclude-per-directory=.gitignore", ...(here ? [`--exclude-from=${exclude}`] : [])];
  }

  /** False where that is no ordinary file, or cannot be told. The index is the revision without a name. */
  has(revision: string, file: string, holds: (known: KnownToGit) => boolean | undefined): boolean {
    const list = revision === "" ? ["ls-files", "-s"] : ["ls-tree", "--full-tree", revision];
    const literal = revision === "" ? literally([file]) : ["--", file];
    const entries = entriesOf(this.text(...list, "-z", ...literal));
    if (!entries) return false;
    const [entry, ...more] = entries;
    if (entry === undefined) return holds(undefined) === true;
    const [about = "", name] = entry.split("\t");
    const [, executable, ofTree, ofIndex] = /^100(644|755) (?:blob ([0-9a-f]+)|([0-9a-f]+) 0)$/.exec(about) ?? [];
    const blob = ofTree ?? ofIndex;
    if (more.length > 0 || name !== file || blob === undefined) return false;
    const text = this.text("cat-file", "blob", blob);
    // What is no text was changed when it was read as such.
    return text !== undefined && !text.includes("\uFFFD") && holds({ text, executable: executable === "755" }) === true;
  }
}

const entriesOf = (text: string | undefined): string[] | undefined => text?.split("\0").filter((each) => each !== "");
