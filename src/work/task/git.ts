// fettle's own git for a task: its branch, its worktree, its commits. The person's checkout is read, never touched.
import { Fault } from "../../base/fault.ts";
import { type GitOptions, runGit } from "../../io/git.ts";
import { parseDiff } from "../../io/snapshot/patch.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Diff } from "../../protocol/result.ts";

export interface Author {
  name: string;
  email: string;
}

export class Repository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Standard output; throws a Fault that says what git said. */
  async run(args: string[], options: Omit<GitOptions, "cwd"> = {}): Promise<string> {
    // A file may be called `*`, and then it is that file alone.
    const env = { GIT_LITERAL_PATHSPECS: "1", ...options.env };
    const { code, out, err } = await runGit(args, { cwd: this.folder, ...options, env });
    if (code !== 0) {
      const said = err.trim().split("\n").at(-1) ?? "";
      throw new Fault("task.git", Exit.failed, `git ${args[0] ?? ""} failed in ${this.folder}: ${said}`);
    }
    return out.toString("utf8");
  }

  /** One line; undefined when git says no. */
  async line(...args: string[]): Promise<string | undefined> {
    const { code, out } = await runGit(args, { cwd: this.folder });
    return code === 0 ? out.toString("utf8").trim() : undefined;
  }

  commit(revision: string): Promise<string | undefined> {
    return this.line("rev-parse", "--verify", "--quiet", `${revision}^{commit}`);
  }

  tree(revision: string): Promise<string | undefined> {
    return this.line("rev-parse", "--verify", "--quiet", `${revision}^{tree}`);
  }

  /** The branch that is checked out; undefined for a detached head. */
  branch(): Promise<string | undefined> {
    return this.line("symbolic-ref", "--quiet", "--short", "HEAD");
  }

  async files(revision = "HEAD"): Promise<string[]> {
    const out = await this.run(["ls-tree", "-r", "-z", "--name-only", revision]);
    return out.split("\0").filter(Boolean);
  }

  async text(revision: string, path: string): Promise<string | undefined> {
    const { code, out } = await runGit(["cat-file", "blob", `${revision}:${path}`], { cwd: this.folder });
    return code === 0 ? out.toString("utf8") : undefined;
  }

  /** Files that hold a line that the extended pattern fits; whoever asks may not wait long. */
  async mentions(revision: string, pattern: string): Promise<string[]> {
    const args = ["grep", "-l", "-z", "-I", "-E", "-e", pattern, revision, "--"];
    const { code, out } = await runGit(args, { cwd: this.folder, timeoutMs: 5_000 });
    const prefix = `${revision}:`;
    return code === 0
      ? out
          .toString("utf8")
          .split("\0")
          .filter((name) => name.startsWith(prefix))
          .map((name) => name.slice(prefix.length))
      : [];
  }

  /** Paths that differ from HEAD; new files that nothing ignores are among them, where wanted. */
  async changed(untracked: boolean): Promise<{ status: string; path: string }[]> {
    const wanted = untracked ? "all" : "no";
    const out = await this.run(["status", "--porcelain", "-z", "--no-renames", `--untracked-files=${wanted}`]);
    return out
      .split("\0")
      .filter(Boolean)
      .map((line) => ({ status: line.slice(0, 2), path: line.slice(3) }));
  }

  async diff(from: string, to: string): Promise<Diff> {
    const args = ["diff-tree", "-r", "-p", "--raw", "--numstat", "--find-renames", "--full-index", from, to];
    const { code, out, err } = await runGit(args, { cwd: this.folder });
    if (code !== 0) throw new Fault("task.git", Exit.failed, `git diff-tree failed: ${err.trim()}`);
    return { files: parseDiff(out) };
  }

  /** What the person's own configuration says, which fettle's git never reads otherwise. */
  async author(home: string): Promise<Author> {
    const one = async (key: string) =>
      (await this.line("config", "--get", key)) ?? (await this.#global(home, key)) ?? undefined;
    return { name: (await one("user.name")) ?? "fettle", email: (await one("user.email")) ?? "fettle@localhost" };
  }

  async #global(home: string, key: string): Promise<string | undefined> {
    const env = { GIT_CONFIG_GLOBAL: `${home}/.gitconfig` };
    const { code, out } = await runGit(["config", "--global", "--get", key], { cwd: this.folder, env });
    return code === 0 ? out.toString("utf8").trim() : undefined;
  }
}

export const authorship = ({ name, email }: Author): Record<string, string> => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});
