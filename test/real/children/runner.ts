// Runs inside the outer sandbox: takes commands as JSON lines, runs each, and says what it changed, started and printed.
import { spawn } from "node:child_process";
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

const [base = "", pristine = "", marks = "", limit = "2000"] = process.argv.slice(2);
const temporaryRoot = path.dirname(path.dirname(base));
const ownTemporary = path.join(base, "tmp");
const outputLimit = 200_000;

interface Item {
  id: number;
  shell: readonly string[];
  command: string;
  words: readonly string[];
}

function walk(folder: string, found: Map<string, string>): Map<string, string> {
  for (const name of readdirSync(folder)) {
    const at = path.join(folder, name);
    const { mode, size, mtimeMs, ino } = lstatSync(at);
    const isFolder = (mode & 0o170000) === 0o040000;
    found.set(at, isFolder ? `${mode}` : `${mode} ${size} ${mtimeMs} ${ino}`);
    if (!isFolder) continue;
    if ((mode & 0o700) !== 0o700) chmodSync(at, mode | 0o700);
    walk(at, found);
  }
  return found;
}

const others = (): number[] =>
  readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What the command left running has a moment to do its work, and then ends. */
async function endOthers(): Promise<void> {
  for (let turn = 0; turn < 20 && others().length > 0; turn += 1) await pause(10);
  for (let turn = 0; turn < 50 && others().length > 0; turn += 1) {
    for (const pid of others()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch (error) {
        // Nothing of fettle is there to be imported.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
    await pause(2);
  }
}

function run({ shell, command }: Item): Promise<{ output: string; late: boolean; code: number | null }> {
  return new Promise((resolve) => {
    const [program = "bash", ...words] = shell;
    const child = spawn(program, [...words, "-c", command], {
      cwd: path.join(base, "w"),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let late = false;
    const stop = () => {
      late = true;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(stop, Number(limit));
    const take = (chunk: Buffer) => {
      if (output.length < outputLimit) output += chunk.toString("latin1");
      else stop();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", () => undefined);
    child.on("exit", (code) => {
      clearTimeout(timer);
      void endOthers().then(() => setImmediate(() => resolve({ output, late, code })));
    });
  });
}

/** Puts back every tree of the base in which something changed. */
function restore(changed: readonly string[]): void {
  const trees = new Set(
    changed.map((at) => (at.startsWith(`${base}/`) ? path.relative(base, at).split("/").slice(0, 2).join("/") : at)),
  );
  for (const tree of trees) {
    const at = path.resolve(base, tree);
    const from = path.join(pristine, tree);
    rmSync(at, { recursive: true, force: true });
    if (path.isAbsolute(tree) || !lstatSync(from, { throwIfNoEntry: false })) continue;
    mkdirSync(path.dirname(at), { recursive: true });
    cpSync(from, at, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
}

let before = walk(temporaryRoot, new Map());

async function handle(item: Item): Promise<void> {
  const { output, late, code } = await run(item);
  const after = walk(temporaryRoot, new Map());
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((at) => before.get(at) !== after.get(at));
  const started = readdirSync(marks).map((name) => readFileSync(path.join(marks, name), "utf8").trim());
  for (const name of readdirSync(marks)) rmSync(path.join(marks, name), { recursive: true, force: true });
  if (changed.length > 0) {
    restore(changed);
    before = walk(temporaryRoot, new Map());
  }
  const seen = {
    id: item.id,
    code,
    late,
    started,
    changed: changed.filter((at) => at !== ownTemporary && !at.startsWith(`${ownTemporary}/`)),
    words: item.words.filter((word) => output.includes(word)),
    ...(item.id < 0 && { output: output.slice(0, 20_000) }),
  };
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}

for await (const line of createInterface({ input: process.stdin })) await handle(JSON.parse(line) as Item);
