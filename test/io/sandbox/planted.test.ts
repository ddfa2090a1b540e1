import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchControlFiles } from "../../../src/io/sandbox/control-files.ts";
import { lookForPlanted, type PlantedLook } from "../../../src/io/sandbox/planted.ts";
import { makeWorld, type World } from "../support/world.ts";
import { cpuClock } from "../../support/cpu.ts";

let world: World;
let told: string[];
let look: PlantedLook;
let canary: string;
const at = (name: string) => path.join(world.workspace, name);
const git = (folder: string, ...words: string[]) =>
  execFileSync("git", words, { cwd: folder, encoding: "utf8", stdio: "pipe" });

beforeEach(() => {
  world = makeWorld();
  told = [];
  look = lookForPlanted({ workspace: world.workspace, writable: [world.temporary] }, (files) => told.push(...files));
  canary = path.join(world.root, "canary");
  git(world.workspace, "init", "-q");
});
afterEach(() => world.remove());

/** What a program would leave: git runs the monitor at the person's next status. */
function plant(folder: string, name = ".git"): void {
  fs.mkdirSync(folder, { recursive: true });
  git(world.root, "init", "-q", ...(name === "" ? ["--bare"] : []), folder);
  fs.appendFileSync(path.join(folder, name, "config"), `[core]\n\tbare = false\n\tfsmonitor = touch ${canary} #\n`);
  if (name === "") fs.appendFileSync(path.join(folder, "config"), `\tworktree = ${world.workspace}\n`);
}

const deep = "a/b/c/d/e/f/g/h/i";
test.each(["dist", "node_modules/package", "target/debug/x", deep, `.venv/lib/${deep}`])(
  "what is planted in %s runs nothing for the person",
  async (folder) => {
    const startedAt = Date.now();
    plant(at(folder));
    git(at(folder), "status");
    expect(fs.existsSync(canary)).toBe(true);
    fs.rmSync(canary);
    look.wrote(startedAt);
    await look.settled();
    expect(told).toEqual([`${folder}/.git/config`]);
    git(at(folder), "status");
    expect(fs.existsSync(canary)).toBe(false);
  },
);

test("a repository without a .git, a link and a file that lead to one are found, too", async () => {
  const startedAt = Date.now();
  plant(at("dist/bare"), "");
  plant(path.join(world.temporary, "elsewhere"));
  fs.mkdirSync(at("dist/linked"));
  fs.symlinkSync(path.join(world.temporary, "elsewhere/.git"), at("dist/linked/.git"));
  fs.mkdirSync(at("dist/named"));
  fs.writeFileSync(at("dist/named/.git"), `gitdir: ${world.temporary}/elsewhere/.git\n`);
  for (const folder of ["bare", "linked", "named"]) {
    git(at(`dist/${folder}`), "status");
    expect(fs.existsSync(canary)).toBe(true);
    fs.rmSync(canary);
  }
  look.wrote(startedAt);
  await look.settled();
  expect(told).toEqual(["dist/bare/config", "dist/linked/.git", "dist/named/.git"]);
  // Without its settings a bare repository has no files to tell of, and git says so.
  for (const folder of ["bare", "linked", "named"]) spawnSync("git", ["status"], { cwd: at(`dist/${folder}`) });
  expect(fs.existsSync(canary)).toBe(false);
});

test("repositories that were there, plain new ones, and those of others are left alone", async () => {
  plant(at("dist/mine"));
  const others = path.join(world.root, "others");
  plant(others);
  const before = fs.readFileSync(path.join(others, ".git/config"), "utf8");
  // The clock of the file system is the same, but nothing is younger than a look's slack.
  const old = new Date(Date.now() + 2100);
  while (Date.now() < old.getTime()) await new Promise((resolve) => setTimeout(resolve, 50));
  const startedAt = Date.now();
  fs.mkdirSync(at("dist/clone"));
  git(at("dist/clone"), "init", "-q");
  fs.mkdirSync(at("dist/link"));
  fs.symlinkSync(path.join(others, ".git"), at("dist/link/.git"));
  look.wrote(startedAt);
  await look.settled();
  expect(told).toEqual([]);
  expect(fs.readFileSync(path.join(others, ".git/config"), "utf8")).toBe(before);
  fs.appendFileSync(at("dist/mine/.git/hooks/pre-commit"), "evil");
  look.wrote(startedAt);
  await look.settled();
  expect(told).toEqual(["dist/mine/.git/hooks/pre-commit"]);
});

test("many short runs in a row are looked at together", async () => {
  for (let run = 0; run < 50; run++) look.wrote(Date.now());
  plant(at("dist/late"));
  look.wrote(Date.now());
  const spent = cpuClock();
  await look.settled();
  expect(spent()).toBeLessThan(1000);
  expect(told).toEqual(["dist/late/.git/config"]);
});

test("folders of git that a program swaps for links lead nowhere", () => {
  const outside = path.join(world.root, "outside");
  fs.mkdirSync(outside);
  fs.writeFileSync(path.join(outside, "pre-commit"), "mine");
  fs.writeFileSync(path.join(outside, "config"), "mine");
  fs.writeFileSync(at(".git/hooks/pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
  const watch = watchControlFiles(world.workspace);
  fs.renameSync(at(".git/hooks"), at("hooks"));
  fs.symlinkSync(outside, at(".git/hooks"));
  fs.symlinkSync(world.root, at(".git/modules"));
  plant(at("vendor/new"));
  fs.rmSync(at("vendor/new/.git/hooks"), { recursive: true });
  fs.symlinkSync(outside, at("vendor/new/.git/hooks"));
  expect(watch.restore()).toContain(".git/hooks");
  expect(fs.readdirSync(outside).sort()).toEqual(["config", "pre-commit"]);
  expect(fs.readFileSync(path.join(outside, "pre-commit"), "utf8")).toBe("mine");
  expect(fs.lstatSync(at(".git/hooks")).isDirectory()).toBe(true);
  expect(fs.readFileSync(at(".git/hooks/pre-commit"), "utf8")).toBe("#!/bin/sh\n");
});
