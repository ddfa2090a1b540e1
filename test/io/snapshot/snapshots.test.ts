import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openSnapshots, type Snapshots } from "../../../src/io/snapshot/snapshots.ts";
import { temporaryFolder } from "../../support/folders.ts";

interface Bench {
  work: string;
  snapshots: Snapshots;
  gitDir: string;
  put(name: string, content: string | Buffer, mode?: number): void;
  text(name: string): string;
}

function bench(limits: { maxBytes?: number; maxFiles?: number } = {}): Bench {
  const work = temporaryFolder();
  const gitDir = path.join(temporaryFolder(), "state", "snapshots.git");
  const options = { gitDir, workspace: work, maxBytes: 256_000_000, maxFiles: 50_000, ...limits };
  return {
    work,
    gitDir,
    snapshots: openSnapshots(options),
    put(name, content, mode = 0o644) {
      mkdirSync(path.dirname(path.join(work, name)), { recursive: true });
      writeFileSync(path.join(work, name), content);
      chmodSync(path.join(work, name), mode);
    },
    text: (name) => readFileSync(path.join(work, name), "utf8"),
  };
}

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, stdio: "pipe" }).toString();

/** Everything below a folder with kind, mode and content, but without `.git`. Names as latin1: one character per byte. */
function picture(folder: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  const bytesOf = (name: string) => Buffer.concat([Buffer.from(folder), Buffer.from(name, "latin1")]);
  for (const entry of readdirSync(bytesOf(below), { encoding: "buffer" })) {
    const name = `${below}/${entry.toString("latin1")}`;
    if (name.endsWith("/.git")) continue;
    const facts = lstatSync(bytesOf(name));
    if (facts.isDirectory()) Object.assign(found, picture(folder, name));
    else if (facts.isSymbolicLink()) found[name] = `link ${readlinkSync(bytesOf(name))}`;
    else found[name] = `${(facts.mode & 0o777).toString(8)} ${readFileSync(bytesOf(name)).toString("latin1")}`;
  }
  return found;
}

const names = (diff: { files: { path: string; change: string; from?: string | undefined }[] }) =>
  Object.fromEntries(
    diff.files.map((file) => [file.path, file.from ? `${file.change} from ${file.from}` : file.change]),
  );

test("bytes, modes, links and every kind of name come back exactly, in a folder that is no repository", async () => {
  const b = bench();
  b.put("crlf.txt", "\ufeffa\r\nb\r\n");
  b.put(".gitattributes", "* text=auto eol=lf\n*.txt ident working-tree-encoding=UTF-16\n");
  b.put("ident.txt", "$Id$ and \xff");
  b.put("binary.bin", Buffer.from([0, 255, 13, 10, 0]));
  b.put("run.sh", "#!/bin/sh\n", 0o755);
  b.put("-dash", "x");
  b.put('folder/new\nline "quote" \\ tab\t.txt', "x\n");
  b.put("ünï/ côdé.txt", "x\n");
  b.put(":(exclude)magic*[a]?", "x\n");
  b.put("empty", "");
  writeFileSync(Buffer.concat([Buffer.from(`${b.work}/`), Buffer.from([0x66, 0xe9, 0xff])]), "latin");
  symlinkSync("run.sh", path.join(b.work, "good-link"));
  symlinkSync("/etc/passwd", path.join(b.work, "outside-link"));
  symlinkSync("loop", path.join(b.work, "loop"));
  const before = picture(b.work);
  const { tree, leftOut } = await b.snapshots.take();
  expect(leftOut).toEqual([]);
  expect(await b.snapshots.take()).toEqual({ tree, leftOut: [] });

  for (const name of readdirSync(b.work, { encoding: "buffer" })) {
    rmSync(Buffer.concat([Buffer.from(`${b.work}/`), name]), { recursive: true });
  }
  symlinkSync("/etc", path.join(b.work, "crlf.txt"));
  b.put("folder", "now a file");
  b.put("empty/now", "a folder");
  b.put("run.sh", "#!/bin/sh\n", 0o644);
  const { restored } = await b.snapshots.restore(tree, "all");
  expect(restored.length).toBeGreaterThan(10);
  expect(picture(b.work)).toEqual(before);
  expect(await b.snapshots.compare(tree)).toEqual({ files: [] });
  expect(await b.snapshots.restore(tree, "all")).toEqual({ restored: [] });
});

