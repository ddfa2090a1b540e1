import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { grantedEnvironment } from "../../../src/io/process/environment.ts";
import { Jobs, UnknownJob } from "../../../src/io/process/jobs.ts";
import { Output } from "../../../src/io/process/output.ts";
import { runProcess } from "../../../src/io/process/run.ts";
import type { Job } from "../../../src/io/process/spec.ts";
import { makeWorld, processSpec, run, type World } from "../support/world.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

let marks = 0;
/** A name that `ps` shows, to look for survivors. */
const mark = () => `fettle-survivor-${process.pid}-${++marks}`;
const alive = (name: string) => execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }).includes(name);
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

test("output of both streams comes in the order in which it was written", async () => {
  const exit = await run(world, "for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done; exit 7");
  expect(exit).toMatchObject({ code: 7, signal: null, ended: "exited" });
  expect(exit.output).toBe([1, 2, 3, 4, 5].map((i) => `out${i}\nerr${i}\n`).join(""));
  expect(exit.spill).toBeUndefined();
});

test("both streams can be opened by name, as scripts do, and written to in their order", async () => {
  const names = "echo a >/dev/stderr; echo b >/dev/stdout; echo c >>/dev/fd/2; echo d | tee /dev/stderr >/dev/null";
  expect((await run(world, names)).output).toBe("a\nb\nc\nd\n");
});

test("more commands at once than there are pipes ready all have one, and leave none behind", async () => {
  const open = () => readdirSync("/proc/self/fd").length;
  await run(world, "true");
  const before = open();
  const many = Array.from({ length: 40 }, (_, index) => run(world, `echo ${index} >/dev/stderr`));
  const outputs = (await Promise.all(many)).map(({ output }) => output);
  expect(outputs).toEqual(outputs.map((_, index) => `${index}\n`));
  await pause(50);
  expect(open() - before).toBeLessThan(33);
});

test("there is no input unless it is given", async () => {
  expect((await run(world, "cat; echo end")).output).toBe("end\n");
  expect((await run(world, "cat; echo end", { stdin: "given ü\n" })).output).toBe("given ü\nend\n");
  expect((await run(world, "exec 0<&-; sleep 0.05", { stdin: "x".repeat(1_000_000) })).code).toBe(0);
});

test("what is kept of any output is its beginning and its end, within the limits, as whole characters", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "ü", "€", "😀", "\n"), maxLength: 400 });
  fc.assert(
    fc.property(
      text,
      fc.nat(60),
      fc.nat(60),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (whole, head, tail, sizes) => {
        const output = new Output({ head, tail, spillLimit: 0 });
        const bytes = Buffer.from(whole);
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          output.push(bytes.subarray(at, at + size));
          at += size;
        }
        const kept = output.finish();
        expect(kept.bytes).toBe(bytes.length);
        if (bytes.length <= head + tail) expect(kept.output).toBe(whole);
        else {
          const [first = "", last = ""] = kept.output.split(/(?:^|\n)\[… \d+ bytes left out …\]\n/);
          expect(whole.startsWith(first) && whole.endsWith(last)).toBe(true);
          expect([Buffer.byteLength(first) <= head, Buffer.byteLength(last) <= tail]).toEqual([true, true]);
          // Seven tenths of the limit, less what leads to the end of a line or of a character; the split took a line end.
          expect(Math.floor(head * 0.7) * 0.75 - Buffer.byteLength(first)).toBeLessThan(5);
        }
      },
    ),
  );
});

test("bytes that are no text do not outgrow the limits", async () => {
  const exit = await run(world, "head -c 3000 /dev/zero | tr '\\0' '\\377'", { head: 1000, tail: 1000 });
  expect(Buffer.byteLength(exit.output)).toBeLessThan(2100);
});

test("the full text is in the spill file, also when the disk takes none of it", async () => {
  const spill = path.join(world.root, "spill");
  const exit = await run(world, "seq 1 5000", { head: 100, tail: 100, spill });
  expect(readFileSync(exit.spill ?? "", "utf8")).toBe(Array.from({ length: 5000 }, (_, i) => `${i + 1}\n`).join(""));
  const lost = await run(world, "seq 1 5000", { head: 100, tail: 100, spill: "/proc/none/spill" });
  expect(lost.code).toBe(0);
  expect(lost.spill).toBeUndefined();
});

