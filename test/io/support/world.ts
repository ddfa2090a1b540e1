// A temporary home and workspace with the real sandbox around them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { grantedEnvironment } from "../../../src/io/process/environment.ts";
import { runProcess } from "../../../src/io/process/run.ts";
import type { ProcessExit, ProcessSpec } from "../../../src/io/process/spec.ts";
import { detectSandbox, type SandboxSpec } from "../../../src/io/sandbox/sandbox.ts";

export interface World {
  root: string;
  home: string;
  workspace: string;
  temporary: string;
  cache: string;
  remove(): void;
}

export function makeWorld(): World {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "fettle-world-")));
  const place = (name: string) => {
    const folder = path.join(root, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const home = place("home");
  return {
    root,
    home,
    workspace: place("home/project"),
    temporary: place("private"),
    cache: place("cache"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The person's real PATH and home, so that real toolchains are found. */
export const personHome = os.homedir();

export const limits = { timeoutMs: 20_000, head: 20_000, tail: 20_000, spillLimit: 1_000_000 };

export function processSpec(world: World, command: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  const env = grantedEnvironment(process.env, { temporary: world.temporary, home: world.home });
  return { argv: ["/bin/bash", "-c", command], cwd: world.workspace, env, ...limits, ...more };
}

export function run(world: World, command: string, more: Partial<ProcessSpec> = {}): Promise<ProcessExit> {
  return runProcess(processSpec(world, command, more), AbortSignal.timeout(60_000));
}

export interface SandboxedOptions extends Partial<SandboxSpec> {
  home?: string;
  /** Of the person: where their programs are. */
  env?: Record<string, string>;
  process?: Partial<ProcessSpec>;
  signal?: AbortSignal;
}

export function sandboxSpec(world: World, more: Partial<SandboxSpec> = {}): SandboxSpec {
  return {
    workspace: world.workspace,
    cwd: world.workspace,
    writable: [world.temporary],
    masked: [],
    network: false,
    gitWritable: false,
    own: [],
    ...more,
  };
}

export async function sandboxed(world: World, command: string, options: SandboxedOptions = {}): Promise<ProcessExit> {
  const { home, env = process.env, process: more, signal = AbortSignal.timeout(60_000), ...spec } = options;
  const sandbox = detectSandbox({ enabled: true, cacheFolder: world.cache, home: home ?? world.home, env });
  const base = processSpec(world, command, { ...more });
  const wrapped = sandbox.wrap(base.argv, sandboxSpec(world, spec));
  const exit = await runProcess({ ...base, ...wrapped }, signal);
  wrapped.cleanup();
  return exit;
}

export function sandboxWorks(): boolean {
  const world = makeWorld();
  try {
    return detectSandbox({ enabled: true, cacheFolder: world.cache, home: world.home }).name === "bubblewrap";
  } finally {
    world.remove();
  }
}