test("the person's repository is not touched, whatever its state", async () => {
  const setups: ((folder: string) => void)[] = [
    () => undefined,
    (folder) => {
      writeFileSync(path.join(folder, "staged"), "1");
      git(folder, "add", "staged");
    },
    (folder) => {
      writeFileSync(path.join(folder, "a"), "1");
      git(folder, "add", ".");
      git(folder, "commit", "-qm", "one");
      writeFileSync(path.join(folder, "a"), "2");
      git(folder, "stash");
      git(folder, "checkout", "-q", "--detach");
      writeFileSync(path.join(folder, "a"), "3");
      git(folder, "add", ".");
      writeFileSync(path.join(folder, "a"), "4");
    },
  ];
  for (const setup of setups) {
    const b = bench();
    git(b.work, "init", "-q");
    setup(b.work);
    const shot = () => {
      const files = execFileSync("find", [".git", "-type", "f", "-printf", "%p %s %T@ %C@\n"], {
        cwd: b.work,
      }).toString();
      return files.split("\n").sort().join("\n");
    };
    const before = shot();
    const { tree } = await b.snapshots.take();
    b.put("new/file", "x");
    const diff = await b.snapshots.compare(tree);
    expect(names(diff)).toEqual({ "new/file": "created" });
    await b.snapshots.restore(tree, "all");
    expect(existsSync(path.join(b.work, "new"))).toBe(false);
    expect(shot()).toBe(before);
  }
});

test("a diff tells created, modified, deleted, moved, binary and exchanged kinds", async () => {
  const b = bench();
  b.put("modified", "one\ntwo\nthree\n");
  b.put("deleted", "gone\n");
  b.put("to move", "a long enough content\n".repeat(10));
  b.put("binary", Buffer.from([0, 1, 2]));
  b.put("kind", "text\n");
  b.put("mode", "x\n");
  b.put("tricky", "text\n");
  const from = (await b.snapshots.take()).tree;
  b.put("modified", "one\n2\nthree\nfour\n");
  rmSync(path.join(b.work, "deleted"));
  renameSync(path.join(b.work, "to move"), path.join(b.work, 'moved "é\n'));
  b.put("binary", Buffer.from([0, 1, 3]));
  rmSync(path.join(b.work, "kind"));
  symlinkSync("modified", path.join(b.work, "kind"));
  chmodSync(path.join(b.work, "mode"), 0o755);
  b.put("created", "last");
  b.put("tricky", "text\ndiff --git a/x b/x\n\rdiff --git a/y b/y\n@@ -1 +1 @@\n");
  const to = (await b.snapshots.take()).tree;
  const diff = await b.snapshots.diff(from, to);
  expect(names(diff)).toEqual({
    modified: "modified",
    deleted: "deleted",
    'moved "é\n': "moved from to move",
    binary: "modified",
    kind: "modified",
    mode: "modified",
    created: "created",
    tricky: "modified",
  });
  const file = (name: string) => diff.files.find((each) => each.path === name);
  expect(file("modified")).toMatchObject({
    added: 2,
    removed: 1,
    patch: "@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n",
  });
  expect(file("binary")).toMatchObject({ added: 0, removed: 0, patch: "" });
  expect(file("mode")).toMatchObject({ added: 0, removed: 0, patch: "" });
  expect(file("created")?.patch).toBe("@@ -0,0 +1 @@\n+last\n\\ No newline at end of file\n");
  expect(file("tricky")).toMatchObject({ added: 3, removed: 0 });
  expect(file("tricky")?.patch.split("\n")).toHaveLength(6);
  const compared = names(await b.snapshots.compare(from));
  expect(compared).toMatchObject({ "to move": "deleted", 'moved "é\n': "created" });
  expect(await b.snapshots.diff(to, to)).toEqual({ files: [] });
});

test("only the named paths are restored, folders with all below them", async () => {
  const b = bench();
  for (const name of ["a", "dir/b", "dir/sub/c", "dirty"]) b.put(name, "old");
  const { tree } = await b.snapshots.take();
  for (const name of ["a", "dir/b", "dir/sub/c", "dirty"]) b.put(name, "new");
  b.put("dir/sub/extra", "new");
  const inode = statSync(path.join(b.work, "a")).ino;
  expect((await b.snapshots.restore(tree, ["dir/sub"])).restored).toEqual(["dir/sub/c", "dir/sub/extra"]);
  expect(existsSync(path.join(b.work, "dir/sub/extra"))).toBe(false);
  expect(b.text("dir/b")).toBe("new");
  expect((await b.snapshots.restore(tree, [path.join(b.work, "dir"), "./a", "../outside"])).restored).toEqual([
    "a",
    "dir/b",
  ]);
  expect(statSync(path.join(b.work, "a")).ino).not.toBe(inode);
  expect(b.text("dirty")).toBe("new");
  expect((await b.snapshots.read(tree, "dirty"))?.toString()).toBe("old");
  expect(await b.snapshots.read(tree, "missing")).toBeUndefined();
  expect(await b.snapshots.read(tree, "dir")).toBeUndefined();
});