test("a command that never ends meets its limit, one that ignores TERM too, with all its children", async () => {
  const [one, two] = [mark(), mark()];
  const [plain, stubborn] = await Promise.all([
    run(world, `exec -a ${one} sleep 300`, { timeoutMs: 200 }),
    run(world, `trap '' TERM; (exec -a ${two} sleep 300) & while :; do sleep 0.2; done`, { timeoutMs: 200 }),
  ]);
  // The joining shell gets the signal too: which of the two is seen to die of it first is chance.
  expect(plain.ended).toBe("timeout");
  expect([plain.code, plain.signal]).toEqual(plain.code === null ? [null, "SIGTERM"] : [143, null]);
  expect(stubborn).toMatchObject({ ended: "timeout", signal: "SIGKILL" });
  expect([alive(one), alive(two)]).toEqual([false, false]);
});

test("a signal stops the run; one that came before starts nothing", async () => {
  const stop = new AbortController();
  const running = runProcess(processSpec(world, "sleep 300"), stop.signal);
  setTimeout(() => stop.abort(), 50);
  expect(await running).toMatchObject({ ended: "stopped" });
  const never = await runProcess(processSpec(world, "echo x > ran"), stop.signal);
  expect(never).toMatchObject({ ended: "stopped", code: null });
  expect(existsSync(path.join(world.workspace, "ran"))).toBe(false);
});

test("processes that detach, fork twice or hold the output open end with the command", async () => {
  const names = [mark(), mark(), mark(), mark()];
  const [held, detached, twice, quiet] = names;
  const exit = await run(
    world,
    `(exec -a ${held} sleep 300) & setsid bash -c 'exec -a ${detached} sleep 300' &
     (setsid bash -c '(exec -a ${twice} sleep 300) & disown' &) ; (setsid nohup bash -c 'exec -a ${quiet} sleep 300' >/dev/null 2>&1 </dev/null &)
     sleep 0.2; echo done`,
  );
  expect(exit).toMatchObject({ code: 0, ended: "exited", output: "done\n" });
  await pause(50);
  expect(names.filter(alive)).toEqual([]);
});

test("a command that kills its parent or its whole group ends, and nothing else does", async () => {
  const [child, other] = [mark(), mark()];
  const parent = await run(world, `(exec -a ${child} sleep 300) & kill -9 $PPID; sleep 300`);
  expect(parent).toMatchObject({ ended: "exited", signal: "SIGKILL" });
  const group = await run(world, `(exec -a ${other} sleep 300) & kill -9 0; echo never`);
  expect(group).toMatchObject({ ended: "exited", output: "" });
  expect([alive(child), alive(other)]).toEqual([false, false]);
});

test("what cannot be started is told in a sentence", async () => {
  const missing = await run(world, "true", { cwd: path.join(world.root, "absent") });
  expect(missing).toMatchObject({
    ended: "unstartable",
    output: `The folder ${path.join(world.root, "absent")} does not exist.`,
  });
  const long = await run(world, `: ${"x".repeat(3_000_000)}`);
  expect(long).toMatchObject({ ended: "unstartable", output: expect.stringContaining("too long") });
  const absent = await run(world, "", { argv: ["/no/such/program"] });
  expect(absent).toMatchObject({ code: 127, output: expect.stringContaining("not found") });
});

test("the environment is an allowlist", async () => {
  const hostile = {
    PATH: `relative:/usr/bin:${world.workspace}/node_modules/.bin:/usr/bin:/bin:${world.workspace}/bin`,
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    OPENAI_API_KEY: "sk-x",
    AWS_SECRET_ACCESS_KEY: "x",
    GITHUB_TOKEN: "x",
    SSH_AUTH_SOCK: "/x",
    DBUS_SESSION_BUS_ADDRESS: "x",
    LD_PRELOAD: "/x.so",
    NODE_OPTIONS: "--require x",
    BASH_ENV: "/x",
    ENV: "/x",
    GIT_DIR: "/x",
    GIT_AUTHOR_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    PYTHONPATH: "/x",
    PYTHONSTARTUP: "/x",
    PERL5OPT: "x",
    RUBYOPT: "x",
    JAVA_TOOL_OPTIONS: "x",
    HTTP_PROXY: "http://u:p@h",
    "BASH_FUNC_ls%%": "() { :; }",
    IFS: "x",
    PS4: "$(id)",
    CARGO_HOME: "/root/.cargo",
    TERM: `sk-${"a1".repeat(20)}`,
    USER: "me",
    XDG_RUNTIME_DIR: "/run/user/0",
    SSL_CERT_FILE: "/etc/ssl/x",
  };
  const options = { temporary: world.temporary, home: world.home, writable: [world.workspace] };
  const expected = {
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    CARGO_HOME: "/root/.cargo",
    USER: "me",
    GIT_AUTHOR_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
    PATH: "/usr/bin:/bin",
    HOME: world.home,
    TMPDIR: world.temporary,
    PAGER: "cat",
  };
  expect(grantedEnvironment(hostile, options)).toEqual(expected);
  expect(grantedEnvironment(hostile, { ...options, network: true })).toEqual({
    ...expected,
    SSL_CERT_FILE: "/etc/ssl/x",
  });
  const env = grantedEnvironment(hostile, options);
  const seen = (await run(world, "env", { env })).output.split("\n").map((line) => line.split("=")[0]);
  expect(seen.filter((name) => name && !(name in env)).sort()).toEqual(["FETTLE_LEASE", "PWD", "SHLVL", "_"]);
});

