// Checkpoints that make use of the person's own index hold what a fresh look at every file would.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSnapshots } from "../../../src/io/snapshot/snapshots.ts";
import { draws } from "../../support/draws.ts";
import { temporaryFolder } from "../../support/folders.ts";

const limits = { maxBytes: 256_000_000, maxFiles: 50_000 };

/** One that takes every way that large repositories take, one that takes none of them. */
function quick(workspace: string, gitDir = path.join(temporaryFolder(), "s.git")) {
  return openSnapshots({ gitDir, workspace, ...limits, seedFrom: 1, largeFrom: 1 });
}

async function freshTree(workspace: string): Promise<string> {
  const gitDir = path.join(temporaryFolder(), "fresh.git");
  const never = Number.POSITIVE_INFINITY;
  return (await openSnapshots({ gitDir, workspace, ...limits, seedFrom: never, largeFrom: never }).take()).tree;
}

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgSign=false", ...args], {
    cwd,
    stdio: "pipe",
  }).toString();

function picture(folder: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(path.join(folder, below))) {
    if (name === ".git") continue;
    const at = path.join(below, name);
    const file = path.join(folder, at);
    const facts = lstatSync(file);
    if (facts.isDirectory()) Object.assign(found, picture(folder, at));
    else if (facts.isSymbolicLink()) found[at] = `link ${readlinkSync(file)}`;
    else found[at] = `${facts.mode & 0o111} ${readFileSync(file, "latin1")}`;
  }
  return found;
}

/** What was written a while ago: git trusts its times. */
function age(folder: string): void {
  const then = Date.now() / 1000 - 10;
  for (const name of readdirSync(folder)) {
    if (name === ".git") continue;
    const file = path.join(folder, name);
    if (lstatSync(file).isDirectory()) age(file);
    else lutimesSync(file, then, then);
  }
}

const names = ["a", "b.r", "c.txt", "run.sh", "d/a", "d/b.r", "d/e/f", "ö/ü", "d.x", "d/e.log", "-x", "g h"];
const name = fc.constantFrom(...names);
const content = fc.constantFrom(
  "",
  "one\n",
  "uno\n",
  "one\r\ntwo\r\n",
  "one\ntwo\n",
  "$Id$\n",
  "\0bin\r\n",
  "abcdef",
  "nopqrs",
);

type Step = (workspace: string) => void;

const put = (file: string, text: string) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};
/** Whatever stands in the way of a step is part of the game. */
const tried = (body: () => void): void => {
  try {
    body();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
};

/** A failing history is printed by the names of its steps, as they are written in an example. */
const step = (said: string, body: Step): Step =>
  Object.assign((at: string) => tried(() => body(at)), { [fc.toStringMethod]: () => said });
const text = (...values: unknown[]) => values.map((each) => JSON.stringify(each)).join(", ");

const write = (file: string, content: string) =>
  step(`write(${text(file, content)})`, (at) => put(path.join(at, file), content));
const remove = (file: string) =>
  step(`remove(${text(file)})`, (at) => rmSync(path.join(at, file), { recursive: true, force: true }));
const executable = (file: string) => step(`executable(${text(file)})`, (at) => chmodSync(path.join(at, file), 0o755));
const link = (file: string, to: string) =>
  step(`link(${text(file, to)})`, (at) => {
    rmSync(path.join(at, file), { recursive: true, force: true });
    symlinkSync(to, path.join(at, file));
  });
const folderIsFile = step("folderIsFile", (at) => {
  rmSync(path.join(at, "d"), { recursive: true });
  put(path.join(at, "d"), "a file now");
});
const folderIsMoved = step("folderIsMoved", (at) => renameSync(path.join(at, "d"), path.join(at, "new")));
const run = (...args: string[]) => step(`run(${text(...args)})`, (at) => void git(at, ...args));
const flagged = (flag: string, file: string, content: string) =>
  step(`flagged(${text(flag, file, content)})`, (at) => {
    git(at, "update-index", flag, file);
    put(path.join(at, file), content);
  });
const conflicted = (file: string) =>
  step(`conflicted(${text(file)})`, (at) => {
    const object = git(at, "hash-object", "-w", "--stdin").trim();
    const lines = [1, 2, 3].map((stage) => `100644 ${object} ${stage}\t${file}`).join("\n");
    git(at, "rm", "-q", "--cached", file);
    execFileSync("git", ["update-index", "--index-info"], { cwd: at, input: lines, stdio: "pipe" });
  });

const edit: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(name, content).map((drawn) => write(...drawn)),
  fc.tuple(name, content).map((drawn) => write(...drawn)),
  name.map(remove),
  name.map(executable),
  fc.tuple(name, name).map((drawn) => link(...drawn)),
  fc.constant(link("d", "ö")),
  fc.constant(folderIsFile),
  fc.constant(folderIsMoved),
  content.map((drawn) => write("fresh/deep/file", drawn)),
  fc.constantFrom("*.log\n", "d\n", "ö/\n", "").map((rules) => write(".gitignore", rules)),
  fc
    .constantFrom("* text=auto\n", "*.r filter=rot\n", "*.txt ident\n", "[attr]z filter=rot\n* z\n")
    .map((rules) => write(".gitattributes", rules)),
);

