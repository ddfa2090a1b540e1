import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { anyError, withFallback } from "../../../src/base/fallback.ts";
import { listFolder, moveFile, readBytes, removeFile, writeAtomic } from "../../../src/io/files/bytes.ts";
import { FileProblem } from "../../../src/io/files/problem.ts";
import { makeWorld, type World } from "../support/world.ts";

let world: World;
let root: string;
beforeEach(() => {
  world = makeWorld();
  root = world.workspace;
});
afterEach(() => world.remove());

const at = (name: string) => path.join(root, name);
async function problem(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(FileProblem);
  const { code, message } = error as FileProblem;
  expect(message).toMatch(/^[^\n]+\.$/);
  return code;
}

test("bytes survive writing and reading, whatever they are and whatever the file is called", async () => {
  const name = fc.constantFrom("plain", "-rf", "a\nb", "ü ß", "$(id)", "x".repeat(200), "con'\"quote", "deep/er/file");
  await fc.assert(
    fc.asyncProperty(name, fc.uint8Array({ maxLength: 5000 }), async (file, bytes) => {
      await writeAtomic(at(file), bytes, { root });
      const read = await readBytes(at(file));
      expect(Buffer.from(read.bytes).equals(Buffer.from(bytes))).toBe(true);
      expect(read.size).toBe(bytes.length);
    }),
    { numRuns: 60 },
  );
  const odd = Buffer.from("\ufeffa\r\nb\r\n\xff\xfe\0", "latin1");
  await writeAtomic(at("odd"), odd, { root });
  expect(fs.readFileSync(at("odd")).equals(odd)).toBe(true);
  expect(fs.readdirSync(root).filter((entry) => entry.startsWith(".fettle"))).toEqual([]);
});

test("a file of 100 MB is replaced and read whole and in parts", async () => {
  const bytes = Buffer.alloc(100 * 1024 * 1024);
  randomBytes(4096).copy(bytes, bytes.length - 4096);
  await writeAtomic(at("huge"), bytes, { root });
  const part = await readBytes(at("huge"), { offset: bytes.length - 10, limit: 100 });
  expect(Buffer.from(part.bytes).equals(bytes.subarray(-10))).toBe(true);
  const digest = (value: Uint8Array) => createHash("sha256").update(value).digest("hex");
  expect(digest((await readBytes(at("huge"))).bytes)).toBe(digest(bytes));
  expect((await readBytes(at("huge"), { offset: 1e12, limit: 5 })).bytes).toHaveLength(0);
});

test("the mode is kept, and the owner by root", async () => {
  fs.writeFileSync(at("script"), "1", { mode: 0o750 });
  fs.chmodSync(at("script"), 0o750);
  const asRoot = process.getuid?.() === 0;
  if (asRoot) fs.chownSync(at("script"), 1234, 1234);
  await writeAtomic(at("script"), "2", { root });
  const stats = fs.statSync(at("script"));
  expect([stats.mode & 0o777, stats.uid]).toEqual([0o750, asRoot ? 1234 : process.getuid?.()]);
});

test("links lead nowhere: not as the file, not on the way, not when swapped in later", async () => {
  const outside = path.join(world.root, "outside");
  fs.mkdirSync(outside);
  fs.writeFileSync(path.join(outside, "victim"), "safe");
  fs.symlinkSync(path.join(outside, "victim"), at("file"));
  fs.symlinkSync(outside, at("folder"));
  fs.symlinkSync("loop", at("loop"));
  for (const name of ["file", "folder/victim", "loop"]) {
    expect([name, await problem(readBytes(at(name)))]).toEqual([name, "outside"]);
    expect([name, await problem(writeAtomic(at(name), "evil", { root }))]).toEqual([name, "outside"]);
  }
  expect(await problem(writeAtomic(at("folder/new/x"), "evil", { root }))).toBe("outside");
  expect(await problem(removeFile(at("folder/victim"), { root }))).toBe("outside");
  expect(await problem(moveFile(at("folder/victim"), at("mine"), { root }))).toBe("outside");
  expect(await problem(listFolder(at("folder")))).toBe("outside");
  fs.writeFileSync(at("own"), "own");
  expect(await problem(moveFile(at("own"), at("folder/planted"), { root }))).toBe("outside");
  for (const escape of ["../outside/victim", "..", ".", "/etc/fettle-x", "a/../../outside/victim"]) {
    expect([escape, await problem(writeAtomic(path.resolve(root, escape), "evil", { root }))]).toEqual([
      escape,
      "outside",
    ]);
  }
  expect(fs.readdirSync(outside)).toEqual(["victim"]);
  expect(fs.readFileSync(path.join(outside, "victim"), "utf8")).toBe("safe");
});

