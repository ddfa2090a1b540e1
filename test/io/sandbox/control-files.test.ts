import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchControlFiles } from "../../../src/io/sandbox/control-files.ts";
import { makeWorld, type World } from "../support/world.ts";
import { cpuClock } from "../../support/cpu.ts";

let world: World;
let root: string;
const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], {
    cwd: root,
    encoding: "utf8",
    stdio: "pipe",
  });
const at = (name: string) => path.join(root, name);

beforeEach(() => {
  world = makeWorld();
  root = world.workspace;
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "one");
});
afterEach(() => world.remove());

test("planted control files go, changed ones come back, with their modes", () => {
  fs.writeFileSync(at(".git/hooks/pre-push"), "#!/bin/sh\ntrue\n", { mode: 0o755 });
  const config = fs.readFileSync(at(".git/config"), "utf8");
  const watch = watchControlFiles(root);
  fs.appendFileSync(at(".git/config"), "[core]\n\tfsmonitor = ./evil\n");
  fs.writeFileSync(at(".git/commondir"), "/tmp\n");
  fs.writeFileSync(at(".git/hooks/pre-commit"), "evil", { mode: 0o755 });
  fs.rmSync(at(".git/hooks/pre-push"));
  fs.symlinkSync("/bin/true", at(".git/hooks/pre-push"));
  fs.writeFileSync(at(".git/info/attributes"), "* filter=evil\n");
  fs.mkdirSync(at(".git/config.worktree"));
  expect(watch.restore()).toEqual([
    ".git/commondir",
    ".git/config",
    ".git/config.worktree",
    ".git/hooks/pre-commit",
    ".git/hooks/pre-push",
    ".git/info/attributes",
  ]);
  expect(fs.readFileSync(at(".git/config"), "utf8")).toBe(config);
  expect(fs.readFileSync(at(".git/hooks/pre-push"), "utf8")).toContain("true");
  expect(fs.statSync(at(".git/hooks/pre-push")).mode & 0o777).toBe(0o755);
  expect(fs.readdirSync(at(".git")).filter((name) => /commondir|worktree/.test(name))).toEqual([]);
  expect(watch.restore()).toEqual([]);
  expect(git("status", "--short")).toBe("");
});

test("a moved or replaced .git is put right where it names control files", () => {
  const watch = watchControlFiles(root);
  fs.renameSync(at(".git"), at(".g2"));
  fs.cpSync(at(".g2"), at(".git"), { recursive: true });
  fs.appendFileSync(at(".git/config"), "[core]\n\thooksPath = /tmp/evil\n");
  expect(watch.restore()).toContain(".git/config");
  expect(fs.readFileSync(at(".git/config"), "utf8")).not.toContain("evil");
});

test.each([
  ["[alias]\n\tst = !evil\n", true],
  ["[core]\n\tsshCommand = evil\n", true],
  ["[core]\n\tbare = false\n\tpager = evil\n", true],
  ['[filter "x"]\n\tclean = evil\n', true],
  ["[include]\n\tpath = /tmp/evil\n", true],
  ['[remote "o"]\n\turl = ext::sh -c evil\n', true],
  ['[remote "o"]\n\turl = --upload-pack=evil\n', true],
  ['[remote "o"]\n\tuploadpack = evil\n', true],
  ["[core]\n\tfilemode = true \\\n\tfsmonitor=evil\n", true],
  ["[core] fsmonitor = evil\n", true],
  ['[remote "o"]\n\turl = https://example.org/x.git\n\tfetch = +refs/heads/*:refs/remotes/o/*\n', false],
  ['[branch "main"]\n\tremote = o\n\tmerge = refs/heads/main\n', false],
  ["[user]\n\tname = Some One\n", false],
])("a config with %j is put back: %s", (text, back) => {
  const watch = watchControlFiles(root);
  fs.appendFileSync(at(".git/config"), text);
  expect(watch.restore()).toEqual(back ? [".git/config"] : []);
});

test("what git itself makes for a remote, an upstream or a worktree stays and works", () => {
  const watch = watchControlFiles(root);
  git("remote", "add", "origin", path.join(world.root, "bare.git"));
  execFileSync("git", ["init", "-q", "--bare", path.join(world.root, "bare.git")]);
  git("push", "-q", "-u", "origin", "HEAD");
  git("worktree", "add", "-q", path.join(world.root, "tree"));
  expect(watch.restore()).toEqual([]);
  expect(execFileSync("git", ["log", "--oneline"], { cwd: path.join(world.root, "tree"), encoding: "utf8" })).toContain(
    "one",
  );
});

test("the control files of a worktree and of a submodule are watched too", () => {
  const tree = path.join(world.root, "tree");
  git("worktree", "add", "-q", tree);
  const watch = watchControlFiles(tree);
  fs.appendFileSync(at(".git/config"), "[core]\n\tfsmonitor = evil\n");
  fs.writeFileSync(at(".git/worktrees/tree/commondir"), "/tmp/evil\n");
  fs.writeFileSync(path.join(tree, ".git"), "gitdir: /tmp/evil\n");
  expect(watch.restore()).toEqual([
    "../home/project/.git/config",
    "../home/project/.git/worktrees/tree/commondir",
    ".git",
  ]);
  expect(execFileSync("git", ["status", "--short"], { cwd: tree, encoding: "utf8" })).toBe("");
  const outer = watchControlFiles(root);
  fs.mkdirSync(at(".git/modules/inner"), { recursive: true });
  fs.writeFileSync(at(".git/modules/inner/config"), "[core]\n\tworktree = ../../../../../escape\n");
  expect(outer.restore()).toEqual([".git/modules/inner/config"]);
});

test("a repository that comes into being keeps nothing that runs programs", () => {
  const fresh = path.join(world.root, "fresh");
  fs.mkdirSync(fresh);
  const watch = watchControlFiles(fresh);
  execFileSync("git", ["init", "-q", fresh]);
  expect(watch.restore()).toEqual([]);
  const planted = path.join(world.root, "planted");
  fs.mkdirSync(planted);
  const second = watchControlFiles(planted);
  execFileSync("git", ["init", "-q", planted]);
  fs.appendFileSync(path.join(planted, ".git/config"), "[core]\n\tfsmonitor = touch ran; false\n");
  fs.writeFileSync(path.join(planted, ".git/hooks/post-checkout"), "#!/bin/sh\n", { mode: 0o755 });
  expect(second.restore()).toEqual([".git/config", ".git/hooks/post-checkout"]);
  execFileSync("git", ["status"], { cwd: planted });
  expect(fs.existsSync(path.join(planted, "ran"))).toBe(false);
  expect(fs.readdirSync(path.join(planted, ".git"))).toContain("config.set-aside-by-fettle");
});

test("without a repository there is nothing to do", () => {
  expect(watchControlFiles(world.temporary).restore()).toEqual([]);
  expect(watchControlFiles(path.join(world.root, "absent")).restore()).toEqual([]);
});

test("watching and comparing takes little time", () => {
  watchControlFiles(root).restore();
  const spent = cpuClock();
  for (let i = 0; i < 20; i++) watchControlFiles(root).restore();
  expect(spent() / 20).toBeLessThan(10);
});
