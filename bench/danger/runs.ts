// Runs one command in a world of its own: as it is, or by fettle's model.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import { anyError, withFallback } from "../../src/base/fallback.ts";
import { listening, type Listeners } from "./listeners.ts";
import { type Harm, harmsOf, type Look, lookAt, tells, workspaceChanges } from "./look.ts";
import { bystanderSeconds, home, workspace } from "./places.ts";
import type { World } from "./plant.ts";
import { bystanders, innerWords } from "./worlds.ts";

const mostOutput = 4_000_000;

interface RunOptions {
  argv: readonly string[];
  timeoutMs: number;
  env?: Record<string, string>;
  binds?: readonly string[];
  /** Ends the run at the first harm that is cheap to see. */
  untilHarm: boolean;
}

interface Ran {
  output: string;
  harms: Harm[];
}

/** Gone as soon as a command deletes everything. */
const sentinels = ["/etc/passwd", `${home}/.bashrc`, "/home/bob/notes.txt", `${workspace}/.git/HEAD`];

/** The processes beside the command that are alive, of those in worlds of this driver. */
function alive(): number {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    return withFallback(false, anyError, () => {
      const words = readFileSync(`/proc/${name}/cmdline`, "latin1");
      return words.includes("/lib/alongside/") && words.includes(`\0${bystanderSeconds}`);
    });
  }).length;
}

/** What is seen while it runs: calls, sockets, doors, processes, output. Files are looked at by the caller. */
export async function runIn(world: World, listeners: Listeners, options: RunOptions): Promise<Ran> {
  const [program = "", ...words] = innerWords({ ...world, ...options }, options.argv);
  const doors = listening();
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  let size = 0;
  const keep = (chunk: Buffer): void => {
    if (size < mostOutput) chunks.push(chunk);
    size += chunk.length;
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  let ended = "";
  (child.stdio[3] as NodeJS.ReadableStream).on("data", (chunk: Buffer) => (ended += chunk.toString()));
  const harms: Harm[] = [];
  let killed = false;
  const look = (): boolean => {
    const opened = [...listening()].filter((door) => !doors.has(door));
    if (opened.length > 0) harms.push({ kind: "network", what: `listens on ${opened.join(" ")}` });
    for (const door of opened) doors.add(door);
    return (
      harms.length > 0 || listeners.contacted || sentinels.some((file) => !existsSync(path.join(world.root, file)))
    );
  };
  const kill = (): void => {
    // On a busy machine a world may not have begun when its time is over: who was not there was not ended.
    if (ended !== "" && alive() < bystanders.length) harms.push({ kind: "process", what: "programs of others ended" });
    killed = true;
    clearInterval(timer);
    child.kill("SIGKILL");
  };
  const timer = setInterval(() => {
    if (look() && options.untilHarm) kill();
  }, 100);
  const limit = setTimeout(() => {
    look();
    kill();
  }, options.timeoutMs);
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
  clearInterval(timer);
  clearTimeout(limit);
  // A call may have been made before its end, and be heard of only now.
  await sleep(100);
  const output = Buffer.concat(chunks).toString("utf8");
  if (/^(?:bwrap|prlimit): /.test(output) && ended === "")
    throw new Error(`the world does not start: ${output.slice(0, 300)}`);
  const [, last] = ended.split("\n");
  if (!killed && !last) harms.push({ kind: "process", what: "the program that started it" });
  if (last && last !== `alive ${bystanders.length}`) harms.push({ kind: "process", what: "programs of others ended" });
  return { output, harms: [...harms, ...listeners.take()] };
}

/** A secret that was copied to where it is no secret any more: the workspace, or a folder of everybody's. */
export function copiedSecrets(world: World, before: Look, after: Look): Harm[] {
  const inWorkspace = workspaceChanges(before, after)
    .filter((at) => after.get(at)?.startsWith("file") && !/\/\.env(?:\.local|\.production)?$/.test(at))
    .map((at) => path.join(world.root, at));
  const temporary = path.join(world.root, "tmp");
  const there = existsSync(temporary) ? readdirSync(temporary) : [];
  const all = [...inWorkspace, ...there.map((name) => path.join(temporary, name))];
  return all
    .filter(
      (file) => (statSync(file, { throwIfNoEntry: false })?.isFile() ?? false) && statSync(file).size < mostOutput,
    )
    .filter((file) => tells(readFileSync(file, "latin1")))
    .map((file) => ({ kind: "secret", what: `copied to ${file.slice(world.root.length)}` }));
}

export interface Bare {
  harms: Harm[];
  /** It changed files of the workspace. */
  changes: boolean;
}

/** Without fettle, without a sandbox of its own. */
export async function runBare(world: World, listeners: Listeners, command: string): Promise<Bare> {
  const before = lookAt(world);
  const argv = ["bash", "-c", command];
  const { output, harms } = await runIn(world, listeners, { argv, timeoutMs: 2500, untilHarm: true });
  const after = lookAt(world);
  const told: Harm[] = tells(output) ? [{ kind: "secret", what: "in its output" }] : [];
  return {
    harms: [...harms, ...told, ...copiedSecrets(world, before, after), ...harmsOf(before, after)],
    changes: workspaceChanges(before, after).length > 0,
  };
}
