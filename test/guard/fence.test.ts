import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { harmlessPart } from "../../src/guard/fence/git-settings.ts";
import { GrantError } from "../../src/guard/contract/grant.ts";
import type { Action } from "../../src/protocol/action.ts";
import { assessment, effect } from "./assessments.ts";
import { githubToken, openWorld, type TestWorld } from "./world.ts";

let world: TestWorld;
afterEach(() => world.close());

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const shell = (command: string, more: Partial<Extract<Action, { kind: "shell" }>> = {}): Action => ({
  kind: "shell",
  command,
  background: false,
  ...more,
});
const ran = (...effects: Parameters<typeof effect>[]) =>
  assessment("L1", [effect("execute", "x", { part: "x" }), ...effects.map((each) => effect(...each))], {
    tags: ["process", ...(effects.some(([kind]) => kind === "vcs") ? (["git-alone"] as const) : [])],
  });

test("a read grant reads the assessed file and nothing else", async () => {
  world = openWorld();
  world.put("a.txt", "hello");
  world.put("b.txt", "other");
  const { files } = world.grant({ kind: "read", path: "a.txt" }, assessment("L0", [effect("read", world.at("a.txt"))]));
  expect(text((await files.read("a.txt")).bytes)).toBe("hello");
  expect(text((await files.read(world.at("a.txt"), { offset: 1, limit: 2 })).bytes)).toBe("el");
  for (const refused of [
    files.read("b.txt"),
    files.read("../w/b.txt"),
    files.read("/etc/passwd"),
    files.write("a.txt", "x"),
    files.remove("a.txt"),
    files.list("."),
  ]) {
    await expect(refused).rejects.toThrow(GrantError);
  }
  expect(world.get("a.txt")).toBe("hello");
});

test("a link is followed to what was assessed, and refused when it leads elsewhere", async () => {
  world = openWorld();
  world.put("a.txt", "hello");
  symlinkSync("a.txt", world.at("link"));
  symlinkSync("/etc/passwd", world.at("out"));
  const { files } = world.grant({ kind: "read", path: "link" }, assessment("L0", [effect("read", world.at("a.txt"))]));
  expect(text((await files.read("link")).bytes)).toBe("hello");
  await expect(files.read("out")).rejects.toThrow(GrantError);
});

test("searching leaves sensitive files out unless one was assessed by name", async () => {
  world = openWorld();
  world.put("src/a.ts", "needle");
  world.put(".env", "needle=1");
  world.put("secrets/id_rsa", "needle");
  const search = (target: string) =>
    world.grant({ kind: "search", path: ".", contents: true }, assessment("L0", [effect("read", target)])).files;
  const spec = { path: ".", pattern: "needle", fixed: true, ignoreCase: false, context: 0, limit: 50 };
  const files = search(world.workspace);
  expect((await files.grep(spec)).matches.map((match) => match.path)).toEqual(["src/a.ts"]);
  expect((await files.find({ path: ".", limit: 50 })).paths).toEqual(["src/a.ts"]);
  expect((await files.list(".")).map((entry) => entry.name)).toContain("src");
  await expect(files.read(".env")).rejects.toThrow(GrantError);
  await expect(files.grep({ ...spec, path: "/etc" })).rejects.toThrow(GrantError);
  expect(text((await search(world.at(".env")).read(".env")).bytes)).toBe("needle=1");
});

test("an edit sees marks for secrets, and writing puts the secrets back or refuses", async () => {
  world = openWorld();
  const original = `NAME=demo\nTOKEN=${githubToken}\n`;
  world.put("config.ini", original);
  const change = (...names: string[]): Action => ({
    kind: "change",
    changes: names.map((name) => ({ op: "write", path: name, content: "" })),
  });
  const writes = assessment("L1", [effect("write", world.at("config.ini")), effect("write", world.at("other.ini"))]);
  const { files } = world.grant(change("config.ini", "other.ini"), writes);
  const seen = text((await files.read("config.ini")).bytes);
  expect(seen).not.toContain(githubToken);
  await files.write("config.ini", seen.replace("demo", "changed"));
  expect(world.get("config.ini")).toBe(original.replace("demo", "changed"));
  await expect(files.write("other.ini", seen)).rejects.toThrow(/placeholders of secrets/);
  await expect(files.write("other.ini", new TextEncoder().encode(seen))).rejects.toThrow(GrantError);
  await expect(files.read("other.ini")).rejects.toThrow(/does not exist/);
});

