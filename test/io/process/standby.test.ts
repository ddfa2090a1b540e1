// A sandbox that stands ready runs a command as a fresh one would, and is not used when anything about it has changed.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { anyError, withFallback } from "../../../src/base/fallback.ts";
import { makeWorld, sandboxed, type SandboxedOptions, sandboxWorks, type World } from "../support/world.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
  writeFileSync(path.join(world.workspace, "file.txt"), "hello\n");
});
afterEach(() => world.remove());

const run = (command: string, { process, ...more }: SandboxedOptions = {}) =>
  sandboxed(world, command, { ...more, process: { repeats: true, ...process } });

const toldOf = (pid: string, file: "cmdline" | "status"): string => {
  return withFallback("", anyError, () => readFileSync(`/proc/${pid}/${file}`, "utf8"));
};
const commandLine = (pid: string): string => toldOf(pid, "cmdline");

/** Sandboxes of this world that wait for a command, or run the one that they waited for. */
function waiting(): number[] {
  const tasks = readdirSync("/proc/self/task");
  const children = tasks.flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").trim().split(" "));
  return children
    .filter((pid) => commandLine(pid).includes(world.workspace) && commandLine(pid).includes("IFS= read -r n"))
    .map(Number);
}

/** Processes of this world that nobody waits for. */
function orphans(): string[] {
  const ours = readdirSync("/proc").filter((pid) => commandLine(pid).includes(world.workspace));
  return ours.filter((pid) => toldOf(pid, "status") !== "" && ![...ours, String(process.pid)].includes(parentOf(pid)));
}

async function until<T>(look: () => T | undefined): Promise<T> {
  for (let attempt = 0; attempt < 2000; attempt++) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it did not come about within 20 s");
}

const parentOf = (pid: string): string => /^PPid:\t(\d+)$/m.exec(toldOf(pid, "status"))?.[1] ?? "";
const isWithin = (pid: string, outer: string): boolean =>
  pid === outer || (Number(pid) > 1 && isWithin(parentOf(pid), outer));

/** Its shell runs, so all is mounted; before that it is taken only if it has not long to go. */
const isMade = (sandbox: number): boolean =>
  readdirSync("/proc").some(
    (pid) => /^\/bin\/sh\0-c\0IFS= read/.test(commandLine(pid)) && isWithin(pid, String(sandbox)),
  );
const oneReady = () => until(() => waiting().find(isMade));
const untilTold = "while ! test -e told; do sleep 0.02; done";
const tell = () => writeFileSync(path.join(world.workspace, "told"), "");
const isThere = (pid: number) => commandLine(String(pid)) !== "";

