// Attacks on the layers: each run tries to leave something, or to take something, that nobody was asked about.
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { assessment, effect } from "./assessments.ts";
import { applyChange } from "../../src/io/layers/apply.ts";
import { dropped, type LayeredTestWorld, openLayered } from "./layered-world.ts";

let world: LayeredTestWorld;

afterEach(async () => {
  world.layers.close();
  await world.close();
});

test("an ordinary user has layers, too", () => {
  world = openLayered();
  if (process.getuid?.() !== 0) return;
  const nobody = 65534;
  const root = mkdtempSync(path.join(tmpdir(), "fettle-nobody-"));
  mkdirSync(path.join(root, "w"));
  for (const folder of [root, path.join(root, "w")]) chownSync(folder, nobody, nobody);
  const source = pathToFileURL(path.resolve("src/io/layers/layers.ts")).href;
  const code = `const { openLayers } = await import(${JSON.stringify(source)});
    console.log(openLayers(${JSON.stringify(path.join(root, "layers"))}, ${JSON.stringify(path.join(root, "w"))}).why ?? "layers")`;
  const words = ["--reuid", `${nobody}`, "--regid", `${nobody}`, "--clear-groups", process.execPath];
  const found = spawnSync("setpriv", [...words, "--input-type=module", "-e", code], { encoding: "utf8", cwd: "/" });
  rmSync(root, { recursive: true, force: true });
  // Where ordinary users may make no namespaces, the kernel says so.
  expect(`${found.stdout}${found.stderr}`.trim()).toMatch(/^layers$|^unshare: /);
});

const unknown = [{ code: "shell.interpreter", risk: "L2" as const, text: "it runs code" }];

test("a folder that one part makes lets no other part delete or overwrite what lies in it", async () => {
  world = openLayered();
  world.put("src/a", "old");
  world.put("src/b", "old");
  world.put(".github/workflows/ci.yml", "old");
  const effects = [effect("write", world.at("src")), effect("write", world.at(".github"))];
  const exit = await world.run(
    "mkdir -p src .github; rm src/a; : > src/b; echo x > .github/workflows/ci.yml; echo x > src/.env; echo n > src/new",
    { effects, tags: ["interpreter"], reasons: unknown },
  );
  expect(exit.held.sort()).toEqual(["delete src/a", "write src/b"]);
  expect(dropped(exit)).toEqual([".github/workflows/ci.yml", "src/.env"]);
  expect(world.get("src/new")).toBe("n\n");
  expect(world.get(".github/workflows/ci.yml")).toBe("old");
});

test("a file that one part writes is not deleted by another", async () => {
  world = openLayered();
  world.put("a", "old");
  const exit = await world.run("echo x >> a; rm a", { effects: [effect("write", world.at("a"))] });
  expect(exit.held).toEqual(["delete a"]);
  expect(world.get("a")).toBe("old");
});

test("a link leads out of the workspace by no detour over other links", async () => {
  world = openLayered();
  writeFileSync(path.join(world.home, "canary"), "c");
  const exit = await world.run(
    `mkdir -p d/e; ln -s ../.. d/e/l; ln -s l/../.. d/e/x; ln -s ${world.workspace}/d/e/l/../.. d/e/y; ln -s l/../home/canary d/e/z; ln -s d in; ln -s in/e/l/../../home w`,
  );
  for (const at of [...(exit.written?.applied ?? []), "d/e/x", "d/e/y", "d/e/z", "w"]) {
    if (lstatSync(world.at(at), { throwIfNoEntry: false })?.isSymbolicLink())
      expect(`${realpathSync(world.at(at))}/`, at).toMatch(new RegExp(`^${world.workspace}/`));
  }
  expect(dropped(exit)).toContain("d/e/x");
});

test("a link over another link of the workspace that leads out goes nowhere", async () => {
  world = openLayered();
  writeFileSync(path.join(world.home, "canary"), "c");
  symlinkSync(world.home, world.at("out"));
  const exit = await world.run("ln -s out/canary x");
  expect(dropped(exit)).toEqual(["x"]);
});