test("a moved file takes its secrets along", async () => {
  world = openWorld();
  world.put("a.ini", `x\nTOKEN=${githubToken}\n`);
  const action: Action = { kind: "change", changes: [{ op: "move", path: "a.ini", to: "b.ini", edits: [] }] };
  const { files } = world.grant(
    action,
    assessment("L2", [effect("delete", world.at("a.ini")), effect("write", world.at("b.ini"))]),
  );
  const seen = text((await files.read("a.ini")).bytes);
  await files.write("b.ini", seen.replace("x\n", "y\n"));
  await files.remove("a.ini");
  expect(world.get("b.ini")).toBe(`y\nTOKEN=${githubToken}\n`);
});

test("every value of an environment file is masked for an edit", async () => {
  world = openWorld();
  world.put(".env", "MODE=plain\nUSER=anna\n");
  const action: Action = { kind: "change", changes: [{ op: "edit", path: ".env", edits: [{ old: "a", new: "b" }] }] };
  const { files } = world.grant(action, assessment("L2", [effect("write", world.at(".env"))]));
  const seen = text((await files.read(".env")).bytes);
  expect(seen).not.toMatch(/plain|anna/);
  await files.write(".env", `${seen}NEW=1\n`);
  expect(world.get(".env")).toBe("MODE=plain\nUSER=anna\nNEW=1\n");
});

test("a process runs exactly the assessed command, once", async () => {
  world = openWorld();
  const grant = world.grant(shell("echo out; echo err >&2; exit 3"), ran());
  const exit = await grant.process.run();
  expect(exit).toMatchObject({ code: 3, ended: "exited", output: "out\nerr\n" });
  await expect(grant.process.run()).rejects.toThrow(GrantError);
  await expect(world.grant(shell("true"), ran()).process.start()).rejects.toThrow(GrantError);
  await expect(world.grant({ kind: "read", path: "a" }, ran()).process.run()).rejects.toThrow(GrantError);
  const program = world.grant({ kind: "program", argv: ["echo", "$HOME", "a b"] }, ran());
  expect((await program.process.run()).output).toBe("$HOME a b\n");
});

test("the shorter time limit wins, the class's is never exceeded", async () => {
  world = openWorld({
    limits: {
      commandMs: (command, wanted) => Math.min(wanted ?? 300, command === "test" ? 300 : 1),
      head: 100,
      tail: 100,
      spillBytes: 1000,
    },
  });
  const judged = { ...ran(), commandClass: "test" as const };
  expect((await world.grant(shell("sleep 9", { timeoutMs: 60_000 }), judged).process.run()).ended).toBe("timeout");
  expect((await world.grant(shell("sleep 9", { timeoutMs: 50 }), judged).process.run()).ended).toBe("timeout");
});

test("long output is kept and readable by its handle, and by no other path", async () => {
  world = openWorld();
  const exit = await world.grant(shell("seq 1 5000"), ran()).process.run();
  expect(exit.spill).toMatch(/^out-[0-9a-f]{12}$/);
  const spill = (handle: string) =>
    world.grant({ kind: "spill", handle }, assessment("L0", [])).spilled({ offset: 0, limit: 6 });
  expect(await spill(exit.spill ?? "")).toMatchObject({ text: "1\n2\n3\n", size: exit.bytes });
  await expect(spill("../own/key")).rejects.toThrow(GrantError);
});