const ofGit: fc.Arbitrary<Step> = fc.oneof(
  fc
    .constantFrom(
      ["add", "-A"],
      ["add", "-A", "--force"],
      ["commit", "-qam", "x"],
      ["commit", "-q", "--allow-empty", "-m", "x"],
      ["config", "core.autocrlf", "true"],
      ["config", "core.autocrlf", "input"],
      ["config", "core.fileMode", "false"],
      ["config", "core.symlinks", "false"],
      ["update-index", "--split-index"],
      ["update-index", "--index-version", "4"],
      ["update-index", "--untracked-cache"],
      ["rm", "-q", "-r", "--cached", "d"],
      ["gc", "-q", "--prune=now"],
      ["checkout", "-q", "-b", "other"],
      ["reset", "-q", "--hard"],
    )
    .map((args) => run(...args)),
  fc.tuple(fc.constantFrom("--skip-worktree", "--assume-unchanged"), name, content).map((drawn) => flagged(...drawn)),
  name.map((file) => run("add", "-N", file)),
  name.map(conflicted),
);

const history = fc.array(fc.oneof(edit, edit, ofGit), { minLength: 3, maxLength: 14 });

/** `filtered`: with a filter that keeps the size, as long as attributes name it. */
function repository(filtered = true): string {
  const top = temporaryFolder();
  git(top, "init", "-q");
  if (filtered) {
    git(top, "config", "filter.rot.clean", "tr a-z n-za-m");
    git(top, "config", "filter.rot.smudge", "tr a-z n-za-m");
  }
  for (const [index, file] of names.entries()) put(path.join(top, file), `content ${index}\n`);
  return top;
}

type Where = "top" | "folder" | "worktree";

async function prepared(steps: readonly Step[], where: Where, filtered: boolean): Promise<string> {
  const top = repository(filtered);
  age(top);
  git(top, "add", "-A");
  git(top, "commit", "-qm", "first");
  let at = top;
  if (where === "worktree") {
    at = path.join(temporaryFolder(), "linked");
    git(top, "worktree", "add", "-q", at);
    age(at);
    git(at, "status");
  }
  // Only what changed in an earlier second than the index is trusted.
  await setTimeout(1100);
  put(path.join(at, "late"), "late\n");
  git(at, "add", "late");
  for (const step of steps) step(at);
  if (where !== "folder") return at;
  mkdirSync(path.join(at, "d"), { recursive: true });
  // It may be a link, which a later step replaces: the checkpoints stay where they began.
  return realpathSync(path.join(at, "d"));
}

const rulesOf = (at: string): string => {
  const file = path.join(at, ".gitignore");
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : "";
};

const runs = Number(process.env["FETTLE_RUNS"] ?? draws(12));

/** Histories that once led to another tree. */
const found: [Step[], Step[][], Where, boolean][] = [
  // What the filter had made of the files was taken for their content after the attributes no longer named it.
  [
    [
      write(".gitattributes", "[attr]z filter=rot\n* z\n"),
      folderIsMoved,
      run("add", "-A"),
      link("d", "ö"),
      folderIsMoved,
    ],
    [[link("ö/ü", "a"), run("add", "-N", "ö/ü"), write(".gitattributes", "* text=auto\n"), write("a", "")]],
    "top",
    true,
  ],
  // A file or link that became a folder was told as gone, and what was in the folder was left out.
  [[link("d", "ö"), write("fresh/deep/file", "")], [[folderIsMoved, write("d/e.log", ""), remove("a")]], "top", false],
  [[], [[remove("a"), write("a/b/c", "one\n"), write("a/d", "")]], "worktree", false],
];