test("ignored files are neither taken nor touched, even when the rules change in between", async () => {
  const b = bench();
  git(b.work, "init", "-q");
  b.put(".gitignore", "data/\n*.log\n");
  b.put(".git/info/exclude", "private\n");
  for (const name of ["data/a", "x.log", "private", "deep/y.log", "code"]) b.put(name, "precious");
  const { tree } = await b.snapshots.take();
  for (const name of ["data/a", "x.log", "private"]) expect(await b.snapshots.read(tree, name)).toBeUndefined();
  b.put(".gitignore", "nothing\n");
  b.put("fresh", "x");
  expect(names(await b.snapshots.compare(tree))).toEqual({ ".gitignore": "modified", fresh: "created" });
  expect((await b.snapshots.restore(tree, "all")).restored).toEqual([".gitignore", "fresh"]);
  for (const name of ["data/a", "x.log", "private", "deep/y.log"]) expect(b.text(name)).toBe("precious");
});

test("control files of git and fettle stay as they are, wherever they lie", async () => {
  const b = bench();
  b.put(".fettle/config.toml", "old");
  b.put(".gitignore", "!.fettle\n!.fettle/**\n");
  b.put("code", "old");
  const { tree } = await b.snapshots.take();
  b.put(".fettle/config.toml", "new");
  b.put(".fettle/more.toml", "new");
  b.put("sub/.fettle/x", "new");
  b.put("code", "new");
  expect(names(await b.snapshots.compare(tree))).toEqual({ code: "modified" });
  await b.snapshots.restore(tree, "all");
  expect(b.text(".fettle/config.toml")).toBe("new");
  expect(b.text(".fettle/more.toml")).toBe("new");
  expect(b.text("sub/.fettle/x")).toBe("new");
  expect(b.text("code")).toBe("old");
});

test("repositories within are left out, told, and survive even when they cease to be ones", async () => {
  const b = bench();
  b.put("code", "x");
  b.put("vendor/lib/file", "precious");
  git(path.join(b.work, "vendor/lib"), "init", "-q");
  const made = await b.snapshots.take();
  expect(made.leftOut).toEqual([{ path: "vendor/lib/", why: "repository" }]);
  expect(await b.snapshots.take()).toEqual(made);
  rmSync(path.join(b.work, "vendor/lib/.git"), { recursive: true });
  b.put("code", "y");
  expect(names(await b.snapshots.compare(made.tree))).toEqual({ code: "modified" });
  await b.snapshots.restore(made.tree, "all");
  expect(b.text("vendor/lib/file")).toBe("precious");
});

test("what is too big or too many is left out, told, and never deleted by a restore", async () => {
  const b = bench({ maxBytes: 1000 });
  b.put("small", "s");
  b.put("big", "b".repeat(2000));
  b.put("mid", "m".repeat(600));
  const first = await b.snapshots.take();
  expect(first.leftOut).toEqual([{ path: "big", why: "size" }]);
  expect(await b.snapshots.take()).toEqual(first);
  truncateSync(path.join(b.work, "big"), 100);
  expect(names(await b.snapshots.compare(first.tree))).toEqual({});
  await b.snapshots.restore(first.tree, "all");
  expect(b.text("big")).toHaveLength(100);

  // One that was taken grows beyond the limit: its old content must not pass for the new one.
  const second = await b.snapshots.take();
  b.put("mid", "M".repeat(5000));
  const third = await b.snapshots.take();
  expect(third.leftOut).toEqual([{ path: "mid", why: "size" }]);
  expect(await b.snapshots.read(third.tree, "mid")).toBeUndefined();
  expect(names(await b.snapshots.compare(second.tree))).toEqual({ mid: "modified" });
  await b.snapshots.restore(second.tree, "all");
  expect(b.text("mid")).toBe("m".repeat(600));

  const many = bench({ maxFiles: 3 });
  for (const name of ["1", "2", "3", "4", "5"]) many.put(name, name.repeat(Number(name)));
  expect((await many.snapshots.take()).leftOut).toEqual([
    { path: "4", why: "count" },
    { path: "5", why: "count" },
  ]);
  const crowd = bench({ maxFiles: 1 });
  for (let index = 0; index < 300; index += 1) crowd.put(`lib/${index}`, "x");
  expect((await crowd.snapshots.take()).leftOut).toEqual([{ path: "lib/", why: "count" }]);
});

