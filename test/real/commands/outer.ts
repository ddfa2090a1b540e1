// The outer sandbox: nothing of this machine but its programs, no network, and one throw-away folder that can be written.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";
import { readersCaches } from "../../../src/io/sandbox/caches.ts";
import { environment, hiddenWords, mark, plantWorld } from "./planted.ts";

export interface Seen {
  id: number;
  code: number | null;
  late: boolean;
  /** Canary programs that ran, each with its words. */
  started: string[];
  changed: string[];
  /** Words of files that nobody may read, seen in the output. */
  words: string[];
  output?: string;
}

export interface Outer {
  base: string;
  run(items: readonly { shell: readonly string[]; command: string }[], keepOutput?: boolean): Promise<Seen[]>;
  close(): Promise<void>;
}

export const shells: readonly (readonly string[])[] = [["bash"], ["dash"], ["busybox", "sh"]].filter(
  ([program = ""]) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0,
);

export const outerHere = spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status === 0;

/** A toolchain of Rust that a person installed for themself; the outer sandbox shows it as `/opt/rust`. */
function findRust(): string | undefined {
  const { status, stdout } = spawnSync("rustc", ["--print", "sysroot"], { encoding: "utf8" });
  const root = status === 0 ? stdout.trim() : "";
  return root !== "" && existsSync(path.join(root, "bin/cargo")) ? root : undefined;
}

let foundRust: { root: string | undefined } | undefined;
export const rustRoot = (): string | undefined => (foundRust ??= { root: findRust() }).root;

const markText = `#!/bin/sh\necho "$0 $*" >> /marks/fired\n`;

function confinement(root: string, base: string): string[] {
  const system = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc"].filter((at) => existsSync(at));
  const rust = rustRoot();
  const worker = path.join(import.meta.dirname, "../children/runner.ts");
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev"],
    ...system.flatMap((at) => ["--ro-bind", at, at]),
    ...[
      "--tmpfs",
      path.dirname(root),
      "--tmpfs",
      "/marks",
      "--ro-bind",
      process.execPath,
      "/opt/node",
      "--ro-bind",
      worker,
      "/opt/runner.ts",
    ],
    ...["--ro-bind", path.join(root, "bin"), "/opt/bin", "--ro-bind", base, "/opt/pristine"],
    ...["--bind", path.join(root, "run"), base, "--clearenv"],
    ...(rust === undefined ? [] : ["--ro-bind", rust, "/opt/rust"]),
    ...["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/rust/bin:/opt/bin"],
    ...["--setenv", "LANG", "C.UTF-8"],
    // As fettle's own sandbox sets it.
    ...Object.entries({
      ...environment,
      ...readersCaches({ risk: "L0" }, path.join(base, "tmp"), { home: base, env: {} }),
    }).flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--setenv", "HOME", path.join(base, "home"), "--setenv", "TMPDIR", path.join(base, "tmp")],
    ...["--setenv", "PAGER", "cat", "--setenv", "GIT_OPTIONAL_LOCKS", "0", "--setenv", "USER", "nobody"],
    ...["--setenv", "npm_config_cache", path.join(base, "tmp/npm"), "--setenv", "npm_config_offline", "true"],
    ...["--chdir", path.join(base, "w")],
  ];
}

/** Every answer of the process that runs the commands, in order. */
class Worker {
  private readonly child: ChildProcess;
  private readonly lines: Interface;
  private readonly waiting: ((line: string | undefined) => void)[] = [];

  constructor(words: readonly string[]) {
    const limits = 'ulimit -f 20000 -v 8000000 2>/dev/null; exec bwrap "$@"';
    this.child = spawn("sh", ["-c", limits, "sh", ...words], { stdio: ["pipe", "pipe", "inherit"] });
    if (!this.child.stdout) throw new Error("the outer sandbox has no output");
    this.lines = createInterface({ input: this.child.stdout });
    this.lines.on("line", (line) => this.waiting.shift()?.(line));
    this.lines.on("close", () => this.waiting.splice(0).forEach((resolve) => resolve(undefined)));
  }

  ask(item: object): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin?.write(`${JSON.stringify(item)}\n`);
    });
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      if (this.child.exitCode !== null) resolve();
      else this.child.once("close", () => resolve());
      this.child.stdin?.end();
    });
  }
}

function copyBase(root: string, base: string): void {
  rmSync(path.join(root, "run"), { recursive: true, force: true });
  cpSync(base, path.join(root, "run"), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

export function openOuter(limitMs = 2000): Outer {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), "fettle-real-")));
  const base = path.join(root, "base");
  plantWorld(base);
  copyBase(root, base);
  mkdirSync(path.join(root, "bin"));
  writeFileSync(path.join(root, "bin", mark), markText);
  chmodSync(path.join(root, "bin", mark), 0o755);
  const words = [
    ...confinement(root, base),
    "/opt/node",
    "/opt/runner.ts",
    base,
    "/opt/pristine",
    "/marks",
    String(limitMs),
  ];
  let worker = new Worker(words);
  const none: Seen = { id: 0, code: null, late: true, started: [], changed: [], words: [] };
  return {
    base,
    async run(items, keepOutput = false) {
      const seen: Seen[] = [];
      for (const item of items) {
        const line = await worker.ask({ ...item, id: keepOutput ? -1 : 1, words: Object.values(hiddenWords) });
        if (line === undefined) {
          await worker.end();
          copyBase(root, base);
          worker = new Worker(words);
        }
        seen.push(line === undefined ? none : (JSON.parse(line) as Seen));
      }
      return seen;
    },
    async close() {
      await worker.end();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
