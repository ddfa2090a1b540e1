// What of this machine the small repositories need, and packages of npm, installed once for all of them.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { projectRoot } from "../../../../support/program.ts";

export const works = (program: string, ...args: string[]): boolean =>
  spawnSync(program, args.length > 0 ? args : ["--version"], { timeout: 30_000, stdio: "ignore" }).status === 0;

/** Versions are fixed, so that a run today and one tomorrow are the same. */
const wanted: Readonly<Record<string, string>> = { jest: "29.7.0", mocha: "10.8.2", nyc: "17.1.0" };
const own = path.join(projectRoot, "node_modules");
const cacheOf = (names: readonly string[]): string =>
  path.join(os.tmpdir(), `fettle-runners-${os.userInfo().uid}`, names.join("+"));
const isThere = (modules: string, name: string): boolean => existsSync(path.join(modules, name, "package.json"));

/** Undefined where the packages are there: this project's own, else installed together into a folder that is kept. */
export function missingPackage(...names: string[]): string | undefined {
  if (names.every((name) => isThere(own, name))) return undefined;
  const cache = cacheOf(names);
  const there = () => names.every((name) => isThere(path.join(cache, "node_modules"), name));
  if (there()) return undefined;
  mkdirSync(cache, { recursive: true });
  writeFileSync(path.join(cache, "package.json"), '{"private":true}');
  const packages = names.map((name) => `${name}@${wanted[name] ?? "latest"}`);
  const args = ["install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts", ...packages];
  spawnSync("npm", args, { cwd: cache, timeout: 120_000, stdio: "ignore" });
  return there() ? undefined : `${names.join(" and ")} cannot be had from npm's registry`;
}

/** As an installation would leave them: the whole folder that was installed, or of this project's what they depend on. */
export function installInto(folder: string, names: readonly string[]): void {
  const target = path.join(folder, "node_modules");
  if (names.every((name) => isThere(own, name))) copyClosure(target, names);
  else cpSync(path.join(cacheOf(names), "node_modules"), target, { recursive: true, verbatimSymlinks: true });
}

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  bin?: string | Record<string, string>;
}

function copyClosure(target: string, names: readonly string[]): void {
  const done = new Set<string>();
  const wait = [...names];
  for (let name = wait.shift(); name !== undefined; name = wait.shift()) {
    if (!isThere(own, name) || done.has(name)) continue;
    done.add(name);
    cpSync(path.join(own, name), path.join(target, name), { recursive: true });
    const manifest = JSON.parse(readFileSync(path.join(own, name, "package.json"), "utf8")) as Manifest;
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, bin } = manifest;
    wait.push(...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }));
    const programs = typeof bin === "string" ? { [name.split("/").at(-1) ?? name]: bin } : (bin ?? {});
    for (const [program, file] of Object.entries(programs)) link(target, program, path.join(name, file));
  }
}

function link(target: string, program: string, file: string): void {
  mkdirSync(path.join(target, ".bin"), { recursive: true });
  spawnSync("ln", ["-sf", path.join("..", file), path.join(target, ".bin", program)]);
}