test("a restore goes through no link, deletes no foreign folder, and says what it could not do", async () => {
  const outside = temporaryFolder();
  writeFileSync(path.join(outside, "file"), "outside");
  const b = bench();
  b.put("dir/file", "old");
  b.put("plain", "old");
  b.put("other", "old");
  b.put(".gitignore", "*.keep\n");
  const { tree } = await b.snapshots.take();
  rmSync(path.join(b.work, "dir"), { recursive: true });
  symlinkSync(outside, path.join(b.work, "dir"));
  rmSync(path.join(b.work, "plain"));
  b.put("plain/precious.keep", "ignored");
  b.put("other", "new");
  await expect(b.snapshots.restore(tree, ["dir/file"])).rejects.toMatchObject({
    code: "restore.partial",
    message:
      "0 files were restored, 1 could not be: dir/file: something that is no folder stands where its folder should be.",
  });
  expect(readFileSync(path.join(outside, "file"), "utf8")).toBe("outside");
  await expect(b.snapshots.restore(tree, "all")).rejects.toThrow(/1 could not be: plain: a folder with other files/);
  expect(readFileSync(path.join(outside, "file"), "utf8")).toBe("outside");
  expect(b.text("dir/file")).toBe("old");
  expect(b.text("other")).toBe("old");
  expect(b.text("plain/precious.keep")).toBe("ignored");
  expect(readdirSync(b.work).filter((name) => name.startsWith(".fettle-restore"))).toEqual([]);
});

test("changes within one tick of the clock are seen", async () => {
  const b = bench();
  const trees = new Set<string>();
  for (let index = 0; index < 15; index += 1) {
    writeFileSync(path.join(b.work, "same-size"), String(index + 10));
    trees.add((await b.snapshots.take()).tree);
  }
  expect(trees.size).toBe(15);
});

test("several at once on one shadow repository agree and leave no litter", async () => {
  const b = bench();
  for (let index = 0; index < 40; index += 1) b.put(`f${index}`, `${index}`);
  const others = [1, 2].map(() => openSnapshots({ gitDir: b.gitDir, workspace: b.work, maxBytes: 1e9, maxFiles: 1e6 }));
  const all = await Promise.all([b.snapshots, ...others, ...others].map((each) => each.take()));
  expect(new Set(all.map((each) => each.tree)).size).toBe(1);
  const litter = readdirSync(b.gitDir).filter((name) => /^(index|tmp)\./.test(name));
  expect(litter).toEqual([]);
  writeFileSync(path.join(b.gitDir, "index.99999999.1"), "left by a dead process");
  await openSnapshots({ gitDir: b.gitDir, workspace: b.work, maxBytes: 1e9, maxFiles: 1e6 }).take();
  expect(existsSync(path.join(b.gitDir, "index.99999999.1"))).toBe(false);
});

test("a broken index is made anew; a tree that is none is refused; hostile config of the person's repository runs nothing", async () => {
  const b = bench();
  git(b.work, "init", "-q");
  const trace = path.join(temporaryFolder(), "trace");
  git(b.work, "config", "core.fsmonitor", `touch ${trace}`);
  git(b.work, "config", "filter.evil.clean", `touch ${trace}; cat`);
  b.put(".gitattributes", "* filter=evil\n");
  b.put("a", "1");
  const { tree } = await b.snapshots.take();
  writeFileSync(path.join(b.gitDir, "index"), "garbage");
  expect((await b.snapshots.take()).tree).toBe(tree);
  for (const name of ["--output=/tmp/x", "HEAD", "", `${tree}:a`]) {
    await expect(b.snapshots.diff(name, tree)).rejects.toMatchObject({ code: "snapshot.failed" });
    await expect(b.snapshots.read(name, "a")).rejects.toMatchObject({ code: "snapshot.failed" });
    await expect(b.snapshots.compare(name)).rejects.toMatchObject({ code: "snapshot.failed" });
    await expect(b.snapshots.restore(name, "all")).rejects.toMatchObject({ code: "snapshot.failed" });
  }
  expect(existsSync(trace)).toBe(false);
});

test("after a power cut, empty objects are taken for what they are", async () => {
  const b = bench();
  b.put("a", "content that matters");
  const { tree } = await b.snapshots.take();
  const objects = execFileSync("find", [path.join(b.gitDir, "objects"), "-type", "f"])
    .toString()
    .trim()
    .split("\n");
  for (const file of objects) {
    chmodSync(file, 0o644);
    truncateSync(file, 0);
  }
  writeFileSync(path.join(b.gitDir, "boot"), "an earlier boot");
  const later = openSnapshots({ gitDir: b.gitDir, workspace: b.work, maxBytes: 1e9, maxFiles: 1e6 });
  expect((await later.take()).tree).toBe(tree);
  expect((await later.read(tree, "a"))?.toString()).toBe("content that matters");
});

test("an empty folder has an empty tree, and everything can come from it and go to it", async () => {
  const b = bench();
  const { tree } = await b.snapshots.take();
  b.put("a", "1");
  expect(names(await b.snapshots.compare(tree))).toEqual({ a: "created" });
  await b.snapshots.restore(tree, "all");
  expect(readdirSync(b.work)).toEqual([]);
});