test("a link of the workspace tells nothing of what it leads to", async () => {
  world = openLayered();
  writeFileSync(path.join(world.home, "canary"), "secret");
  mkdirSync(path.join(world.home, "empty/in"), { recursive: true });
  symlinkSync(world.home, world.at("out"));
  const right = await world.run("rm out; mkdir -p out/empty; printf secret > out/canary; echo x > out/none");
  expect(dropped(right)).toEqual(
    ["out", "out/canary", "out/empty", "out/none"].filter((at) => dropped(right).includes(at)),
  );
  expect(dropped(right)).toContain("out/canary");
  expect(existsSync(path.join(world.home, "empty/in"))).toBe(true);
  expect(right.held).toEqual([]);
});

test("files that nobody may read, and folders that nobody may enter, hide nothing and stop nothing", async () => {
  world = openLayered();
  world.put(".gitignore", "dist\n");
  world.put("src/a", "old");
  world.put("src/b", "old");
  world.put("dist/o", "old");
  const exit = await world.run(
    [
      "echo n > src/a; chmod 000 src/a; rm src/b; mkdir -p new/deep; echo x > new/deep/x; chmod 000 new/deep new src",
      "mkdir dist/in; echo y > dist/in/y; chmod 000 dist/in dist; echo AGENT > AGENTS.md; echo ok > ok",
    ].join("\n"),
  );
  expect(exit.held).toEqual(["delete src/b"]);
  expect(exit.written?.applied).toContain("ok");
  expect(exit.written?.applied).toContain("new/deep/x");
  expect(dropped(exit)).toContain("AGENTS.md");
  const seen = await world.run("cat ok; chmod 700 dist; chmod 700 dist/in; echo z > dist/in/z; ls dist/in");
  expect(seen.output).toContain("z");
});

test("names that are no text, very long names and very deep folders stop nothing and are told", async () => {
  world = openLayered();
  world.put(".gitignore", "dist\n");
  world.put("dist/o", "old");
  const long = "n".repeat(255);
  const exit = await world.run(
    [
      `python3 - <<'E'`,
      "import os",
      "open(b'bad\\xff', 'w').write('x')",
      "os.mkdir(b'dir\\xff'); open(b'dir\\xff/in', 'w').write('x'); os.chmod(b'dir\\xff', 0)",
      "open(b'dist/bad\\xff', 'w').write('x')",
      "open('new\\nline', 'w').write('x')",
      `open('${long}', 'w').write('x')`,
      `os.symlink('ok', '${"l".repeat(255)}')`,
      "open('ok', 'w').write('x')",
      "for i in range(60):",
      "  os.mkdir('d' * 200); os.chdir('d' * 200)",
      "open('bottom', 'w').write('x')",
      "E",
    ].join("\n"),
  );
  expect(exit.output).toBe("");
  expect(exit.written?.applied).toEqual(expect.arrayContaining(["new\nline", long, "l".repeat(255), "ok"]));
  expect(exit.written?.dropped.length).toBeGreaterThan(0);
  await world.run("echo 1 > dist/1; python3 -c \"open(b'dist/bad\\xff', 'w').write('y')\"");
  expect((await world.run("cat dist/1")).output).toBe("1\n");
  world.layers.close();
  expect(readdirSync(path.join(world.root, "layers")).filter((name) => name !== "layers-work")).toEqual([]);
});

test("a build applies what it made, not what else is ignored", async () => {
  world = openLayered();
  world.put(".gitignore", "dist\n.vscode\ndata\n*.db\nsrc\n");
  for (const name of ["dist/o", "data/base.db", ".vscode/settings.json", "src/a.js"]) world.put(name, "old");
  const exit = await world.run(
    "rm -r data src; echo x > .vscode/settings.json; echo n > dist/n; rm dist/o; echo x > dist/AGENTS.md",
    { tags: ["declared-build"] },
  );
  expect(exit.written?.applied.sort()).toEqual(["dist/n", "dist/o"]);
  for (const name of ["data/base.db", ".vscode/settings.json", "src/a.js"]) expect(world.get(name)).toBe("old");
  expect(existsSync(world.at("dist/AGENTS.md"))).toBe(false);
});

