import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toolCaches } from "../../../src/io/sandbox/caches.ts";
import { makeWorld, processSpec, sandboxed, sandboxWorks, type World } from "../support/world.ts";

let world: World;
let folder: string;
beforeEach(() => {
  world = makeWorld();
  folder = path.join(world.cache, "projects/one");
});
afterEach(() => world.remove());
const both = (shared = folder) => ({ shared, private: path.join(world.temporary, ".caches") });
const caches = (network = false, env = {}) => toolCaches(both(), { home: world.home, env }, network);
const put = (file: string, text = "x") => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const works = sandboxWorks();

test.skipIf(!works)(
  "what runs unasked keeps its own, sees what was fetched, and writes what no install reads",
  async () => {
    const go = async (command: string, network = false) => {
      const { env, folder: writable, shared } = caches(network);
      const spec = processSpec(world, command);
      return sandboxed(world, command, {
        writable: [world.temporary, writable],
        readable: shared === undefined ? [] : [shared],
        own: [world.cache],
        process: { env: { ...spec.env, ...env } },
      });
    };
    const keep = 'mkdir -p "$XDG_CACHE_HOME/pip" "$CARGO_HOME/registry" && echo kept > "$XDG_CACHE_HOME/pip/a"';
    expect((await go(`${keep}; echo fetched > "$CARGO_HOME/registry/a"`, true)).code).toBe(0);
    const poison = `for f in $(find ${folder} -type f) ${folder}/npm/a ${folder}/xdg/b; do echo CANARY >> $f; done; mv ${folder}/cargo ${folder}/c`;
    const { output } = await go(
      `cat "$CARGO_HOME/registry/a"; ${poison}; ${keep}; echo CANARY > "$XDG_CACHE_HOME/pip/a"`,
    );
    expect(output).toContain("fetched");
    expect((await go('cat "$XDG_CACHE_HOME/pip/a"')).output).toBe("CANARY\n");
    const { output: seen } = await go(
      'cat "$XDG_CACHE_HOME/pip/a" "$CARGO_HOME/registry/a"; npm config get cache',
      true,
    );
    expect(seen).toContain("kept\nfetched\n");
    expect(seen).toContain(path.join(folder, "npm"));
    expect(seen).not.toContain("CANARY");
  },
);

test("a cache that the sandbox shows is used until a command with a network has filled the project's own", () => {
  expect(caches().env["CARGO_HOME"]).toBe(path.join(world.temporary, ".caches/cargo"));
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
  caches(true);
  expect(readFileSync(path.join(folder, "gradle/wrapper/dists/x"), "utf8")).toBe("x");
  for (const file of ["cargo/config.toml", "gradle/init.d/evil.gradle"]) put(path.join(folder, file));
  caches(true);
  for (const file of ["cargo/config.toml", "gradle/init.d"]) expect(existsSync(path.join(folder, file))).toBe(false);
  const person = path.join(world.home, ".cargo");
  put(path.join(person, "credentials.toml"));
  rmSync(path.join(folder, "cargo"), { recursive: true, force: true });
  symlinkSync(person, path.join(folder, "cargo"));
  rmSync(path.join(folder, "gradle"), { recursive: true });
  symlinkSync("/nowhere", path.join(folder, "gradle"));
  caches(true);
  expect(existsSync(path.join(person, "credentials.toml"))).toBe(true);
  expect(existsSync(path.join(folder, "gradle/wrapper/dists/x"))).toBe(true);
});
