// Where a task works: what it is given of the checkout, what is taken back, and several of them at once.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { copyFolder } from "../../../src/io/folders/worktrees.ts";
import type { Envelope, TaskRecord } from "../../../src/protocol/task.ts";
import { freeze, sealFields } from "../../../src/work/task/machine/envelope.ts";
import { Repository } from "../../../src/work/task/world/git.ts";
import {
  branchName,
  copyable,
  ignoredIn,
  isolate,
  leaveWorktree,
  lendable,
  ownWorktree,
  rollBack,
} from "../../../src/work/task/work/isolation.ts";
import { Plan } from "../../../src/protocol/plan.ts";
import { plan } from "./crew.ts";
import { ungated } from "./git.ts";
import { temporaryFolder, writeFiles } from "../../support/folders.ts";
/** A checkout with what installs and builds left in it. */
function checkout() {
  const top = temporaryFolder();
  const folder = path.join(top, "main");
  const put = (name: string, text: string) => writeFiles(folder, { [name]: text });
  put(".gitignore", "node_modules\ndist/\ntarget/\n");
  put("a.txt", "a\n");
  put("packages/one/b.txt", "b\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: folder, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("commit", "--quiet", "-m", "start");
  put("node_modules/x/index.js", "1\n");
  put("packages/one/node_modules/y/index.js", "1\n");
  put("packages/one/dist/out.js", "built\n");
  put("target/debug/thing", "built\n");
  put("other/dist/kept.txt", "untracked\n");
  return { folder, worktrees: path.join(top, "worktrees"), put, git, repository: new Repository(folder) };
}

async function taskOf({ repository, worktrees }: ReturnType<typeof checkout>, id: string) {
  const commit = (await repository.commit("main")) ?? "";
  const { copied } = await copyable(repository, await ignoredIn(repository));
  const envelope: Envelope = sealFields({
    plan: Plan.parse(plan()),
    intent: "fix",
    commands: [],
    paths: ["a.txt"],
    hosts: [],
    base: { branch: "main", commit, tree: (await repository.tree("main")) ?? "" },
    inputs: { request: "r", map: "m", tree: "t", toolchain: "x" },
    toolchain: [],
    images: [],
    flagged: [],
    lockfiles: [],
    lent: lendable(await ignoredIn(repository)),
    copied,
    sampling: { temperature: 0, prompts: "p" },
    strict: false,
  });
  const task: TaskRecord = {
    ...{ id, session: "s", state: "IMPLEMENTING", startedAt: 0, spentMs: 0, envelope },
    request: { text: "mend it", strict: false, outcome: "merge" },
    planApproval: { digest: envelope.digest, nonce: "n", by: "me", at: 0, expires: 1 },
  };
  const frozen = freeze(task);
  if (!("frozen" in frozen)) throw new Error(frozen.why);
  const begin = (more: Partial<TaskRecord> = {}) =>
    isolate({ repository, git: ungated }, worktrees, { ...task, ...more }, frozen.frozen);
  return { task, envelope, begin };
}

test("a worktree begins with copies of what builds left, writable and apart; dependencies are places to be seen at", async () => {
  const main = checkout();
  const { envelope, begin } = await taskOf(main, "0000000a");
  expect([envelope.lent, envelope.copied]).toEqual([
    ["node_modules", "packages/one/node_modules"],
    ["target", "other/dist", "packages/one/dist"],
  ]);
  const { folder } = await begin();
  const own = path.join(folder, "packages/one/dist/out.js");
  expect(readFileSync(own, "utf8")).toBe("built\n");
  expect(existsSync(path.join(folder, "packages/one/node_modules/y"))).toBe(false);
  expect([existsSync(path.join(folder, "node_modules")), existsSync(path.join(folder, "other"))]).toEqual([
    true,
    false,
  ]);
  writeFileSync(own, "anew\n");
  expect(readFileSync(path.join(main.folder, "packages/one/dist/out.js"), "utf8")).toBe("built\n");
  // Asked for again after a crash, nothing that was built since is copied over.
  await begin();
  expect(readFileSync(own, "utf8")).toBe("anew\n");
  expect(await new Repository(folder).changed(true)).toEqual([]);
});

test("what is too large to be copied is left out and named; links stay links, and pipes are none", async () => {
  const main = checkout();
  main.put("target/large", "");
  truncateSync(path.join(main.folder, "target/large"), 300 * 1024 * 1024);
  expect(await copyable(main.repository, await ignoredIn(main.repository))).toEqual({
    copied: ["other/dist", "packages/one/dist"],
    tooLarge: ["target"],
  });
  const built = path.join(main.folder, "packages/one/dist");
  symlinkSync("/etc/passwd", path.join(built, "link"));
  execFileSync("mkfifo", [path.join(built, "pipe")]);
  const to = path.join(main.folder, "copy");
  await copyFolder(built, to, `${to}.part`);
  expect(execFileSync("ls", ["-l", to], { encoding: "utf8" })).toMatch(/link -> \/etc\/passwd[\s\S]*out\.js\n$/);
  expect(existsSync(`${to}.part`)).toBe(false);
});

test("taken back is the task's own folder alone: whatever else a record names is not touched", async () => {
  const main = checkout();
  const { task, begin } = await taskOf(main, "0000000b");
  const worktree = await begin();
  const mine = { ...task, worktree };
  expect(ownWorktree(main.worktrees, mine)).toEqual(worktree);
  let released = 0;
  const release = async () => void (released += 1);
  expect(await rollBack(ungated, worktree, release)).toEqual([]);
  expect(released).toBe(0);
  writeFileSync(path.join(worktree.folder, "a.txt"), "spoilt\n");
  writeFileSync(path.join(worktree.folder, "new.txt"), "new\n");
  expect(await rollBack(ungated, worktree, release)).toEqual(["a.txt", "new.txt"]);
  expect([released, await new Repository(worktree.folder).changed(true)]).toEqual([1, []]);
  main.put("a.txt", "the person's\n");
  for (const changed of [{ folder: main.folder }, { branch: "main" }, { folder: path.join(main.worktrees, "other") }])
    expect(() => ownWorktree(main.worktrees, { ...mine, worktree: { ...worktree, ...changed } })).toThrow(
      "not its own",
    );
  await leaveWorktree({ repository: main.repository, git: ungated }, main.worktrees, {
    ...mine,
    worktree: { ...worktree, folder: main.folder, branch: "main" },
  });
  expect([existsSync(worktree.folder), readFileSync(path.join(main.folder, "a.txt"), "utf8")]).toEqual([
    false,
    "the person's\n",
  ]);
  expect(main.git("branch", "--format=%(refname:short)")).toBe("main\n");
  await expect(rollBack(ungated, worktree, release)).rejects.toThrow("is gone");
});

test("what git was cut off in does not stand in the way: a lock, a worktree that was half made, or that somebody removed", async () => {
  const main = checkout();
  const { task, begin } = await taskOf(main, "0000000c");
  const worktree = await begin();
  const admin = path.join(main.folder, ".git/worktrees/0000000c");
  writeFileSync(path.join(admin, "index.lock"), "");
  rmSync(path.join(worktree.folder, "a.txt"));
  expect(await begin({ worktree })).toEqual(worktree);
  expect(await rollBack(ungated, worktree, async () => undefined)).toEqual(["a.txt"]);
  writeFileSync(path.join(admin, "locked"), "initializing");
  rmSync(worktree.folder, { recursive: true });
  expect(await begin({ worktree })).toEqual(worktree);
  expect(readFileSync(path.join(worktree.folder, "a.txt"), "utf8")).toBe("a\n");
  expect(main.git("rev-parse", branchName(task))).toBe(main.git("rev-parse", "main"));
});
