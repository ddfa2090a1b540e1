import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeWorld, processSpec, sandboxed, sandboxWorks, type World } from "./support/world.ts";
import { runProcess } from "../../src/io/process/run.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const works = sandboxWorks();
const none = new AbortController().signal;
/** As a sandbox would call it: contained, so that the small shell starts it. */
const contained = (argv: readonly string[], more: Partial<ReturnType<typeof processSpec>> = {}) =>
  runProcess({ ...processSpec(world, ""), argv, contained: true, ...more }, none);

const parentOf = (pid: number | string): string =>
  readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\) \S+ (\d+).*$/s, "$1");
const commandOf = (pid: string): string => readFileSync(`/proc/${pid}/cmdline`, "utf8");
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

test("whatever the words are, they arrive as they are", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.string({ unit: "grapheme", maxLength: 40 }).filter((text) => !text.includes("\0")),
        { maxLength: 6 },
      ),
      async (words) => {
        const exit = await contained(["/usr/bin/printf", "%s\\0", ...words, "'$(echo no)\n`id`\"\\"]);
        expect(exit.output.split("\0").slice(0, -1)).toEqual([...words, "'$(echo no)\n`id`\"\\"]);
      },
    ),
    { numRuns: 40 },
  );
});

test("the environment is exactly what was given, and interrupts are as usual", async () => {
  const env = { ...processSpec(world, "").env, QUOTED: "a 'b'\n$HOME" };
  const exit = await contained(["/usr/bin/env", "-0"], { env });
  const names = exit.output.split("\0").filter(Boolean);
  expect(names.map((line) => line.split("=")[0]).sort()).toEqual([...Object.keys(env), "FETTLE_LEASE"].sort());
  expect(names).toContain("QUOTED=a 'b'\n$HOME");
  const ignored = await contained(["/bin/grep", "SigIgn", "/proc/self/status"]);
  expect(Number.parseInt(ignored.output.split(/\s+/)[1] ?? "", 16) & 0b110).toBe(0);
});

test("a folder that is not there, a program that is not there, words that are too long: each in a sentence", async () => {
  const missing = await contained(["/bin/true"], { cwd: `${world.root}/gone` });
  expect(missing).toMatchObject({ ended: "unstartable", output: `The folder ${world.root}/gone does not exist.` });
  expect((await contained(["/no/such/program"])).code).toBe(127);
  const long = await contained(["/bin/true", "x".repeat(200_000)]);
  expect(long).toMatchObject({ ended: "unstartable", output: expect.stringContaining("too long") });
});

test.skipIf(!works)("when fettle is killed, what it started ends", async () => {
  const code = `
    import { makeWorld, sandboxed } from ${JSON.stringify(new URL("./support/world.ts", import.meta.url).href)};
    const world = makeWorld();
    console.log(world.root);
    await sandboxed(world, "sleep 61.25");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  const running = (): string[] =>
    readdirSync("/proc").filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("sleep\u000061.25");
      } catch {
        return false;
      }
    });
  for (let look = 0; look < 100 && running().length === 0; look++) await pause(50);
  expect(running().length).toBeGreaterThan(0);
  child.kill("SIGKILL");
  for (let look = 0; look < 60 && running().length > 0; look++) await pause(50);
  expect(running()).toEqual([]);
});

test.skipIf(!works)("the small shell is killed: its commands end and say so, and the next one runs", async () => {
  const running = sandboxed(world, "sleep 30");
  await pause(300);
  const [shell] = readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && parentOf(pid) === String(process.pid) && commandOf(pid) === "/bin/sh\0-s\0",
  );
  process.kill(Number(shell), "SIGKILL");
  expect((await running).code).toBe(137);
  expect((await sandboxed(world, "echo again")).output).toBe("again\n");
});