test("a build takes away nothing of the person's that the session itself has made to be ignored", async () => {
  world = openLayered();
  world.put("lib/mine.ts", "mine");
  await world.run("echo lib > .gitignore; echo x > lib/.gitignore");
  const build = { tags: ["declared-build" as const] };
  const exit = await world.run("rm lib/mine.ts; echo 1 > lib/out.js", build);
  expect(exit.written?.applied).toEqual(["lib/out.js"]);
  await world.run("rm -f lib/out.js; rm -rf lib; mkdir lib; echo 2 > lib/out.js", build);
  expect([world.get("lib/mine.ts"), world.get("lib/out.js")]).toEqual(["mine", "2\n"]);
});

test("a folder of thousands of files is deleted whole when that was allowed", async () => {
  world = openLayered();
  mkdirSync(world.at("many"));
  for (let at = 0; at < 2100; at++) writeFileSync(world.at(`many/${at}`), "x");
  const exit = await world.run("rm -rf many", { effects: [effect("delete", world.at("many"))], risk: "L2" });
  expect(exit.held).toEqual([]);
  expect(existsSync(world.at("many"))).toBe(false);
});

test("a sparse file of ten gigabytes is never read", async () => {
  world = openLayered();
  world.put("dist/o", "x");
  const exit = await world.run("truncate -s 10G big; truncate -s 10G allowed; echo ok > ok", {
    effects: [effect("write", world.at("allowed"))],
  });
  expect(exit.written?.applied).toEqual(["ok"]);
});

test("masks hold under other spellings, in folders that are ignored, kept, moved and made anew", async () => {
  world = openLayered({ masked: [".env", "dist/.env", "cfg/.env"] });
  world.put(".gitignore", "dist\n");
  for (const name of [".env", "dist/.env", "cfg/.env"]) world.put(name, "KEY=hunter2hunter2");
  world.put("dist/o", "x");
  const ways = [
    "cat .env dist/.env cfg/.env; mv dist dist2; cat dist2/.env; mv cfg cfg2; cat cfg2/.env",
    "rm -rf dist; mkdir dist; cat dist/.env; ls -la dist; ln .env hard; cat hard; cp -a . /tmp/copy; cat /tmp/copy/.env",
    "cat dist/.env cfg/../.env ./.env; tar c . | grep -a hunter; mv .env x; cat x",
  ];
  for (const way of ways) expect((await world.run(way)).output).not.toContain("hunter2");
  for (const name of [".env", "cfg/.env", "dist/.env"]) expect(world.get(name)).toBe("KEY=hunter2hunter2");
});

test("what stands in a file's place meanwhile is not replaced", async () => {
  world = openLayered();
  world.put("d/a", "old");
  const running = world.run("echo mine > fresh; echo mine > d/a; rm d/a; sleep 0.6");
  await new Promise((resolve) => setTimeout(resolve, 300));
  writeFileSync(world.at("fresh"), "theirs");
  const exit = await running;
  expect(world.get("fresh")).toBe("theirs");
  expect(exit.held).toContain("write fresh");
});

test("what the person saves while a command writes the same file is not lost, though the command names it", async () => {
  world = openLayered();
  world.put("a", "old");
  const running = world.run("echo more >> a; sleep 0.6", { effects: [effect("write", world.at("a"))] });
  await new Promise((resolve) => setTimeout(resolve, 300));
  writeFileSync(world.at("a"), "theirs");
  expect((await running).held).toEqual(["write a"]);
  expect(world.get("a")).toBe("theirs");
});

test("what is written between the sorting and the applying is not replaced, though its size and its time stay the same", async () => {
  world = openLayered();
  world.put("a", "old1");
  utimesSync(world.at("a"), 1000, 1000);
  const upper = path.join(world.root, "upper");
  mkdirSync(upper);
  writeFileSync(path.join(upper, "a"), "new");
  const [change] = world.layers.written(upper).changes;
  writeFileSync(world.at("a"), "mine");
  utimesSync(world.at("a"), 1000, 1000);
  if (!change) throw new Error("nothing was written");
  await expect(applyChange(change, world.workspace, { upper })).rejects.toThrow("somebody else");
  expect(world.get("a")).toBe("mine");
});

