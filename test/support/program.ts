// The real program as a child process, in a home of its own.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const program = path.join(projectRoot, "bin", "fettle");

export interface Home {
  folder: string;
  /** An empty folder below it to work in: the home folder itself is no workspace. */
  project: string;
  env: Record<string, string>;
  remove(): void;
}

/** An empty home with its XDG folders; nothing of the machine's environment but what a program needs to run. */
export function makeHome(): Home {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-home-"));
  const under = (name: string) => {
    mkdirSync(path.join(folder, name), { recursive: true });
    return path.join(folder, name);
  };
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: folder,
    TMPDIR: under("tmp"),
    XDG_CONFIG_HOME: under(".config"),
    XDG_STATE_HOME: under(".local/state"),
    XDG_CACHE_HOME: under(".cache"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    // Compiled code outlives the home: a thousand first starts would compile the same program.
    NODE_COMPILE_CACHE: path.join(projectRoot, "node_modules", ".cache", "fettle-code"),
  };
  return {
    folder,
    project: under("project"),
    env,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function newest(entry: string): number {
  const found = statSync(entry, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(entry).map((name) => newest(path.join(entry, name))));
}

function isStale(): boolean {
  const built = statSync(path.join(projectRoot, "dist", "cli.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return ["src", "assets", "package.json", "scripts/build.mjs"].some(
    (name) => newest(path.join(projectRoot, name)) > built,
  );
}

const lockPatienceMs = 60_000;

/** Workers of one test run build once: the first takes the lock, the others wait for its end. */
async function withLock(work: () => Promise<void>): Promise<void> {
  const lock = path.join(os.tmpdir(), `fettle-build-${Buffer.from(projectRoot).toString("hex").slice(-24)}.lock`);
  const until = Date.now() + lockPatienceMs;
  for (;;) {
    try {
      const descriptor = openSync(lock, "wx");
      writeFileSync(descriptor, String(process.pid));
      closeSync(descriptor);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - since > lockPatienceMs || Date.now() > until) rmSync(lock, { force: true });
      await sleep(50);
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

let built: Promise<void> | undefined;

/** Resolves when dist/ is at least as new as the sources. */
export function buildOnce(): Promise<void> {
  built ??= withLock(async () => {
    if (!isStale()) return;
    const script = path.join(projectRoot, "scripts", "build.mjs");
    await promisify(execFile)(process.execPath, [script], { cwd: projectRoot });
  });
  return built;
}

export interface StartOptions {
  cwd?: string;
  /** Added to the home's environment. */
  env?: Record<string, string>;
  home?: Home;
}

export interface Exited {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  write(text: string): void;
  endInput(): void;
  signal(name: NodeJS.Signals): void;
  /** Resolves when both streams are closed. */
  exited: Promise<Exited>;
  /** Resolves once either stream shows the text; rejects when the program ends or the time is over without it. */
  shows(text: string | RegExp, timeoutMs?: number): Promise<void>;
}

/** A child that runs on; whoever starts it ends it. A home of its own is removed at its end. */
export async function startFettle(args: readonly string[], options: StartOptions = {}): Promise<Started> {
  await buildOnce();
  const home = options.home ?? makeHome();
  const child = spawn(program, args, {
    cwd: options.cwd ?? home.project,
    env: { ...home.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
  // A program that ends early closes its input: what was still to be written is of no interest.
  child.stdin.on("error", () => child.stdin.destroy());
  const exited = new Promise<Exited>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (!options.home) home.remove();
      resolve({ code, signal, stdout: out, stderr: err });
    });
  });
  const shown = (text: string | RegExp) =>
    typeof text === "string" ? (out + err).includes(text) : text.test(out + err);
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    write: (text) => child.stdin.write(text),
    endInput: () => child.stdin.end(),
    signal: (name) => child.kill(name),
    exited,
    async shows(text, timeoutMs = 15_000) {
      const until = Date.now() + timeoutMs;
      while (!shown(text)) {
        const ended = child.exitCode !== null || child.signalCode !== null;
        if (ended || Date.now() > until)
          throw new Error(
            `${ended ? "ended" : "timed out"} without showing ${String(text)}\n--- stdout\n${out}\n--- stderr\n${err}`,
          );
        await sleep(10);
      }
    },
  };
}

export interface RunOptions extends StartOptions {
  /** Empty by default: the input ends at once. */
  stdin?: string | Uint8Array;
  timeoutMs?: number;
}

/** Runs to the end. Rejects when that takes longer than `timeoutMs`. */
export async function runFettle(args: readonly string[], options: RunOptions = {}): Promise<Exited> {
  const started = await startFettle(args, options);
  started.child.stdin?.end(options.stdin ?? "");
  const timeoutMs = options.timeoutMs ?? 120_000;
  const timer = setTimeout(() => {
    started.child.kill("SIGKILL");
    // What it has started may hold its output open: nobody waits for that.
    started.child.stdout?.destroy();
    started.child.stderr?.destroy();
  }, timeoutMs);
  const exited = await started.exited;
  clearTimeout(timer);
  if (exited.signal === "SIGKILL")
    throw new Error(`fettle ${args.join(" ")} took longer than ${timeoutMs} ms\n${exited.stdout}\n${exited.stderr}`);
  return exited;
}