describe.skipIf(!sandboxWorks())("a sandbox that stands ready", () => {
  test("takes the next command, once, and has a successor by then", async () => {
    await run("true");
    const first = await oneReady();
    const slow = run(`${untilTold}; cat file.txt`);
    const second = await until(() => waiting().find((pid) => pid !== first));
    expect(isThere(first)).toBe(true);
    tell();
    expect(await slow).toMatchObject({ code: 0, output: "hello\n" });
    expect(isThere(first)).toBe(false);
    expect(waiting()).toEqual([second]);
    expect(await run("exit 7")).toMatchObject({ code: 7, output: "" });
  });

  test("gets every text as it is", async () => {
    await run("true");
    await oneReady();
    const echo = 'printf %s "$BASH_EXECUTION_STRING" | base64 -w0; exit 3\n#';
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom("\\", "\n\n", " \t", "\u0081\u0088\\\n"),
    );
    let waited = 0;
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const command = echo + text.replaceAll("\0", "");
        waited += waiting().length;
        const exit = await run(command);
        expect(exit.code).toBe(3);
        expect(Buffer.from(exit.output, "base64").toString()).toBe(Buffer.from(command).toString());
      }),
      { numRuns: 25 },
    );
    expect(waited).toBeGreaterThan(8);
  });

  test("gives a command no input but an empty one, and no more descriptors than a fresh one", async () => {
    const look =
      "cat; readlink /proc/self/fd/0; ls /proc/self/fd | wc -l; echo $$ $0 $#; kill -l >/dev/null; grep Sig /proc/self/status";
    const fresh = await sandboxed(world, look);
    await run("true");
    await oneReady();
    expect((await run(look)).output).toBe(fresh.output);
  });

  test("is not used with another environment, other rights or a folder that was replaced", async () => {
    const sealed = path.join(world.workspace, ".fettle");
    mkdirSync(sealed);
    await run("true");
    const first = await oneReady();
    const other = await run("echo $COLOR; touch seen", { process: { env: { PATH: "/usr/bin:/bin", COLOR: "red" } } });
    expect(other).toMatchObject({ code: 0, output: "red\n" });
    expect((await run("touch made", { readOnly: true })).output).toContain("Read-only");
    expect(isThere(first) || waiting().length > 0).toBe(true);

    await run("true");
    await oneReady();
    renameSync(sealed, path.join(world.root, "away"));
    mkdirSync(sealed);
    // In the sandbox that stood ready its cover has gone with the folder.
    expect((await run("touch .fettle/config.toml")).output).toContain("Read-only file system");
    expect(readdirSync(sealed)).toEqual([]);
  });

  test("is not used when a cover lies on what stood in its place for a moment, however it is put back", async () => {
    const folder = path.join(world.workspace, "sub");
    const masked = [path.join(folder, ".env")];
    for (const [name, text] of Object.entries({ sub: "SECRET=1", decoy: "" })) {
      mkdirSync(path.join(world.workspace, name));
      writeFileSync(path.join(world.workspace, name, ".env"), text);
    }
    const exchange = (one: string, other: string) => {
      renameSync(folder, path.join(world.workspace, one));
      renameSync(path.join(world.workspace, other), folder);
    };
    const slow = run("sleep 0.2", { masked });
    exchange("away", "decoy");
    await slow;
    await oneReady();
    exchange("decoy", "away");
    expect(await run("cat sub/.env", { masked })).toMatchObject({ code: 0, output: "" });
  });

  test("is used whatever its covered files are called, and where the repository is covered too", async () => {
    mkdirSync(path.join(world.workspace, ".fettle"));
    mkdirSync(path.join(world.workspace, "inner/.git"), { recursive: true });
    const masked = ["a b\\c\n#.env", "ü\t.env"].map((name) => path.join(world.workspace, name));
    for (const file of masked) writeFileSync(file, "SECRET=1");
    await run("true", { masked });
    const first = await oneReady();
    const slow = run(`${untilTold}; cat *.env`, { masked });
    await until(() => waiting().find((pid) => pid !== first));
    expect(isThere(first)).toBe(true);
    tell();
    expect(await slow).toMatchObject({ code: 0, output: "" });
  });

  test("hears of a stop that comes while a command is handed to it", async () => {
    for (const turns of [0, 1, 2]) {
      await run("sleep 0.1");
      await oneReady();
      const stop = new AbortController();
      const stopped = run("sleep 5", { signal: stop.signal });
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      stop.abort();
      expect((await stopped).ended).toBe("stopped");
    }
  });

  test("leaves nothing behind when it is ended while it is made", async () => {
    for (let moment = 0; moment < 32; moment++) {
      await run("true");
      const stopped = run("sleep 5", { signal: AbortSignal.timeout(moment % 4) });
      expect((await stopped).ended).toBe("stopped");
    }
    await until(() => (orphans().length === 0 ? true : undefined));
  });

  test("is replaced when it has died, and when its command is too long for it", async () => {
    await run("true");
    process.kill(await oneReady(), "SIGKILL");
    await until(() => (waiting().length === 0 ? true : undefined));
    expect(await run("echo on")).toMatchObject({ code: 0, output: "on\n" });
    await oneReady();
    expect((await run(`echo ${"x".repeat(5000)}`)).output).toHaveLength(5001);
    rmSync(path.join(world.workspace, "file.txt"));
    expect((await run("cat file.txt")).code).toBe(1);
  });

  test("is there for each of several at once, and holds nobody up", async () => {
    await run("true");
    await oneReady();
    const exits = await Promise.all([1, 2, 3, 4].map((number) => run(`sleep 0.1; echo ${number}`)));
    expect(exits.map(({ output }) => output)).toEqual(["1\n", "2\n", "3\n", "4\n"]);
  });

  test("ends a command that runs in it when its time is over", async () => {
    await run("true");
    await oneReady();
    const exit = await run("trap '' TERM; sleep 30", { process: { timeoutMs: 200 } });
    expect(exit.ended).toBe("timeout");
  });
});
