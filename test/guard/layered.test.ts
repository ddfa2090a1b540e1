// Real bubblewrap, real overlayfs: what a command writes, and what of it reaches the workspace.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { afterEach, expect, test } from "vitest";
import { sha256 } from "../../src/base/digest.ts";
import { assessment, effect } from "./assessments.ts";
import { dropped, type LayeredTestWorld, openLayered } from "./layered-world.ts";

let world: LayeredTestWorld;
const open = (more?: Parameters<typeof openLayered>[0]) => openLayered(more);
const run: LayeredTestWorld["run"] = (command, more) => world.run(command, more);

afterEach(async () => {
  world.layers.close();
  await world.close();
});

test("created and changed files are applied, with their rights, in the order of their times", async () => {
  world = open();
  world.put("src/a.js", "old\n");
  const exit = await run(
    "echo new > src/a.js; mkdir -p out/deep; echo x > out/deep/x; echo '#!/bin/sh' > go.sh; chmod 755 go.sh; ln -s src/a.js link",
  );
  expect(exit).toMatchObject({ code: 0, held: [] });
  expect(exit.written?.applied.sort()).toEqual(["go.sh", "link", "out/deep/x", "src/a.js"]);
  expect(world.get("src/a.js")).toBe("new\n");
  expect(world.get("out/deep/x")).toBe("x\n");
  expect(statSync(world.at("go.sh")).mode & 0o777).toBe(0o755);
  expect(readlinkSync(world.at("link"))).toBe("src/a.js");
});

test("what the command deletes, empties or moves away of the person's waits for an answer", async () => {
  world = open();
  for (const name of ["a", "b", "c", "d/e", "d/f"]) world.put(name, `old ${name}`);
  const exit = await run("rm a; : > b; mv c c2; rm -r d");
  expect(exit.held.sort()).toEqual(["delete a", "delete d/e", "delete d/f", "move c", "write b"]);
  for (const name of ["a", "b", "c", "d/e", "d/f"]) expect(world.get(name)).toBe(`old ${name}`);
  expect(existsSync(world.at("c2"))).toBe(false);
});

test("what the gate judged to be deleted or overwritten is done", async () => {
  world = open();
  for (const name of ["a", "dist/o"]) world.put(name, `old ${name}`);
  world.put(".gitignore", "dist\n");
  const effects = [effect("delete", world.at("a")), effect("delete", world.at("dist"))];
  const exit = await run("rm -r a dist", { effects });
  expect(exit.held).toEqual([]);
  expect(existsSync(world.at("a"))).toBe(false);
  expect(existsSync(world.at("dist"))).toBe(false);
});

test("a folder that is deleted and made anew loses only what the command did not write again", async () => {
  world = open();
  world.put("lib/keep", "old");
  world.put("lib/lost", "old");
  const exit = await run("rm -rf lib; mkdir lib; echo new > lib/keep");
  expect(exit.held).toEqual(["delete lib/lost"]);
  expect(world.get("lib/keep")).toBe("new\n");
  expect(world.get("lib/lost")).toBe("old");
});

test("ignored and dependency folders stay in the session's layer, which later commands see", async () => {
  world = open();
  world.put(".gitignore", "/dist/\n*.log\n");
  world.put("dist/old", "o");
  world.put("node_modules/x/index.js", "x");
  const exit = await run(
    "echo d > dist/new; rm dist/old; echo c > node_modules/x/cache; echo l > a.log; echo s > s.txt",
  );
  expect(exit.written).toMatchObject({ applied: ["s.txt"] });
  expect(exit.written?.kept.sort()).toEqual(["a.log", "dist/new", "dist/old", "node_modules/x/cache"]);
  expect(existsSync(world.at("dist/old"))).toBe(true);
  expect(existsSync(world.at("a.log"))).toBe(false);
  const seen = await run("ls dist node_modules/x; cat a.log", { risk: "L0" });
  expect(seen.output).toContain("dist:\nnew\n");
  expect(seen.output).toContain("cache");
  expect(seen.output).not.toContain("old");
  const again = await run("rm -rf dist && mkdir dist && echo 2 > dist/second; ls dist");
  expect(again.output.trim()).toBe("second");
  expect((await run("ls dist", { risk: "L0" })).output.trim()).toBe("second");
  expect(existsSync(world.at("dist/old"))).toBe(true);
});