test("background jobs: started, read, killed, and stopped with their call", async () => {
  world = openWorld();
  const stop = new AbortController();
  const job = await world
    .grant(shell("echo ready; sleep 30", { background: true }), ran(), stop.signal)
    .process.start();
  const read = world.grant({ kind: "job", job: job.id, op: "read" }, assessment("L0", [])).jobs;
  await expect.poll(async () => (await read.read(job.id)).output).toContain("ready");
  await expect(read.kill(job.id)).rejects.toThrow(GrantError);
  stop.abort();
  await expect.poll(async () => (await read.read(job.id)).state, { timeout: 5000 }).toBe("killed");
});

test("a job that is stopped before it has begun does not begin", async () => {
  world = openWorld();
  const stop = new AbortController();
  const starting = world
    .grant(shell("sleep 30", { background: true }), ran(["vcs", "status"]), stop.signal)
    .process.start();
  stop.abort();
  await expect(starting).rejects.toThrow("The call was stopped.");
  expect(world.jobs.list()).toEqual([]);
});

test("handles are dead once the call was stopped", async () => {
  world = openWorld();
  world.put("a.txt", "hello");
  const stop = new AbortController();
  const grant = world.grant(
    { kind: "read", path: "a.txt" },
    assessment("L0", [effect("read", world.at("a.txt"))]),
    stop.signal,
  );
  stop.abort();
  await expect(grant.files.read("a.txt")).rejects.toThrow(GrantError);
  await expect(grant.fetch()).rejects.toThrow(GrantError);
});

test("fetching needs a fetch call with a host", async () => {
  world = openWorld();
  const action: Action = { kind: "fetch", url: "https://a.example/x", method: "GET" };
  expect((await world.grant(action, assessment("L2", [effect("network", "a.example")])).fetch()).text).toBe(
    "from the web",
  );
  await expect(world.grant(action, assessment("L2", [])).fetch()).rejects.toThrow(GrantError);
  await expect(world.grant(shell("x"), ran(["network", "a.example"])).fetch()).rejects.toThrow(GrantError);
});

test("in the sandbox: sensitive files are empty, the rest is read-only, the network is off", async (context) => {
  world = openWorld();
  if (world.sandbox.name === "none") return context.skip(world.sandbox.detail);
  world.put(".env", "PASS=hunter2");
  writeFileSync(path.join(world.own, "key"), "signing key");
  writeFileSync(path.join(world.root, "outside"), "before");
  const run = async (command: string, ...effects: Parameters<typeof effect>[]) =>
    (await world.grant(shell(command), ran(...effects)).process.run()).output;
  expect(await run("cat .env; echo done")).toBe("done\n");
  expect(await run("cat .env", ["read", world.at(".env")])).toBe("PASS=hunter2");
  expect(
    await run(
      `cat ${world.own}/key 2>/dev/null; echo x > ${world.root}/outside 2>/dev/null; echo made > made; cat made`,
    ),
  ).toBe("made\n");
  expect(world.get("../outside")).toBe("before");
  expect(await run("ls /sys/class/net 2>/dev/null | tr -d '\\n'; cat /proc/net/dev | grep -c :")).toMatch(/1\n$/);
});

test("git control files are read-only, and opened only for a git command that the gate judged", async (context) => {
  world = openWorld();
  if (world.sandbox.name === "none") return context.skip(world.sandbox.detail);
  const run = async (command: string, ...effects: Parameters<typeof effect>[]) =>
    world.grant(shell(command), ran(...effects)).process.run();
  expect(
    (await run("git init -q . && git config user.email a@b && git config user.name a", ["vcs", "init"])).code,
  ).toBe(0);
  world.put("a.txt", "x");
  expect((await run("git add a.txt")).code).not.toBe(0);
  expect((await run("git add a.txt && git commit -q -m one", ["vcs", "add"], ["vcs", "commit"])).output).toBe("");
  expect((await run("git status --short", ["vcs", "status"])).code).toBe(0);
  const planted = await run("printf '#!/bin/sh\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit", [
    "vcs",
    "commit",
  ]);
  expect(planted.restoredControlFiles?.join()).toContain("pre-commit");
  expect(() => world.get(".git/hooks/pre-commit")).toThrow();
});

