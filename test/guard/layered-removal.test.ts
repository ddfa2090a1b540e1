// Explicit `rm`, `mv` and `find -delete` that run unasked on a layer: what was there before stays until somebody answers.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import path from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import { processResult } from "../../src/tools/process-result.ts";
import { assessment, effect } from "./assessments.ts";
import { isQuiet, type LayeredTestWorld, openLayered } from "./layered-world.ts";

let world: LayeredTestWorld;
afterEach(async () => {
  world.layers.close();
  await world.close();
});

function open(): void {
  world = openLayered();
  execFileSync("git", ["init", "-q", world.workspace]);
}

test("what the person had waits, what is ignored goes for later commands only, what the session made goes", async () => {
  open();
  world.put(".gitignore", "/dist/\n");
  for (const name of ["src/a.ts", "src/b.ts", "notes.txt", "dist/old.js", "x.o", "sub/y.o"]) world.put(name, name);
  await world.run("echo 1 > probe.js");
  const exit = await world.runQuiet(
    "rm -rf src dist probe.js && find . -name '*.o' -delete; mv notes.txt moved.txt; ls",
  );
  expect(exit.output.trim().split("\n")).toEqual(["moved.txt", "sub"]);
  expect(exit.held.sort()).toEqual([
    "delete src/a.ts",
    "delete src/b.ts",
    "delete sub/y.o",
    "delete x.o",
    "move notes.txt",
  ]);
  expect(exit.written?.kept).toContain("dist");
  expect(
    processResult(exit)
      .parts.map((part) => ("text" in part ? part.text : ""))
      .join(),
  ).toContain("[gone for later commands only: dist; the workspace still has it");
  expect(exit.written?.removed).toEqual(["probe.js"]);
  for (const name of ["src/a.ts", "src/b.ts", "notes.txt", "dist/old.js", "x.o", "sub/y.o"])
    expect(world.get(name), name).toBe(name);
  expect(existsSync(world.at("moved.txt"))).toBe(false);
  expect((await world.run("ls", { risk: "L0" })).output).not.toContain("dist");
});

test("a probe that is made, used and deleted by one command leaves nothing and asks nothing", async () => {
  open();
  const exit = await world.runQuiet(
    't=$(mktemp); echo "console.log(6*7)" > probe.mjs; cat probe.mjs > "$t"; wc -c < "$t"; rm probe.mjs "$t"',
  );
  expect(exit).toMatchObject({ code: 0, held: [] });
  expect(exit.written).toBeUndefined();
});

test("a file tool's new file is seen where a command deleted the ignored folder, and so is what an install brings", async () => {
  open();
  world.put(".gitignore", "/scratch/\nnode_modules\n");
  world.put("scratch/old", "o");
  world.put("node_modules/a/index.js", "a");
  await world.runQuiet("rm -rf scratch node_modules");
  expect((await world.run("ls", { risk: "L0" })).output.trim()).toBe("");
  const action = { kind: "change" as const, changes: [{ op: "write" as const, path: "scratch/new", content: "n" }] };
  await world.grant(action, assess(action, world.facts)).files.write("scratch/new", "n");
  expect((await world.run("cat scratch/new; ls node_modules 2>&1", { risk: "L0" })).output).toMatch(
    /^n.*No such file/s,
  );
  const install = assessment("L2", [effect("execute", "npm", { part: "npm" }), effect("vcs", "add")], {
    tags: ["process", "install", "git-write", "git-alone"],
  });
  await world.grant({ kind: "shell", command: "true", background: false }, install).process.run();
  expect((await world.run("ls node_modules", { risk: "L0" })).output.trim()).toBe("a");
});

test("a link that was there is asked about, and an answer deletes the link and not what it leads to", async () => {
  open();
  world.put("src/a.ts", "a");
  symlinkSync("src/a.ts", world.at("link"));
  const exit = await world.runQuiet("rm link");
  expect(exit.held).toEqual(["delete link"]);
  expect(readlinkSync(world.at("link"))).toBe("src/a.ts");
  const action = { kind: "change" as const, changes: [{ op: "delete" as const, path: "link" }] };
  await world.grant(action, assess(action, world.facts)).files.remove("link");
  expect(lstatSync(world.at("link"), { throwIfNoEntry: false })).toBeUndefined();
  expect(world.get("src/a.ts")).toBe("a");
});