test("a folder that is swapped for a link while writing never lets a byte out", async () => {
  const outside = path.join(world.root, "outside");
  fs.mkdirSync(outside);
  fs.mkdirSync(at("real"));
  fs.symlinkSync(outside, at("trap"));
  const swap = `cd '${root}'; while :; do mv -T real dir 2>/dev/null; mv -T dir real 2>/dev/null; mv -T trap dir 2>/dev/null; mv -T dir trap 2>/dev/null; done`;
  const swapper = (await import("node:child_process")).spawn("bash", ["-c", swap], { stdio: "ignore" });
  try {
    const until = Date.now() + 1500;
    let written = 0;
    while (Date.now() < until) {
      await writeAtomic(at("dir/file"), "x", { root }).then(
        () => written++,
        () => 0,
      );
    }
    expect(written).toBeGreaterThan(0);
    expect(fs.readdirSync(outside)).toEqual([]);
  } finally {
    swapper.kill("SIGKILL");
    await new Promise((done) => swapper.once("exit", done));
  }
});

test("what is not a file is named", async () => {
  fs.mkdirSync(at("folder"));
  execFileSync("mkfifo", [at("pipe")]);
  expect(await problem(readBytes(at("folder")))).toBe("not-a-file");
  expect(await problem(readBytes(at("pipe")))).toBe("not-a-file");
  expect(await problem(readBytes("/dev/zero"))).toBe("not-a-file");
  expect(await problem(writeAtomic(at("folder"), "x", { root }))).toBe("not-a-file");
  expect(await problem(writeAtomic(at("pipe"), "x", { root }))).toBe("not-a-file");
  expect(await problem(removeFile(at("folder"), { root }))).toBe("not-a-file");
  expect(await problem(readBytes(at("none")))).toBe("missing");
  expect(await problem(removeFile(at("none"), { root }))).toBe("missing");
  expect(await problem(readBytes(at("nul\0")))).toBe("bad-name");
  expect(await problem(writeAtomic(at("n".repeat(300)), "x", { root }))).toBe("bad-name");
  fs.writeFileSync(at("file"), "");
  expect(await problem(writeAtomic(at("file/below"), "x", { root }))).toBe("not-a-folder");
  expect(await problem(listFolder(at("file")))).toBe("not-a-folder");
});

test("files are removed and moved; a taken name is refused; a link itself can be removed", async () => {
  fs.writeFileSync(at("a"), "A");
  fs.writeFileSync(at("b"), "B");
  fs.symlinkSync("b", at("link"));
  expect(await problem(moveFile(at("a"), at("b"), { root }))).toBe("exists");
  await moveFile(at("a"), at("new/folder/a"), { root });
  await removeFile(at("link"), { root });
  await removeFile(at("new/folder/a"), { root });
  expect(fs.readdirSync(root).sort()).toEqual(["b", "new"]);
  expect(fs.readFileSync(at("b"), "utf8")).toBe("B");
});

test("a folder's entries come sorted, with kinds and sizes", async () => {
  fs.writeFileSync(at("-b"), "12");
  fs.writeFileSync(at("a\nx"), "");
  fs.mkdirSync(at("c"));
  fs.symlinkSync("/etc", at("d"));
  expect(await listFolder(root)).toEqual([
    { name: "-b", kind: "file", size: 2 },
    { name: "a\nx", kind: "file", size: 0 },
    { name: "c", kind: "folder", size: 0 },
    { name: "d", kind: "link", size: 0 },
  ]);
});

/** Runs work of this module in a mount namespace of its own, where root may mount; undefined where that is not possible. */
function inOwnMounts(mount: string, file: string): { code: string; message: string; left: string[] } | undefined {
  const script = `
    import { writeAtomic } from ${JSON.stringify(path.resolve("src/io/files/bytes.ts"))};
    import { readdirSync } from "node:fs";
    const [root, file] = process.argv.slice(1);
    const error = await writeAtomic(file, Buffer.alloc(3_000_000), { root }).catch((e) => e);
    console.log(JSON.stringify({ code: error?.code, message: error?.message, left: readdirSync(root) }));`;
  return withFallback(undefined, anyError, () => {
    const node = [process.execPath, "--input-type=module", "-e", script, root, file];
    const out = execFileSync("unshare", ["-Urm", "sh", "-c", `${mount} && exec "$@"`, "sh", ...node], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return JSON.parse(out) as { code: string; message: string; left: string[] };
  });
}
const mountable = (() => {
  return withFallback(false, anyError, () => {
    execFileSync("unshare", ["-Urm", "mount", "-t", "tmpfs", "none", "/tmp"], { stdio: "ignore" });
    return true;
  });
})();

test.skipIf(!mountable)("a read-only folder and a full disk are told, and leave nothing behind", () => {
  fs.writeFileSync(at("kept"), "before");
  const readOnly = inOwnMounts(`mount --bind '${root}' '${root}' && mount -o remount,ro,bind '${root}'`, at("kept"));
  expect(readOnly).toMatchObject({ code: "read-only", left: ["kept"] });
  const full = inOwnMounts(`mount -t tmpfs -o size=1m none '${root}'`, at("new"));
  expect(full).toMatchObject({ code: "disk-full", left: [] });
  expect(full?.message).toBe(`${at("new")} could not be written: the disk is full.`);
});
