// A sandbox that stands ready: made while the command before it runs, so that the next one need not wait for it. It
// holds nothing but a shell that waits for a command's text, serves one command, and only one whose sandbox would be
// made with the very same words, environment and mounts now (docs/decisions/0006-sandbox-ahead.md).
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { hasMounts, mountList, type WantedMounts, wantedMounts } from "./mounted.ts";
import { start, type Started } from "./start.ts";
import type { ProcessSpec } from "./spec.ts";
import { killRest, rememberTree, type Tree } from "./tree.ts";

/** One for what changes nothing and one for what may write. */
const most = 2;
/** Mounts are held as long as it waits, and a person may want to take a disk away. */
const staleMs = 20_000;
/** Its text comes through a shell's `read`, byte by byte; a longer one is quicker with a sandbox of its own. */
const longestText = 4096;
/** Its mounts are there by then, or it is not what it should be. */
const makingMs = 50;

interface Ready {
  /** What the sandbox was made from. */
  key: string;
  /** The machine's mounts before it was made. */
  machine: string;
  wanted: WantedMounts;
  madeAt: number;
  started: Started;
  tree: Tree | undefined;
  stale: NodeJS.Timeout;
}

let ready: Ready[] = [];
/** Runs that could use one. */
let running = 0;

/** Gets the number of lines, then the lines; without them there is nothing to do. */
const waiter = `IFS= read -r n && IFS= read -r c || exit 0
while [ "$n" -gt 1 ]; do IFS= read -r l || exit 0; c="$c
$l"; n=$((n - 1)); done
exec "$1" -c "$c" </dev/null`;

const message = (text: string): string => `${text.split("\n").length}\n${text}\n`;

interface Parts {
  before: readonly string[];
  shell: string;
  text: string;
}

function partsOf({ argv, repeats, contained, stdin }: ProcessSpec): Parts | undefined {
  if (!repeats || !contained || stdin !== undefined) return undefined;
  const [shell = "", flag, text = ""] = argv.slice(-3);
  const fits = flag === "-c" && text.length <= longestText && !text.includes("\0") && text.isWellFormed();
  return fits ? { before: argv.slice(0, -3), shell, text } : undefined;
}

function keyOf({ inherit, cwd, env, limits, layer }: ProcessSpec, { before, shell }: Parts): string {
  return JSON.stringify([before, shell, inherit, cwd, Object.entries(env), limits, layer?.source.key]);
}

/** Whether this process stays for it. */
function hold({ child, output }: Started, held: boolean): void {
  const sockets = [output, child.stdin].filter((each) => each instanceof Socket);
  for (const each of [child, ...sockets]) {
    if (held) each.ref();
    else each.unref();
  }
}

function isWaiting({ started: { child } }: Ready): boolean {
  return child.exitCode === null && child.signalCode === null && child.stdin?.writable === true;
}

function drop(dropped: Ready): void {
  ready = ready.filter((each) => each !== dropped);
  clearTimeout(dropped.stale);
  const { child, output, group } = dropped.started;
  child.kill("SIGKILL");
  // What is inside ends with the first process, but for the first moments of it: it would wait for its parent for good.
  if (dropped.tree) killRest(dropped.tree);
  child.stdin?.destroy();
  output.destroy();
  void group?.remove();
  closeLayer(dropped.started);
}

/** Its folder is mounted until the first process is gone. */
function closeLayer({ child, layer }: Started): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) layer?.close();
  else child.once("exit", () => layer?.close());
}

/**
 * Whether its mounts are what they would be now. What somebody renamed while they were made lies elsewhere, and what was
 * removed or replaced since has taken its mount along.
 */
async function isSound(found: Ready, signal: AbortSignal): Promise<boolean> {
  const { started, machine, wanted, madeAt } = found;
  while (isWaiting(found) && !signal.aborted && mountList() === machine) {
    if (hasMounts(started.child.pid ?? 0, wanted)) return true;
    if (performance.now() - madeAt > makingMs) break;
    await sleep(1);
  }
  return false;
}

/** What the run begins with, its command on the way; undefined when nothing that fits stands ready. */
export async function takeReady(spec: ProcessSpec, signal: AbortSignal): Promise<Started | undefined> {
  const parts = partsOf(spec);
  if (!parts || ready.length === 0) return undefined;
  const key = keyOf(spec, parts);
  const found = ready.find((each) => each.key === key);
  if (!found) return undefined;
  ready = ready.filter((each) => each !== found);
  clearTimeout(found.stale);
  if (!(await isSound(found, signal))) {
    drop(found);
    return undefined;
  }
  for (const name of ["error", "exit"]) found.started.child.removeAllListeners(name);
  hold(found.started, true);
  found.started.child.stdin?.end(message(parts.text));
  return found.started;
}

/** To be called when a run has begun: makes one for the next like it, unless others run beside it. Returns what ends the run. */
export function anticipateNext(spec: ProcessSpec): () => void {
  if (!partsOf(spec)) return () => undefined;
  running++;
  setImmediate(() => {
    if (running === 1) void makeReady(spec);
  });
  return () => void running--;
}

async function makeReady(spec: ProcessSpec): Promise<void> {
  const parts = partsOf(spec);
  if (!parts) return;
  const key = keyOf(spec, parts);
  if (ready.some((each) => each.key === key)) return;
  const { repeats: _, ...alike } = spec;
  const argv = [...parts.before, "/bin/sh", "-c", waiter, "sh", parts.shell];
  const machine = mountList();
  if (machine === "") return;
  let started: Started | undefined;
  try {
    started = await start({ ...alike, argv, stdin: "" }, new AbortController().signal);
  } catch {
    // No room for another process, or the folder is gone: the next command will say so itself.
    return;
  }
  if (!started) return;
  hold(started, false);
  const stale = setTimeout(() => drop(made), staleMs).unref();
  const layered = spec.layer?.source.merged;
  const wanted = wantedMounts(parts.before, machine, { inherit: spec.inherit, layered });
  const { child, lease } = started;
  const tree = child.pid === undefined ? undefined : rememberTree(child.pid, lease);
  const made: Ready = { key, machine, wanted, madeAt: performance.now(), started, tree, stale };
  child.once("error", () => drop(made));
  child.once("exit", () => drop(made));
  ready.push(made);
  if (ready.length > most && ready[0]) drop(ready[0]);
}