test("who stops a call stops what is still to be written of it", async () => {
  world = openLayered();
  const stop = new AbortController();
  const command = "for i in $(seq 900); do echo x > f$i; done";
  const judged = assessment("L1", [effect("execute", "x", { part: "x" })], { tags: ["process"] });
  const running = world.grant({ kind: "shell", command, background: false }, judged, stop.signal).process.run();
  await expect.poll(() => existsSync(world.at("f1")), { interval: 1, timeout: 20_000 }).toBe(true);
  stop.abort();
  const { written } = await running;
  expect(written?.applied).toContain("f1");
  expect(written?.dropped.at(-1)?.why).toBe("it was stopped before this was written");
  expect(existsSync(world.at("f900"))).toBe(false);
});

test("what lies in a folder that would replace a file goes nowhere, and is told without a path of fettle's own", async () => {
  world = openLayered();
  world.put("a", "old");
  const exit = await world.run("rm a; mkdir a; echo x > a/in");
  expect(exit.written?.dropped).toEqual([
    { path: "a", why: "a file stands there, and a folder would replace it" },
    { path: "a/in", why: "the folder around it was not written" },
  ]);
  expect(world.get("a")).toBe("old");
});

test("rights of programs are not handed on: no setuid bit reaches the workspace", async () => {
  world = openLayered();
  await world.run("echo '#!/bin/sh' > run; chmod 4755 run; mkdir s; chmod 2777 s; echo x > s/x");
  expect(lstatSync(world.at("run")).mode & 0o7000).toBe(0);
  expect(lstatSync(world.at("s")).mode & 0o7022).toBe(0);
});

test("other spellings of control files reach nothing", async () => {
  world = openLayered();
  const exit = await world.run(
    [
      "mkdir -p .GIT/hooks a/.Git .FETTLE 'git~1' sub; echo x > .GIT/config; echo x > a/.Git/config; echo x > .FETTLE/config",
      "printf x > $(printf '.g\\342\\200\\214it'); echo x > 'git~1/config'; echo x > .gitmodules; echo x > Agents.MD",
      "mkdir -p .VSCode; echo x > .VSCode/tasks.json; echo x > MAKEFILE; echo x > .git.; echo x > '.git '; echo x > '.git::$INDEX_ALLOCATION'",
    ].join("\n"),
  );
  expect(exit.written?.applied).toEqual([]);
});

test("two runs at a time: none overwrites what the other has just applied", async () => {
  world = openLayered();
  world.put("a", "old");
  const [one, two] = await Promise.all([
    world.run("echo one > a; echo one > b; sleep 1.5"),
    world.run("echo two > a; echo two > b; sleep 1.5"),
  ]);
  const applied = [...(one.written?.applied ?? []), ...(two.written?.applied ?? [])];
  expect(applied.filter((at) => at === "a")).toHaveLength(1);
  expect([...one.held, ...two.held]).toContain("write a");
});

test("a folder without rights of the person's is not opened", async () => {
  world = openLayered();
  mkdirSync(world.at("shut"));
  writeFileSync(world.at("shut/in"), "x");
  chmodSync(world.at("shut"), 0o000);
  try {
    const exit = await world.run("echo ok > ok; ls shut; rm -rf shut; mkdir -p shut; true");
    expect(exit.written?.applied).toEqual(["ok"]);
  } finally {
    chmodSync(world.at("shut"), 0o700);
  }
  expect(readFileSync(world.at("shut/in"), "utf8")).toBe("x");
});

test("what no checkpoint has is not overwritten: the repository's own list of left-out files counts", async () => {
  world = openLayered();
  execFileSync("git", ["init", "-q", world.workspace]);
  mkdirSync(world.at(".git/info"), { recursive: true });
  writeFileSync(world.at(".git/info/exclude"), "/notes.txt\nprivate/\n");
  world.put("notes.txt", "old");
  world.put("private/deep/a", "old");
  const exit = await world.run("echo x > notes.txt; echo x > private/deep/a; echo x > other");
  expect(exit.written?.applied).toEqual(["other"]);
  expect(world.get("notes.txt") + world.get("private/deep/a")).toBe("oldold");
});
