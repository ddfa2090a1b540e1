import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { gitProgram, gitToplevel, runGit } from "../../../src/io/git/git.ts";
import { temporaryFolder } from "../../support/folders.ts";

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, stdio: "pipe" }).toString();

function repository(): string {
  const folder = temporaryFolder();
  git(folder, "init", "-q", "-b", "main");
  writeFileSync(path.join(folder, "file.txt"), "one\n");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "first");
  writeFileSync(path.join(folder, "file.txt"), "two\n");
  return folder;
}

/** A program whose start leaves a trace outside of the repository. */
function trap(): { command: string; sprung: () => string[] } {
  const folder = temporaryFolder();
  const command = path.join(folder, "trap");
  const traces = path.join(folder, "traces");
  mkdirSync(traces);
  writeFileSync(
    command,
    `#!/bin/sh\ntouch "${traces}/$$"\nenv > "${traces}/env.$$"\ncase "$0" in */trap) [ -t 0 ] || exec cat;; esac\n`,
    {
      mode: 0o755,
    },
  );
  return { command, sprung: () => readdirSync(traces) };
}

const everyday = [
  ["status", "--porcelain"],
  ["diff"],
  ["diff", "HEAD"],
  ["log", "-p", "-1"],
  ["show", "HEAD"],
  ["blame", "file.txt"],
  ["grep", "-n", "o"],
  ["add", "-A"],
  ["commit", "-m", "x", "--allow-empty"],
  ["checkout", "-q", "-f", "HEAD"],
];
const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

const plants: Record<string, (folder: string, command: string) => void> = {
  fsmonitor: (folder, command) => git(folder, "config", "core.fsmonitor", command),
  hooksPath(folder, command) {
    const hooks = path.join(folder, "evil");
    mkdirSync(hooks);
    for (const name of ["pre-commit", "post-checkout", "post-index-change", "commit-msg", "post-commit"])
      symlinkSync(command, path.join(hooks, name));
    git(folder, "config", "core.hooksPath", hooks);
  },
  hooks(folder, command) {
    for (const name of ["pre-commit", "post-checkout", "post-index-change", "reference-transaction"]) {
      symlinkSync(command, path.join(folder, ".git", "hooks", name));
    }
  },
  "external diff": (folder, command) => git(folder, "config", "diff.external", command),
  "textconv and diff driver"(folder, command) {
    writeFileSync(path.join(folder, ".gitattributes"), "* diff=evil\n");
    git(folder, "config", "diff.evil.textconv", command);
    git(folder, "config", "diff.evil.command", command);
  },
  "clean and smudge filter"(folder, command) {
    writeFileSync(path.join(folder, ".gitattributes"), "* filter=a.b=c\n");
    for (const name of ["clean", "smudge"]) git(folder, "config", `filter.a.b=c.${name}`, command);
    git(folder, "config", "filter.a.b=c.required", "true");
  },
  "process filter"(folder, command) {
    writeFileSync(path.join(folder, ".gitattributes"), "* filter=evil\n");
    git(folder, "config", "filter.evil.process", command);
    git(folder, "config", "filter.evil.required", "true");
  },
  "filter in an included file"(folder, command) {
    writeFileSync(path.join(folder, ".gitattributes"), "* filter=evil\n");
    writeFileSync(path.join(folder, ".git", "more"), `[filter "evil"]\n\tclean = ${command}\n`);
    git(folder, "config", "include.path", "more");
  },
  pager(folder, command) {
    for (const key of ["core.pager", "pager.log", "pager.diff", "core.editor", "sequence.editor"])
      git(folder, "config", key, command);
  },
  signing(folder, command) {
    for (const key of ["commit.gpgSign", "tag.gpgSign", "log.showSignature"]) git(folder, "config", key, "true");
    git(folder, "config", "gpg.program", command);
  },
};

test.each(Object.keys(plants))("a planted %s does not run", async (name) => {
  const folder = repository();
  const { command, sprung } = trap();
  plants[name]?.(folder, command);
  for (const args of everyday) {
    const { code, err } = await runGit(args, { cwd: folder, env: who });
    expect([code, err], args.join(" ")).toEqual([0, expect.anything()]);
  }
  expect(sprung()).toEqual([]);
  // The plant is a real one: the ordinary git springs it.
  writeFileSync(path.join(folder, "file.txt"), "three\n");
  for (const args of everyday) {
    const plain = { cwd: folder, env: { ...process.env, ...who }, stdio: "ignore" as const, timeout: 5000 };
    // A pager wants a terminal.
    const line = `git ${args.map((each) => `'${each}'`).join(" ")}`;
    if (name === "pager") spawnSync("script", ["-qec", line, "/dev/null"], plain);
    else spawnSync("git", args, plain);
  }
  expect(sprung()).not.toEqual([]);
});