const ended = () => {
  let resolve: (job: Job) => void = () => undefined;
  const promise = new Promise<Job>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

test("a background job is read bit by bit, ends by itself, and says so once", async () => {
  const jobs = new Jobs();
  const end = ended();
  const spill = path.join(world.root, "job");
  const started = jobs.start(
    processSpec(world, "echo one; sleep 0.3; printf 'tw\\303'; sleep 0.1; printf '\\266'; exit 4", { spill }),
    { command: "cmd" },
    end.resolve,
  );
  expect(started).toMatchObject({ state: "running", command: "cmd" });
  await pause(150);
  expect(jobs.read(started.id)).toMatchObject({ output: "one\n", more: 0, job: { state: "running" } });
  expect(jobs.read(started.id).output).toBe("");
  expect(await end.promise).toMatchObject({ state: "exited", code: 4 });
  expect(jobs.read(started.id)).toMatchObject({ output: "twö", job: { state: "exited", code: 4 } });
  expect(readFileSync(jobs.spill(started.id) ?? "", "utf8")).toBe("one\ntwö");
  expect(() => jobs.read("job99")).toThrow(UnknownJob);
});

test("a flood between two readings is cut to its end, and the cut is counted", async () => {
  const jobs = new Jobs();
  const end = ended();
  const { id } = jobs.start(
    processSpec(world, "seq 1 1000000", { head: 500, tail: 500 }),
    { command: "seq" },
    end.resolve,
  );
  await end.promise;
  const reading = jobs.read(id);
  expect(reading.more).toBe(6_888_896 - 1024);
  expect(reading.output).toMatch(/^\[… \d+ bytes left out …\]\n[\d\n]+999999\n1000000\n$/);
  expect(Buffer.byteLength(reading.output)).toBeLessThan(1200);
});

test("jobs end by kill, by their time cap, and all with the session, children included", async () => {
  const jobs = new Jobs();
  const names = [mark(), mark(), mark()];
  const stubborn = (name: string) => `trap '' TERM; setsid bash -c 'exec -a ${name} sleep 300' & sleep 300`;
  const ends = [ended(), ended(), ended()];
  const [first, second] = names.map((name, index) =>
    jobs.start(
      processSpec(world, stubborn(name), { timeoutMs: index === 1 ? 300 : 60_000 }),
      { command: name },
      ends[index]?.resolve ?? (() => undefined),
    ),
  );
  await pause(200);
  expect(names.map(alive)).toEqual([true, true, true]);
  expect(await jobs.kill(first?.id ?? "")).toMatchObject({ state: "killed" });
  expect(alive(names[0] ?? "")).toBe(false);
  expect(await ends[1]?.promise).toMatchObject({ id: second?.id, state: "killed" });
  await jobs.closeAll();
  expect(names.filter(alive)).toEqual([]);
  expect(() => jobs.start(processSpec(world, "true"), { command: "late" }, () => undefined)).toThrow("closed");
});

test("eight commands run side by side", async () => {
  mkdirSync(path.join(world.workspace, "x"));
  // Each waits for all others.
  const command = (at: number) => `touch x/${at}; until [ $(ls x | wc -l) -eq 8 ]; do sleep 0.02; done`;
  const ends = await Promise.all(Array.from({ length: 8 }, (_, at) => run(world, command(at), { timeoutMs: 60_000 })));
  expect(ends.map(({ code }) => code)).toEqual(Array.from({ length: 8 }, () => 0));
});