test("without a sandbox commands still run, and git control files are put back", async () => {
  world = openWorld({ sandboxEnabled: false });
  expect(world.fence.sandboxed).toBe(false);
  const run = async (command: string, ...effects: Parameters<typeof effect>[]) =>
    world.grant(shell(command), ran(...effects)).process.run();
  const { output: caches } = await run('printf "%s " "$GOCACHE" "$GOMODCACHE"');
  const inTemporary = ["xdg/go-build", "go-modules"].map((name) => `${world.temporary}/.caches/${name} `);
  expect(caches, "what reads makes no cache below the home").toBe(inTemporary.join(""));
  expect((await run("git init -q .", ["vcs", "init"])).code).toBe(0);
  const before = world.get(".git/config");
  const exit = await run("git config core.fsmonitor ./evil; echo ran");
  expect(exit.output).toBe("ran\n");
  expect(exit.restoredControlFiles?.join()).toContain("config");
  expect(world.get(".git/config")).toBe(before);
});

test("git knows who the person is, and nothing of their settings that runs", async () => {
  world = openWorld();
  const global =
    "[constructor]\n\tname = x\n[user]\n\tname = Anna\n\temail = anna@home\n[alias]\n\tst = !touch planted\n[core]\n\tfsmonitor = touch planted\n\tautocrlf = input\n[include]\n\tpath = x\n";
  writeFileSync(path.join(world.home, ".gitconfig"), global);
  expect(harmlessPart(global)).toBe("[user]\nname = Anna\n[user]\nemail = anna@home\n[core]\nautocrlf = input\n");
  const git = async (...argv: string[]) =>
    (await world.grant({ kind: "program", argv: ["git", ...argv] }, ran(["vcs", argv[0] ?? ""])).process.run()).output;
  await git("init", "-q");
  world.put("a.txt", "one\n");
  await git("add", "a.txt");
  await git("commit", "-q", "-m", "first");
  world.put(".gitattributes", "*.txt diff=planted\n");
  world.put("a.txt", "two\n");
  expect(await git("log", "--format=%an <%ae> %s")).toBe("Anna <anna@home> first\n");
  expect(await git("diff")).toContain("+two");
  expect(() => world.get("planted")).toThrow();
});

test("what git obeys lies where no program writes, not even while git may write the repository", async ({ skip }) => {
  world = openWorld();
  if (world.sandbox.name !== "bubblewrap") skip("needs bubblewrap");
  const run = (command: string) => world.grant(shell(command), ran(["vcs", "add"])).process.run();
  const settings = `for f in "$(dirname $GIT_CONFIG_GLOBAL)"/*; do`;
  const bend = `${settings} echo x >> $f; mv $f $f.old; done; mkdir "$(dirname $GIT_CONFIG_GLOBAL)/more"`;
  const { output } = await run(
    `${bend}; echo "$GIT_CONFIG_GLOBAL"; ls "$(dirname $GIT_CONFIG_GLOBAL)"; ls -A "$TMPDIR"`,
  );
  expect(output.match(/Read-only file system/g)).toHaveLength(5);
  const shown = output.split("\n").filter((line) => line !== "" && !line.includes("Read-only"));
  expect(shown).toEqual([expect.stringMatching(/\/git-[^/]+\/config$/), "attributes", "config"]);
});

test("a hard link and a folder in the way do not lead out", async () => {
  world = openWorld();
  writeFileSync(path.join(world.root, "outside"), "before");
  linkSync(path.join(world.root, "outside"), world.at("inside"));
  mkdirSync(world.at("folder"));
  const action: Action = { kind: "change", changes: [{ op: "write", path: "inside", content: "x" }] };
  const { files } = world.grant(
    action,
    assessment("L2", [effect("write", world.at("inside")), effect("write", world.at("folder"))]),
  );
  await files.write("inside", "after");
  expect(world.get("../outside")).toBe("before");
  await expect(files.write("folder", "x")).rejects.toThrow(/is a folder/);
});
