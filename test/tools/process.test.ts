import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Bench, createBench, textOf } from "../support/grant.ts";

let bench: Bench;
beforeEach(() => void (bench = createBench()));
afterEach(() => bench.close());
const shell = (command: string, more: { timeout?: number; background?: boolean } = {}) =>
  bench.call("shell", { command, ...more });

test("shows output, and behind it the exit code as a note of its own", async () => {
  expect(textOf(await shell("echo out; echo err >&2"))).toBe("out\nerr\n[exit 0]");
  expect(textOf(await shell("true"))).toBe("[exit 0]");
  const failed = await shell("echo red; exit 3");
  expect(failed).toMatchObject({ status: "done", code: "process.exit", params: { exit: 3 } });
  expect(textOf(failed)).toBe("red\n[exit 3]");
  expect(textOf(await shell("kill -SEGV $$"))).toMatch(/\[ended by SIGSEGV\]$/);
});

test("the same run gives the same bytes", async () => {
  const results = [await shell("echo a; sleep 0.05"), await shell("echo a; sleep 0.2")];
  expect(JSON.stringify(results[0])).toBe(JSON.stringify(results[1]));
});

test("5 MB of output become at most 24 KB, head and tail, and the rest is readable", async () => {
  const result = await shell("echo FIRST; yes 0123456789 | head -c 5000000; echo; echo LAST");
  const text = textOf(result);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_000);
  expect(Buffer.byteLength(text)).toBeGreaterThanOrEqual(16_000);
  expect(text).toMatch(/^FIRST\n/);
  expect(text).toMatch(/\nLAST\n\[cut from 5\.0 MB; the whole: read spill:\S+\]\n\[exit 0\]$/);
  const rest = await bench.call("read", { path: `spill:${result.spill}`, offset: 200_000, limit: 2 });
  expect(textOf(rest)).toMatch(/^0123456789\n0123456789\n/);
});

test("a time limit says after how long and keeps what was printed", async () => {
  const result = await shell("echo begun; sleep 30", { timeout: 1 });
  expect(result).toMatchObject({ status: "failed", code: "process.timeout" });
  expect(textOf(result)).toBe("begun\n[stopped at its time limit of 1 second]");
});

test("output is reported while it comes", async () => {
  await shell("echo a; sleep 0.2; echo b");
  expect(bench.output.join("")).toBe("a\nb\n");
  expect(bench.output.length).toBeGreaterThan(1);
});

test("a background job is started, read and ended", async () => {
  const started = await shell("echo ready; sleep 60", { background: true });
  const id = String(started.params?.["job"]);
  expect(textOf(started)).toContain(`Started as job ${id}.`);
  let text = "";
  for (let tries = 0; tries < 50 && !text.includes("ready"); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    text += textOf(await bench.call("job", { job: id }));
  }
  expect(text).toMatch(/ready\n\[job \S+ is running\]$/);
  expect(textOf(await bench.call("job", { job: id, kill: true }))).toBe(`[job ${id} was ended]`);
  expect(textOf(await bench.call("job", { job: "nonsense" }))).toMatch(/no background job "nonsense"/);
});

test("independent calls run at the same time", async () => {
  mkdirSync(path.join(bench.folder, "x"));
  // Each waits for all others.
  const meeting = (at: number) => `touch x/${at}; until [ $(ls x | wc -l) -eq 8 ]; do sleep 0.02; done`;
  const results = await Promise.all(Array.from({ length: 8 }, (_, index) => shell(`${meeting(index)}; echo ${index}`)));
  expect(results.map(textOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((index) => `${index}\n[exit 0]`));
});

test("git runs on its arguments, not through a shell", async () => {
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd: bench.folder });
  await writeFile(path.join(bench.folder, "a b; touch pwned.txt"), "x\n");
  expect(textOf(await bench.call("git", { args: ["status", "--short"] }))).toBe('?? "a b; touch pwned.txt"\n[exit 0]');
  expect(textOf(await bench.call("git", { args: ["add", "--", "a b; touch pwned.txt"] }))).toBe("[exit 0]");
  const commit = ["commit", "-q", "-m", "$(touch pwned.txt)", "--author=A <a@b.c>"];
  execFileSync("git", ["config", "user.email", "a@b.c"], { cwd: bench.folder });
  execFileSync("git", ["config", "user.name", "A"], { cwd: bench.folder });
  expect(textOf(await bench.call("git", { args: commit }))).toBe("[exit 0]");
  expect(textOf(await bench.call("git", { args: "log --format=%s" }))).toBe("$(touch pwned.txt)\n[exit 0]");
  expect(textOf(await bench.call("git", { args: "ls-files" }))).toContain("a b; touch pwned.txt");
  for (const args of [
    ["stash", "list"],
    ["restore", "."],
    ["rev-parse", "HEAD"],
    ["blame", "a b; touch pwned.txt"],
  ])
    expect(textOf(await bench.call("git", { args }))).toMatch(/\[exit 0\]$/);
  expect(textOf(await bench.call("git", { args: ["show", "nonsense"] }))).toMatch(/\[exit 128\]$/);
});