test("what a build makes anew takes the place of what was deleted before it, by an earlier command or by the same", async () => {
  open();
  const look = () => execFileSync("sh", ["-c", "cat dist/* 2>&1; ls dist"], { cwd: world.workspace }).toString();
  const build = (line: string) => world.run(line, { tags: ["declared-build"] });
  world.put(".gitignore", "/dist/\n");
  for (const name of ["dist/a.js", "dist/old.js"]) world.put(name, `first\n`);
  world.put("plant", "mkdir dist; echo planted > dist/p.js");
  await world.runQuiet("rm -rf dist");
  expect(look()).toBe("first\nfirst\na.js\nold.js\n");
  await build("mkdir dist; echo second > dist/a.js");
  expect(look()).toBe("second\na.js\n");
  const part = "rm -rf dist";
  await world.run("rm -rf dist; mkdir dist; echo third > dist/a.js", {
    ...{
      quiet: true,
      risk: "L2",
      tags: ["declared-build", "delete"],
      effects: [effect("delete", world.at("dist"), { part })],
    },
    reasons: [{ code: "path.delete", risk: "L2", text: "deletes dist", part }],
  });
  expect(look()).toBe("third\na.js\n");
  await world.runQuiet("rm -rf dist && sh ./plant");
  await build("mkdir -p dist; echo fourth > dist/a.js");
  expect(look(), "beside what an unknown command left there").toBe("third\na.js\n");
});

test("where its layer has gone meanwhile, what nobody was asked about does not run", async () => {
  open();
  world.put("a.txt", "a");
  world.loseLayers();
  await expect(world.runQuiet("rm a.txt")).rejects.toThrow("on a layer");
  expect(world.get("a.txt")).toBe("a");
});

const files = ["a.txt", "b.o", "src/a.ts", "src/b.o", "src/deep/c.o", "docs/x.md", "old/y", "old/z/w"];
const folders = ["src", "src/deep", "docs", "old", "old/z"];
/** What a file says that a command reads: nobody knows it beforehand. */
const elsewhere = [
  "../outside",
  "../outside/*",
  ".git",
  ".git/HEAD",
  ".env",
  "src",
  "link",
  "out/keep",
  "/etc/hosts",
  "a.txt",
];
const links: readonly [string, string][] = [
  ["link", "src/a.ts"],
  ["out", "../outside"],
  ["dangling", "nowhere"],
];
const removal = fc.oneof(
  fc.constantFrom(...files).map((file) => `rm ${file}`),
  fc.constantFrom(...folders).map((folder) => `rm -rf ${folder}`),
  fc.constantFrom(...folders).map((folder) => `rm -rf ${folder}/?*`),
  fc.constantFrom(...folders).map((folder) => `find ${folder} -name '*.o' -delete`),
  fc.constantFrom(...folders).map((folder) => `find ${folder} -type f -exec rm -f {} +`),
  fc.tuple(fc.constantFrom(...files), fc.constantFrom(...files)).map(([from, to]) => `mv ${from} ${to}`),
  fc.tuple(fc.constantFrom(...folders), fc.constantFrom("new", "docs")).map(([from, to]) => `mv ${from} ${to}`),
  fc.constantFrom("link", "dangling").map((name) => `rm -f ${name}`),
  fc.constantFrom(...elsewhere).map((at) => `echo '${at}' > where; rm -rf $(cat where); rm -f where`),
  fc.constantFrom(...elsewhere).map((at) => `./plant '${at}'; rm -rf made`),
);

/** Every file and link below a folder with what it holds. */
function contents(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) found.set(path.relative(folder, file), `-> ${readlinkSync(file)}`);
    else if (entry.isFile()) found.set(path.relative(folder, file), readFileSync(file, "utf8"));
  }
  return found;
}

test("property: whatever a quiet removal names or finds, what was there before stays until somebody answers", async () => {
  open();
  const outside = path.join(world.root, "outside");
  mkdirSync(outside, { recursive: true });
  writeFileSync(path.join(outside, "keep"), "k");
  // A program that nobody looked through: it puts a link in the place of what the line deletes then.
  const plant = '#!/bin/sh\nrm -rf made; ln -s "$PWD/$1" made\nmv src src.away; ln -s ../outside src\n';
  const reset = () => {
    execFileSync("git", ["-C", world.workspace, "clean", "-fdxq"]);
    for (const name of files) world.put(name, `the person's ${name}`);
    for (const [name, to] of links) symlinkSync(to, world.at(name));
    world.put(".gitignore", "/old/\n");
    world.put(".env", "A=1");
    world.put("plant", plant);
    chmodSync(world.at("plant"), 0o755);
    world.layers.forget();
  };
  let quiet = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(removal, { minLength: 1, maxLength: 3 }), async (parts) => {
      reset();
      const command = parts.join("; ");
      if (!isQuiet(world, command)) return;
      quiet += 1;
      const before = contents(world.workspace);
      const around = contents(outside);
      const { held } = await world.runQuiet(command);
      const after = contents(world.workspace);
      for (const [name, content] of before) expect(after.get(name), name).toBe(content);
      expect(contents(outside)).toEqual(around);
      for (const each of held) {
        const name = each.replace(/^(delete|write|move) /, "");
        expect(before.has(name), each).toBe(true);
        expect(name).not.toMatch(/^(\.git\/|\.env|old\/)/);
      }
    }),
    { numRuns: 25, examples: [[["mv old/y a.txt"]], [["mv old/z/w src/a.ts", "rm -rf src"]]] },
  );
  expect(quiet).toBeGreaterThan(12);
});
