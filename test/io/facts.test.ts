import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFacts } from "../../src/io/facts.ts";
import { makeWorld, personHome, type World } from "./support/world.ts";
import { cpuClock } from "../support/cpu.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.remove());

const factsOf = (more: { extraFolders?: string[]; home?: string } = {}) =>
  createFacts({
    workspace: world.workspace,
    home: world.home,
    temporary: world.temporary,
    own: [],
    env: process.env,
    ...more,
  });
const inside = (name: string) => path.join(world.workspace, name);

test("a path is followed through links to its end, existing or not", () => {
  mkdirSync(inside("folder"));
  writeFileSync(inside("folder/file"), "12345");
  symlinkSync("folder", inside("link"));
  symlinkSync("/etc/absent-target", inside("dangling"));
  symlinkSync("loop-b", inside("loop-a"));
  symlinkSync("loop-a", inside("loop-b"));
  symlinkSync(world.home, inside("folder/up"));
  linkSync(inside("folder/file"), inside("twin"));
  const facts = factsOf();
  expect(facts.path(inside("link/file"))).toEqual({ real: inside("folder/file"), kind: "file", links: 2, size: 5 });
  expect(facts.path(inside("link/new/deep"))).toEqual({
    real: inside("folder/new/deep"),
    kind: "missing",
    links: 0,
    size: 0,
  });
  expect(facts.path(inside("dangling")).real).toBe("/etc/absent-target");
  expect(facts.path(inside("dangling/x")).real).toBe("/etc/absent-target/x");
  expect(facts.path(inside("loop-a")).kind).toBe("other");
  expect(facts.path(`${world.workspace}/folder/up/../x`).real).toBe(path.join(world.root, "x"));
  expect(facts.path(inside("folder/file/x")).kind).toBe("missing");
  expect(facts.path(`${inside("a\nb")}//./-c`).real).toBe(`${inside("a\nb")}/-c`);
  expect(facts.path("/").real).toBe("/");
  expect(facts.path("/../..").real).toBe("/");
  expect(facts.path("relative").kind).toBe("other");
  expect(facts.path(`${world.workspace}/nul\0byte`).kind).toBe("other");
  expect(facts.path("/proc/self/root/etc/passwd").real).not.toBe("/etc/passwd");
  expect(facts.path(`/${"x".repeat(5000)}`).kind).toBe("missing");
});

test("an existing path has the real path that the system gives", () => {
  const names = ["a", "b", "c"];
  mkdirSync(inside("a/b/c"), { recursive: true });
  mkdirSync(inside("b/a"), { recursive: true });
  symlinkSync("../b", inside("a/c"));
  symlinkSync("../a/b", inside("b/c"));
  symlinkSync(inside("b/a"), inside("c"));
  const facts = factsOf();
  const step = fc.constantFrom(...names, "..", ".");
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const file = [world.workspace, ...steps].join("/");
      let real: string;
      try {
        real = realpathSync.native(file);
      } catch {
        return;
      }
      expect(facts.path(file)).toMatchObject({ real, kind: "folder" });
    }),
    { numRuns: 500 },
  );
});

test("what was looked up is forgotten on request and by the next task", async () => {
  const facts = factsOf();
  expect(facts.path(inside("x")).kind).toBe("missing");
  writeFileSync(inside("x"), "1");
  expect(facts.path(inside("x")).kind).toBe("missing");
  facts.refresh();
  expect(facts.path(inside("x"))).toMatchObject({ kind: "file", size: 1 });
  rmSync(inside("x"));
  symlinkSync("/etc/passwd", inside("x"));
  await new Promise((done) => setTimeout(done, 5));
  expect(facts.path(inside("x")).real).toBe("/etc/passwd");
});

test("a program counts only where no grant can write", () => {
  const facts = createFacts({
    workspace: world.workspace,
    home: personHome,
    temporary: world.temporary,
    own: [],
    env: process.env,
  });
  for (const name of ["sh", "ls", "git", "node", "npm", "npx", "python3", "cargo"]) {
    const found = facts.systemProgram(name);
    expect([name, typeof found]).toEqual([name, "string"]);
    expect(realpathSync(found ?? "")).toBe(found);
  }
  expect(facts.systemProgram("/usr/bin/env")).toBe(realpathSync("/usr/bin/env"));
  for (const name of [
    "",
    ".",
    "..",
    "no-such-program",
    "./ls",
    "node_modules/.bin/ls",
    inside("ls"),
    "/etc/passwd",
    "a\0b",
  ]) {
    expect([name, facts.systemProgram(name)]).toEqual([name, undefined]);
  }
});

test("a program folder inside the workspace, or a link into it, is not a system folder", () => {
  const trap = inside("bin");
  const outside = path.join(world.root, "tools");
  for (const folder of [trap, outside]) mkdirSync(folder);
  for (const file of [path.join(trap, "mine"), path.join(trap, "target"), path.join(outside, "good")]) {
    writeFileSync(file, "#!/bin/sh\n");
    chmodSync(file, 0o755);
  }
  writeFileSync(path.join(outside, "data"), "");
  symlinkSync(path.join(trap, "target"), path.join(outside, "target"));
  symlinkSync(trap, path.join(world.root, "alias"));
  const facts = factsOf({ extraFolders: [trap, path.join(world.root, "alias"), outside, "relative"] });
  expect(facts.systemProgram("good")).toBe(path.join(outside, "good"));
  const onPath = createFacts({
    ...{ workspace: world.workspace, home: world.root, temporary: world.temporary, own: [] },
    env: { PATH: `/usr/bin:${outside}` },
  });
  expect(onPath.systemProgram("good"), "PATH is that of the program's environment").toBe(path.join(outside, "good"));
  expect(facts.systemProgram("mine")).toBeUndefined();
  expect(facts.systemProgram("target")).toBeUndefined();
  expect(facts.systemProgram("data")).toBeUndefined();
});