test("whatever state the repository is in: the same tree as from a fresh index, and all of it comes back", async () => {
  const where = fc.constantFrom<Where>("top", "top", "folder", "worktree");
  const rest = fc.array(history, { maxLength: 2 });
  const property = fc.asyncProperty(history, rest, where, fc.boolean(), async (before, rounds, place, filtered) => {
    let at: string;
    try {
      at = await prepared(before, place, filtered);
    } catch {
      // git itself could not.
      return fc.pre(false);
    }
    const snapshots = quick(at);
    const first = await snapshots.take();
    const shot = picture(at);
    const rules = rulesOf(at);
    expect(first.tree).toBe(await freshTree(at));
    for (const steps of rounds) {
      for (const each of steps) each(at);
      // What was taken before a rule covered it is still looked after: a fresh index knows nothing of that.
      if (rulesOf(at) !== rules) return;
      expect((await snapshots.take()).tree).toBe(await freshTree(at));
    }
    // Nothing is needed of the person's repository any more.
    if (place !== "folder") rmSync(path.join(at, ".git"), { recursive: true, force: true });
    if (rules !== "") return;
    await snapshots.restore(first.tree, "all");
    expect(picture(at)).toEqual(shot);
  });
  await fc.assert(property, { numRuns: runs, examples: found });
}, 600_000);

const shotOf = (folder: string): string =>
  execFileSync("find", [".git", "-printf", "%p %s %T@ %C@\n"], { cwd: folder })
    .toString()
    .split("\n")
    .sort()
    .join("\n");

function clean(count: number): string {
  const top = repository();
  for (let index = 0; index < count; index += 1) put(path.join(top, `many/${index % 7}/${index}`), `file ${index}\n`);
  git(top, "add", "-A");
  git(top, "commit", "-qm", "first");
  return top;
}

async function settled(top: string): Promise<void> {
  await setTimeout(1100);
  put(path.join(top, "late"), "late\n");
  git(top, "add", "late");
}

test("the person's repository is only read, nothing that it configures runs, and it may go afterwards", async () => {
  const top = clean(50);
  await settled(top);
  const trace = path.join(temporaryFolder(), "trace");
  for (const key of ["core.fsmonitor", "core.sshCommand", "filter.rot.clean", "uploadpack.packObjectsHook"])
    git(top, "config", key, `touch ${trace}; cat`);
  put(path.join(top, ".gitattributes"), "*.r filter=rot\n");
  const before = shotOf(top);
  const snapshots = quick(top);
  const { tree } = await snapshots.take();
  expect(shotOf(top)).toBe(before);
  expect(existsSync(trace)).toBe(false);
  const shot = picture(top);
  rmSync(path.join(top, ".git"), { recursive: true });
  rmSync(path.join(top, "many"), { recursive: true });
  put(path.join(top, "b.r"), "changed\n");
  await snapshots.restore(tree, "all");
  expect(picture(top)).toEqual(shot);
});

test("what the person's index vouches for is taken over as it is, trees included", async () => {
  const top = clean(50);
  await settled(top);
  const gitDir = path.join(temporaryFolder(), "s.git");
  const snapshots = quick(top, gitDir);
  const { tree } = await snapshots.take();
  expect(tree).toBe(git(top, "write-tree").trim());
  // All but the one that was added in the second in which the index was written.
  expect(JSON.parse(readFileSync(path.join(gitDir, "seeded"), "utf8"))).toMatchObject({ files: 62 });
  const loose = readdirSync(path.join(gitDir, "objects")).filter((each) => each.length === 2);
  // The commit that `git status` compares with, and at most the trees above what was added late.
  expect(loose.length).toBeLessThan(4);
});

test("objects that are missing, as in a partial clone, are made from the files; those of another kind are not used", async () => {
  const top = clean(10);
  await settled(top);
  const object = git(top, "rev-parse", "HEAD:many/3/3").trim();
  rmSync(path.join(top, ".git/objects", object.slice(0, 2), object.slice(2)));
  const { tree } = await quick(top).take();
  expect(tree).toBe(await freshTree(top));
  const other = temporaryFolder();
  execFileSync("git", ["init", "-q", "--object-format=sha256"], { cwd: other });
  put(path.join(other, "a"), "a");
  git(other, "add", "a");
  expect((await quick(other).take()).tree).toBe(await freshTree(other));
});

test("killed at any moment, the next one holds all", async () => {
  const top = clean(300);
  await settled(top);
  const wanted = await freshTree(top);
  const gitDir = path.join(temporaryFolder(), "s.git");
  const program = path.join(import.meta.dirname, "../../io/children/take.ts");
  for (let wait = 0; wait < 10; wait += 1) {
    const child = spawn(process.execPath, [program, gitDir, top], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    await setTimeout(wait * 12);
    child.kill("SIGKILL");
    await once(child, "close");
    put(path.join(top, "many/0/0"), `round ${wait}\n`);
    expect((await quick(top, gitDir).take()).tree).toBe(await freshTree(top));
    put(path.join(top, "many/0/0"), "file 0\n");
    if (wait % 3 === 0) rmSync(path.join(gitDir, "index"), { force: true });
  }
  expect((await quick(top, gitDir).take()).tree).toBe(wanted);
});