test("an unchanged build applies its output as long as nothing else is in the layer", async () => {
  world = open();
  world.put(".gitignore", "dist\n");
  world.put("dist/old.js", "o");
  const build = "rm -rf dist; mkdir dist; echo b > dist/b.js";
  expect((await run(build, { tags: ["declared-build"] })).written?.applied.sort()).toEqual([
    "dist/b.js",
    "dist/old.js",
  ]);
  expect(world.get("dist/b.js")).toBe("b\n");
  await run("echo planted > dist/extra.js");
  expect((await run("echo c > dist/c.js", { tags: ["declared-build"] })).written?.kept).toEqual(["dist/c.js"]);
});

test("repositories, fettle's folder, files for secrets, run-later files and links that lead out go nowhere", async () => {
  world = open();
  world.put("sub/a", "a");
  const exit = await run(
    [
      "echo gitdir: /root > sub/.git; git init -q made; mkdir -p .fettle docs/objects docs/refs .vscode .github/workflows",
      "echo x > .fettle/instructions.md; echo ref: refs/heads/x > docs/HEAD; echo > docs/config; echo > docs/objects/o; echo > docs/refs/r",
      "echo x > AGENTS.md; echo x > .vscode/settings.json; echo x > .github/workflows/ci.yml; echo x > .envrc; echo x > .env.local",
      "ln -s / root; ln -s ../../etc up; mkfifo pipe; echo ok > fine.txt",
    ].join("\n"),
  );
  expect(exit.written?.applied).toEqual(["fine.txt"]);
  for (const name of [
    "sub/.git",
    "made/.git",
    ".fettle",
    "docs/HEAD",
    "docs/config",
    "AGENTS.md",
    ".vscode/settings.json",
    ".github/workflows/ci.yml",
    ".envrc",
    ".env.local",
    "root",
    "up",
    "pipe",
  ]) {
    expect(lstatSync(world.at(name), { throwIfNoEntry: false }), name).toBeUndefined();
  }
  expect(dropped(exit)).toContain("docs/HEAD");
});

test("a bare repository cannot be put together by several commands", async () => {
  world = open();
  await run("mkdir -p d/objects d/refs; echo x > d/objects/o; echo x > d/refs/r");
  const exit = await run("echo ref: refs/heads/x > d/HEAD; echo > d/config");
  expect(dropped(exit)).toEqual(["d/HEAD", "d/config"]);
  expect(existsSync(world.at("d/HEAD"))).toBe(false);
});

test("a masked file stays masked wherever it is moved to, and its folder is not moved away", async () => {
  world = open();
  world.put(".env", "SECRET=hunter2hunter2");
  world.put("dist/a", "a");
  const first = await run("cat .env; mv .env seen.txt; cat seen.txt");
  expect(first.output).not.toContain("hunter2");
  expect(world.get(".env")).toBe("SECRET=hunter2hunter2");
  expect(first.held).toEqual([]);
  expect(dropped(first)).toContain(".env");
});

test("of rights only the executable bit reaches a file, but for a command that is known to change them", async () => {
  world = open();
  world.put("a", "a");
  world.put("private", "p");
  chmodSync(world.at("a"), 0o644);
  chmodSync(world.at("private"), 0o600);
  await run("chmod 777 a private; echo x > new; chmod 777 new; echo x > own; chmod 600 own");
  const modes = () => ["a", "private", "new", "own"].map((name) => (statSync(world.at(name)).mode & 0o777).toString(8));
  expect(modes()).toEqual(["755", "700", "755", "600"]);
  await run("chmod 466 a private");
  expect(modes()).toEqual(["644", "600", "755", "600"]);
});

test("what was hidden from a command is not changed by it, whatever it is called", async () => {
  world = openLayered({ masked: [".env", "conf/values"] });
  world.put("conf/values", "SECRET=hunter2hunter2");
  const first = await world.run("cat conf/values; echo x > conf/values; chmod 755 conf/values");
  expect(first.output).not.toContain("hunter2");
  expect(dropped(first)).toEqual(["conf/values"]);
  const second = await world.run("mv conf moved; cat moved/values");
  expect(second).toMatchObject({ output: "", held: [] });
  expect(world.get("conf/values")).toBe("SECRET=hunter2hunter2");
});

test("what the session itself made may be deleted and renamed, until somebody touches it or git tracks it", async () => {
  world = open();
  execFileSync("git", ["init", "-q", world.workspace]);
  await run("echo 1 > probe.js; echo 2 > other.js; echo 3 > tracked.js; echo 4 > touched.js");
  execFileSync("git", ["-C", world.workspace, "add", "tracked.js"]);
  writeFileSync(world.at("touched.js"), "the person's");
  const exit = await run("rm probe.js tracked.js touched.js; mv other.js renamed.js");
  expect(exit.held.sort()).toEqual(["delete touched.js", "delete tracked.js"]);
  expect(existsSync(world.at("probe.js"))).toBe(false);
  expect(existsSync(world.at("other.js"))).toBe(false);
  expect(world.get("renamed.js")).toBe("2\n");
});

