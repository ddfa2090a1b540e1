import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolCaches } from "../../src/io/sandbox/caches.ts";
import { makeWorld, processSpec, sandboxed, sandboxWorks, type World } from "./support/world.ts";

let world: World;
let folder: string;
beforeEach(() => {
  world = makeWorld();
  folder = path.join(world.cache, "projects/one");
});
afterEach(() => world.remove());
const caches = (network = false, env = {}) => toolCaches(folder, { home: world.home, env }, network);
const put = (file: string, text = "x") => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const works = sandboxWorks();

test.skipIf(!works)("what a tool keeps is there for the next command, and for no other project", async () => {
  const go = async (command: string, place = folder) => {
    const { env, folder: writable } = toolCaches(place, { home: world.home, env: {} }, false);
    const spec = processSpec(world, command);
    return sandboxed(world, command, {
      writable: [world.temporary, writable],
      own: [world.cache],
      process: { env: { ...spec.env, ...env } },
    });
  };
  const write = 'mkdir -p "$XDG_CACHE_HOME/pip" && echo kept > "$XDG_CACHE_HOME/pip/a"; npm config get cache';
  expect((await go(write)).output).toContain(path.join(folder, "npm"));
  expect((await go('cat "$XDG_CACHE_HOME/pip/a"')).output).toBe("kept\n");
  const other = await go(`cat "$XDG_CACHE_HOME/pip/a" ${folder}/xdg/pip/a; ls ${world.cache}`, `${folder}-two`);
  expect(other.output).not.toContain("kept");
});

test("a cache that the sandbox shows is used until a command with a network has filled the project's own", () => {
  expect(caches().env["CARGO_HOME"]).toBe(path.join(folder, "cargo"));
  put(path.join(world.home, ".cargo/registry/index"));
  put(path.join(world.home, "go/pkg/mod/x"));
  expect(caches().env).not.toHaveProperty("CARGO_HOME");
  expect(caches().env).not.toHaveProperty("GOMODCACHE");
  expect(caches(true).env).toMatchObject({ CARGO_HOME: `${folder}/cargo`, GOMODCACHE: `${folder}/go-modules` });
  put(path.join(folder, "cargo/registry/index"));
  expect(caches().env["CARGO_HOME"]).toBe(path.join(folder, "cargo"));
  put(path.join(world.home, ".m2/repository/x"));
  expect(caches().env["MAVEN_ARGS"]).toContain(`-Dmaven.repo.local.tail=${world.home}/.m2/repository`);
});

test("what would tell a tool what to run does not stay, and a link in the place of a folder leads nowhere", () => {
  put(path.join(world.home, ".gradle/wrapper/dists/x"));
  caches();
  expect(readFileSync(path.join(folder, "gradle/wrapper/dists/x"), "utf8")).toBe("x");
  for (const file of ["cargo/config.toml", "gradle/init.d/evil.gradle"]) put(path.join(folder, file));
  caches();
  for (const file of ["cargo/config.toml", "gradle/init.d"]) expect(existsSync(path.join(folder, file))).toBe(false);
  const person = path.join(world.home, ".cargo");
  put(path.join(person, "credentials.toml"));
  rmSync(path.join(folder, "cargo"), { recursive: true, force: true });
  symlinkSync(person, path.join(folder, "cargo"));
  rmSync(path.join(folder, "gradle"), { recursive: true });
  symlinkSync("/nowhere", path.join(folder, "gradle"));
  caches();
  expect(existsSync(path.join(person, "credentials.toml"))).toBe(true);
  expect(existsSync(path.join(folder, "gradle/wrapper/dists/x"))).toBe(true);
});