test("text comes from small files inside the workspace only", () => {
  writeFileSync(inside("small"), "text");
  writeFileSync(inside("large"), "x".repeat(300_000));
  symlinkSync("/etc/passwd", inside("leak"));
  const facts = factsOf();
  expect(facts.text(inside("small"))).toBe("text");
  expect(
    [inside("large"), inside("leak"), "/etc/passwd", world.workspace, inside("none")].map((file) => facts.text(file)),
  ).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

const scripts = {
  test: "node test.mjs",
  "test:watch": "x --watch",
  lint: "eslint  . --max-warnings 0",
  typecheck: "tsc -p .",
  build: "node build.mjs",
  deploy: "rm -rf /",
  postinstall: "evil",
};

test("checks are declared by the manifests, by their exact words", () => {
  writeFileSync(inside("package.json"), JSON.stringify({ scripts }));
  writeFileSync(inside("Makefile"), ".PHONY: test\ntest: all\n\techo\nlint:\n\techo\nall:\n\nVAR := x\nclean:\n\trm\n");
  writeFileSync(inside("Cargo.toml"), "[package]\n");
  writeFileSync(inside("pyproject.toml"), "[tool.ruff]\n");
  const facts = factsOf();
  const kind = (command: string) => facts.declaredCheck(command, world.workspace)?.kind;
  for (const command of [
    "npm test",
    "npm  test ",
    "npm t",
    "npm run test",
    "node test.mjs",
    "make test",
    "cargo test",
    "pytest",
    "python3 -m pytest",
  ]) {
    expect([command, kind(command)]).toEqual([command, "test"]);
  }
  expect([kind("npm run lint"), kind("eslint . --max-warnings 0"), kind("make lint"), kind("ruff check .")]).toEqual([
    "lint",
    "lint",
    "lint",
    "lint",
  ]);
  expect([kind("npm run typecheck"), kind("cargo check"), kind("npm run build"), kind("cargo build")]).toEqual([
    "types",
    "types",
    "build",
    "build",
  ]);
  for (const command of [
    "npm run deploy",
    "rm -rf /",
    "npm run test:watch",
    "npm run postinstall",
    "make clean",
    "make all",
    "make VAR",
    "mypy .",
    "go test ./...",
    "npm test; rm x",
    "npm",
    "",
  ]) {
    expect([command, kind(command)]).toEqual([command, undefined]);
  }
  expect(facts.declaredCheck("npm test", world.home)).toBeUndefined();
  expect(facts.declaredCheck("npm test", world.workspace)?.changed).toEqual([]);
});

test("a definition that was changed, added or removed since the start is named; sources are not", () => {
  writeFileSync(inside("package.json"), JSON.stringify({ scripts }));
  writeFileSync(inside("conftest.py"), "");
  writeFileSync(inside("test.mjs"), "1");
  const facts = factsOf();
  const changed = () => {
    facts.refresh();
    return facts.declaredCheck("npm test", world.workspace)?.changed;
  };
  writeFileSync(inside("test.mjs"), "2");
  expect(changed()).toEqual([]);
  writeFileSync(inside("package.json"), JSON.stringify({ scripts: { ...scripts, pretest: "evil" } }));
  writeFileSync(inside("vitest.config.ts"), "evil()");
  rmSync(inside("conftest.py"));
  expect(changed()).toEqual(["conftest.py", "package.json", "vitest.config.ts"]);
  writeFileSync(inside("package.json"), JSON.stringify({ scripts }));
  rmSync(inside("vitest.config.ts"));
  writeFileSync(inside("conftest.py"), "");
  expect(changed()).toEqual([]);
  renameSync(inside("package.json"), inside("real.json"));
  symlinkSync("real.json", inside("package.json"));
  expect(changed()).toBeUndefined();
});

test("a broken manifest declares nothing and breaks nothing", () => {
  for (const text of ["{", "[]", "null", '{"scripts":[1]}', '{"scripts":{"test":5}}', "\0"]) {
    writeFileSync(inside("package.json"), text);
    expect([text, factsOf().declaredCheck("npm test", world.workspace)]).toEqual([text, undefined]);
  }
});

test("ten thousand judgements and a creation are quick", () => {
  execFileSync("bash", ["-c", "for i in $(seq 300); do echo '{}' > f$i.json; done; echo '{}' > package.json"], {
    cwd: world.workspace,
  });
  const facts = factsOf();
  const spent = cpuClock();
  for (let i = 0; i < 10_000; i++) {
    facts.path(inside(`src/file-${i % 500}.ts`));
    facts.systemProgram("ls");
    facts.declaredCheck("npm test", world.workspace);
    if (i % 20 === 0) facts.refresh();
  }
  expect(spent()).toBeLessThan(3000);
});
