// What is read from git's files is what git says, or git is asked.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { anyError, withFallback } from "../../../src/base/fallback.ts";
import { checkedOut, gitFolders, settingsMention, tipOf } from "../../../src/io/git/git-tips.ts";
import { Repository } from "../../../src/work/task/world/git.ts";
import { temporaryFolder } from "../../support/folders.ts";

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, encoding: "utf8" }).trim();
const commit = (folder: string, text: string) => {
  writeFileSync(path.join(folder, "file.txt"), text);
  git(folder, "add", ".");
  git(folder, "commit", "-qm", text);
  return git(folder, "rev-parse", "HEAD");
};

function repository() {
  const folder = temporaryFolder();
  git(folder, "init", "-q", "-b", "main");
  const first = commit(folder, "one");
  return { folder, first, at: (name: string) => path.join(folder, ".git", name) };
}

/** By a process, whatever the files say. */
const said = (folder: string, reference: string) => {
  return withFallback(undefined, anyError, () =>
    git(folder, "rev-parse", "--verify", "--quiet", `${reference}^{commit}`),
  );
};

test("tips are what git says: loose, packed, both, moved, gone, in a worktree, below a folder", () => {
  const { folder, first } = repository();
  const other = path.join(temporaryFolder(), "linked");
  git(folder, "branch", "a/b-1");
  git(folder, "pack-refs", "--all");
  const second = commit(folder, "two");
  git(folder, "worktree", "add", "-q", "-b", "fettle/x", other);
  const third = commit(other, "three");
  git(folder, "update-ref", "-d", "refs/heads/a/b-1");
  git(folder, "branch", "c");
  git(folder, "pack-refs", "--all");
  const names = ["HEAD", ...["main", "a/b-1", "c", "fettle/x", "none", "fettle"].map((name) => `refs/heads/${name}`)];
  for (const where of [folder, other]) {
    for (const name of names) expect([name, tipOf(where, name)]).toEqual([name, said(where, name)]);
  }
  expect(new Set([first, second, third]).size).toBe(3);
  expect([checkedOut(folder), checkedOut(other)]).toEqual([{ branch: "main" }, { branch: "fettle/x" }]);
  git(folder, "checkout", "-q", "--detach", first);
  expect([tipOf(folder, "HEAD"), checkedOut(folder)]).toEqual([first, "detached"]);
  expect(gitFolders(other)).toEqual({
    own: path.join(folder, ".git/worktrees/linked"),
    shared: path.join(folder, ".git"),
  });
});

test("whatever is not plain is left to git: links, symbolic branches, tags, odd names, planted folders, no commit yet", async () => {
  const { folder, first, at } = repository();
  git(folder, "tag", "v1");
  git(folder, "symbolic-ref", "refs/heads/alias", "refs/heads/main");
  for (const name of [
    "v1",
    "refs/tags/v1",
    "main",
    "refs/heads/alias",
    "refs/heads/../heads/main",
    "refs/heads/main@{0}",
  ])
    expect([name, tipOf(folder, name)]).toEqual([name, undefined]);
  const here = new Repository(folder);
  expect([await here.commit("v1"), await here.commit("refs/heads/alias")]).toEqual([first, first]);
  renameSync(at("HEAD"), at("OLD"));
  symlinkSync("refs/heads/main", at("HEAD"));
  expect([tipOf(folder, "HEAD"), checkedOut(folder)]).toEqual([undefined, undefined]);
  expect([await here.commit("HEAD"), await here.branch()]).toEqual([first, "main"]);
  rmSync(at("HEAD"));
  renameSync(at("OLD"), at("HEAD"));
  // What a planted one leads to is not read, and git refuses.
  const foreign = repository();
  writeFileSync(at("commondir"), foreign.at(""));
  expect([gitFolders(folder), tipOf(folder, "HEAD"), settingsMention(folder, /x/)]).toEqual([
    undefined,
    undefined,
    true,
  ]);
  expect(await here.commit("HEAD")).toBeUndefined();
  rmSync(at("commondir"));
  const empty = temporaryFolder();
  git(empty, "init", "-q", "-b", "main");
  expect([tipOf(empty, "HEAD"), checkedOut(empty)]).toEqual([undefined, { branch: "main" }]);
  mkdirSync(path.join(empty, "below"));
  expect(checkedOut(path.join(empty, "below"))).toEqual({ branch: "main" });
});

test("what is kept is kept by commit: a moved HEAD, a rewritten one and a deleted file are seen at once", async () => {
  const { folder, first } = repository();
  const here = new Repository(folder);
  const look = async () => [
    await here.text("HEAD", "file.txt"),
    (await here.files()).join(),
    await here.tree("HEAD"),
    (await here.differing(first)).map((each) => Object.values(each).join(" ")).join(),
    await here.log(5, "%s"),
  ];
  const before = await look();
  expect(before.slice(0, 2)).toEqual(["one", "file.txt"]);
  commit(folder, "two");
  expect(await look()).toEqual([
    "two",
    "file.txt",
    git(folder, "rev-parse", "HEAD^{tree}"),
    "file.txt 100644 100644",
    "two\none",
  ]);
  git(folder, "mv", "file.txt", "moved.txt");
  git(folder, "commit", "-q", "--amend", "-m", "three");
  expect((await look()).slice(0, 2)).toEqual([undefined, "moved.txt"]);
  expect((await here.differing(first)).map(({ path: name, before: was, after }) => [name, was, after])).toEqual([
    ["file.txt", "100644", "000000"],
    ["moved.txt", "000000", "100644"],
  ]);
  git(folder, "reset", "-q", "--hard", first);
  expect(await look()).toEqual(before);
});

test("settings are only looked up where the files hold them, or take in others", async () => {
  const { folder, at } = repository();
  expect(settingsMention(folder, /hookspath/i)).toBe(false);
  git(folder, "config", "core.hooksPath", "hooks");
  expect(settingsMention(folder, /hookspath/i)).toBe(true);
  git(folder, "config", "--unset", "core.hooksPath");
  git(folder, "config", "include.path", "more");
  expect(settingsMention(folder, /hookspath/i)).toBe(true);
  writeFileSync(at("more"), "[user]\n\tname = Ada\n");
  const home = temporaryFolder();
  writeFileSync(path.join(home, ".gitconfig"), "[user]\n\tname = Other\n\temail = other@example.org\n");
  expect(await new Repository(folder).author(home)).toEqual({ name: "Ada", email: "other@example.org" });
  expect(await new Repository(folder).author(temporaryFolder())).toEqual({ name: "Ada", email: "fettle@localhost" });
});