test("a copy of older content is no file of the session once the older one goes in the same run", async () => {
  world = open();
  world.put("a.js", "older");
  expect((await run("cp a.js b.js; rm a.js")).held).toEqual(["delete a.js"]);
  rmSync(world.at("a.js"));
  expect((await run("rm b.js")).held).toEqual(["delete b.js"]);
});

test("what somebody else changed meanwhile is not overwritten unasked", async () => {
  world = open();
  world.put("a.txt", "old");
  const running = run("echo mine > a.txt; sleep 0.5");
  await new Promise((resolve) => setTimeout(resolve, 250));
  writeFileSync(world.at("a.txt"), "theirs");
  expect((await running).held).toEqual(["write a.txt"]);
  expect(world.get("a.txt")).toBe("theirs");
});

test("inside of a task only what the plan names is applied", async () => {
  world = open({ planned: ["src/a.js", "package.json", "src/new/b.js"] });
  world.put("src/a.js", "old");
  const exit = await run(
    "echo 1 > src/a.js; echo {} > package.json; mkdir -p src/new; echo b > src/new/b.js; echo no > src/c.js",
  );
  expect(exit.written?.applied.sort()).toEqual(["package.json", "src/a.js", "src/new/b.js"]);
  expect(dropped(exit)).toEqual(["src/c.js"]);
  expect(existsSync(world.at("src/c.js"))).toBe(false);
});

test("without checkpoints nothing is overwritten unasked", async () => {
  world = open({ checkpoints: false });
  world.put("a.txt", "old");
  expect((await run("echo new > a.txt; echo made > b.txt")).held).toEqual(["write a.txt"]);
  expect(world.get("b.txt")).toBe("made\n");
});

test("a run that is stopped leaves nothing half applied, and its layer is removed", async () => {
  world = open();
  mkdirSync(world.at("many"));
  const controller = new AbortController();
  const judged = assessment("L1", [effect("execute", "x", { part: "x" })], { tags: ["process"] });
  const grant = world.grant(
    { kind: "shell", command: "echo a > a.txt; sleep 20", background: false },
    judged,
    controller.signal,
  );
  const running = grant.process.run();
  setTimeout(() => controller.abort(), 300);
  expect((await running).ended).toBe("stopped");
  expect(["a\n", undefined]).toContain(existsSync(world.at("a.txt")) ? world.get("a.txt") : undefined);
});

test("a program that stays sees what changes, and writes nothing but its own folders", async () => {
  world = open();
  world.put(".gitignore", "/dist/\n");
  world.put("dist/old", "o");
  world.put("a.txt", "first");
  const judged = assessment("L1", [effect("execute", "x", { part: "x" })], { tags: ["process", "background"] });
  const command =
    "echo no > b.txt; echo no > .git; mkdir .fettle; echo own > dist/new; ls dist; while ! grep -q second a.txt; do sleep 0.05; done; cat a.txt";
  const grant = world.grant({ kind: "shell", command, background: true }, judged);
  const job = await grant.process.start();
  expect(job.readOnly).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 300));
  rmSync(world.at("a.txt"));
  writeFileSync(world.at("a.txt"), "second");
  await expect.poll(() => world.jobs.read(job.id).job.state, { timeout: 20_000 }).toBe("exited");
  expect(world.jobs.peek(job.id).output).toMatch(/new\nold\n[^]*second$/);
  for (const name of ["b.txt", ".git", ".fettle", "dist/new"]) expect(existsSync(world.at(name)), name).toBe(false);
  expect(readdirSync(world.workspace).sort()).toEqual([".gitignore", "a.txt", "dist"]);
});

test("what a command deleted is told apart from what it changed", async () => {
  world = open();
  await run("echo 1 > made.txt; echo 1 > kept.txt");
  const exit = await run("rm made.txt; echo 2 > kept.txt");
  expect(exit.written?.applied.sort()).toEqual(["kept.txt", "made.txt"]);
  expect(exit.written?.removed).toEqual(["made.txt"]);
  expect(exit.written?.contents).toEqual([
    { path: "made.txt", state: "absent" },
    { path: "kept.txt", state: sha256("2\n").slice(0, 16) },
  ]);
});