test("a repository that claims to be part of another one is refused", async () => {
  const folder = repository();
  const { command, sprung } = trap();
  const other = temporaryFolder();
  git(other, "init", "-q");
  git(other, "config", "core.fsmonitor", command);
  writeFileSync(path.join(folder, ".git", "commondir"), path.join(other, ".git"));
  spawnSync("git", ["status"], { cwd: folder, stdio: "ignore", timeout: 5000 });
  const before = sprung().length;
  expect(before).toBeGreaterThan(0);
  const { code, err } = await runGit(["status"], { cwd: folder });
  expect(code).toBe(128);
  expect(err).toContain("commondir does not belong there");
  expect(sprung()).toHaveLength(before);
});

test("variables, system and user configuration, and helpers of the network are out of reach", async () => {
  const folder = repository();
  const { command, sprung } = trap();
  git(folder, "config", "core.sshCommand", command);
  git(folder, "config", "credential.helper", `!${command}`);
  git(folder, "config", "core.askPass", command);
  git(folder, "config", "protocol.ext.allow", "always");
  const before = { ...process.env };
  Object.assign(process.env, {
    GIT_EXTERNAL_DIFF: command,
    GIT_SSH_COMMAND: command,
    GIT_PAGER: command,
    GIT_DIR: "/nowhere",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: command,
  });
  try {
    for (const args of everyday) expect((await runGit(args, { cwd: folder, env: who })).code).toBe(0);
    for (const url of ["ssh://host.invalid/x", "https://host.invalid/x", `ext::${command}`, "file:///tmp"]) {
      const { code, err } = await runGit(["ls-remote", url], { cwd: folder });
      expect(code).not.toBe(0);
      expect(err).toContain("not allowed");
    }
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
  expect(sprung()).toEqual([]);
});

test("a work tree named by the repository's configuration is not followed", async () => {
  const folder = repository();
  const elsewhere = temporaryFolder();
  writeFileSync(path.join(elsewhere, "private.txt"), "secret");
  git(folder, "config", "core.worktree", elsewhere);
  const { out } = await runGit(["status", "--porcelain"], { cwd: folder });
  expect(out.toString()).toBe(" M file.txt\n");
});

test("input, failure, time limit and signals are answers, not exceptions", async () => {
  const folder = repository();
  expect((await runGit(["hash-object", "--stdin"], { cwd: folder, input: "one\n" })).out.toString().trim()).toBe(
    "5626abf0f72e58d7a153368ba57db4c673c0e171",
  );
  const failed = await runGit(["no-such-command"], { cwd: folder });
  expect(failed.code).not.toBe(0);
  expect(failed.err).toContain("no-such-command");
  expect((await runGit(["status"], { cwd: path.join(folder, "missing") })).code).toBe(127);
  const unread = await runGit(["--version"], { cwd: folder, input: "x".repeat(5_000_000) });
  expect(unread.code).toBe(0);
});

test("of two commands in one start the second runs after a good end of the first, with its words as they are", async () => {
  const folder = repository();
  const name = "it's $(touch sprung) `touch sprung`;\n\"\\ *";
  writeFileSync(path.join(folder, name), "one\n");
  const both = await runGit(["add", "--", name], { cwd: folder, next: ["ls-files", "-z", "--", name] });
  expect(both).toMatchObject({ code: 0, err: "" });
  expect(both.out.toString()).toBe(`${name}\0`);
  const first = await runGit(["add", "--", "missing"], { cwd: folder, next: ["rev-parse", "HEAD"] });
  expect({ code: first.code, out: first.out.toString() }).toEqual({ code: 128, out: "" });
  const hooked = await runGit(["rev-parse", "HEAD"], { cwd: folder, next: ["diff", "--ext-diff"] });
  expect(hooked.code).toBe(0);
  expect(existsSync(path.join(folder, "sprung"))).toBe(false);
});

test("a time limit ends all that was started", async () => {
  const folder = repository();
  execFileSync("mkfifo", [path.join(folder, "fifo")]);
  const wait = ["hash-object", path.join(folder, "fifo")];
  for (const next of [undefined, wait]) {
    const late = await runGit(wait, { cwd: folder, timeoutMs: 200, ...(next && { next }) });
    expect(late).toMatchObject({ code: 124, err: "git took longer than 200 ms" });
  }
  const left = () => execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(wait.join(" "));
  await expect.poll(left, { interval: 20 }).toBe(false);
});

test("the toplevel is the nearest folder with a repository, in every form", () => {
  const folder = repository();
  mkdirSync(path.join(folder, "a", "b"), { recursive: true });
  expect(gitToplevel(path.join(folder, "a", "b"))).toBe(folder);
  const linked = path.join(temporaryFolder(), "tree");
  git(folder, "worktree", "add", "-q", linked);
  expect(gitToplevel(linked)).toBe(linked);
  mkdirSync(path.join(folder, "a", ".git"));
  expect(gitToplevel(path.join(folder, "a"))).toBe(folder);
  expect(gitToplevel(temporaryFolder())).toBeUndefined();
  expect(existsSync(gitProgram() ?? "")).toBe(true);
  rmSync(path.join(folder, "a", ".git"), { recursive: true });
});
