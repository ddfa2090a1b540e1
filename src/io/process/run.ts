// One spawn per command, no login shell; the whole process tree is gone when the promise settles.
import type { ChildProcess } from "node:child_process";
import { Server } from "node:net";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Group } from "./cgroup.ts";
import { Output } from "./output.ts";
import type { Hurry, ProcessExit, ProcessSpec } from "./spec.ts";
import { anticipateNext, takeReady } from "./standby.ts";
import { start, type Started, startProblem } from "./start.ts";
import { kill, killGroup, killRest, rememberTree, terminate, type Tree } from "./tree.ts";
import { watchRun } from "./watch.ts";

/** From the request to end to the end by force, unless the abort's reason says otherwise: somebody waits. */
const patienceMs = 2000;

function patienceOf(signal: AbortSignal): number {
  const reason = signal.reason as Partial<Hurry> | undefined;
  return signal.aborted && typeof reason?.patienceMs === "number" ? reason.patienceMs : patienceMs;
}
/** How long output may still come after the first process ended. */
const graceMs = 100;

export type Ended = Pick<ProcessExit, "code" | "signal" | "ended" | "exceeded" | "ms" | "layer"> & { problem?: string };

/** Never rejects for what the child does. `sink` gets the raw output. */
export async function launch(spec: ProcessSpec, signal: AbortSignal, sink: (chunk: Buffer) => void): Promise<Ended> {
  const started = performance.now();
  const ended = (rest: Omit<Ended, "ms">): Ended => ({ ...rest, ms: Math.round(performance.now() - started) });
  const stopped = (): Ended => ended({ code: null, signal: null, ended: "stopped" });
  if (signal.aborted) return stopped();
  const unstartable = (error: unknown): Ended =>
    ended({ code: null, signal: null, ended: "unstartable", problem: startProblem(error, spec) });
  let begun: Started | undefined;
  try {
    begun = (await takeReady(spec, signal)) ?? (await start(spec, signal));
  } catch (error) {
    return unstartable(error);
  }
  if (!begun) return stopped();
  const { child, output, lease, group, layer } = begun;
  const over = anticipateNext(spec);
  return new Promise<Ended>((resolve) => {
    child.once("error", (error) => {
      output.destroy();
      layer?.close();
      void group?.remove();
      resolve(unstartable(error));
    });
    if (child.pid === undefined) return;
    const tree = rememberTree(child.pid, lease, spec.contained);
    const reins = rein(spec, tree, group, signal);
    if (spec.onDoor) receiveDoors(child, spec.onDoor);
    output.on("data", sink);
    if (spec.converse && child.stdin && child.stderr) spec.converse({ input: child.stdin, errors: child.stderr });
    else child.stdin?.end(spec.stdin);
    child.once("exit", (code, deadly) => {
      const why = reins.letGo();
      void settle(output, tree, spec.contained ?? false).then(async () => {
        if (group && !spec.contained) group.kill();
        const starved = group && group.outOfMemory() > 0 ? { exceeded: "memory" as const } : {};
        await group?.remove();
        resolve(ended({ code, signal: deadly, ...starved, ...why, ...(layer && { layer }) }));
      });
    });
  }).finally(over);
}

/** The channel is closed before the command starts: nothing but the program that opens the doors has spoken on it. */
function receiveDoors(child: ChildProcess, onDoor: NonNullable<ProcessSpec["onDoor"]>): void {
  child.on("message", (message, handle) => {
    if (typeof message === "number" && handle instanceof Server) onDoor(message, handle);
    else if (child.connected) child.disconnect();
  });
}

/** Ends the run when its time is over, it is stopped, or it uses too much; `letGo` says which of these it was. */
function rein(spec: ProcessSpec, tree: Tree, group: Group | undefined, signal: AbortSignal) {
  let why: Pick<ProcessExit, "ended" | "exceeded"> = { ended: "exited" };
  let force: NodeJS.Timeout | undefined;
  const stop = (ended: "timeout" | "stopped") => {
    if (force) return;
    why = { ended };
    terminate(tree, spec.contained);
    force = setTimeout(() => kill(tree), patienceOf(signal));
  };
  const limit = setTimeout(() => stop("timeout"), spec.timeoutMs);
  const stopped = () => stop("stopped");
  signal.addEventListener("abort", stopped, { once: true });
  // It may have come while the run was begun.
  if (signal.aborted) stopped();
  const unwatch =
    spec.limits &&
    watchRun(tree, spec.cwd, spec.limits, (exceeded) => {
      why = { ended: "exceeded", exceeded };
      group?.kill();
      kill(tree);
    });
  return {
    letGo() {
      clearTimeout(limit);
      clearTimeout(force);
      unwatch?.();
      signal.removeEventListener("abort", stopped);
      return why;
    },
  };
}

/** Waits shortly for the last output, ends what is left of the tree, lets go of the pipe. */
async function settle(output: Readable, tree: Tree, contained: boolean): Promise<void> {
  // The child's own "close" would wait for a channel that was closed from this side, and never come.
  const closed = new Promise<void>((resolve) => {
    if (output.closed) resolve();
    else output.once("close", () => resolve());
  });
  await within(closed, graceMs);
  if (!contained) {
    killGroup(tree);
    killRest(tree);
  }
  await within(closed, graceMs);
  output.destroy();
}

function within(done: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void done.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const windowMs = 50;
const windowBytes = 64 * 1024;

/** Output while it comes, whole characters only; a flood is thinned out so that no queue can grow. */
function liveText(show: (text: string) => void): { push(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder("utf8");
  let since = 0;
  let shown = 0;
  return {
    push(chunk) {
      const now = performance.now();
      if (now - since > windowMs) {
        since = now;
        shown = 0;
      }
      const text = decoder.write(chunk);
      shown += chunk.length;
      if (text && shown <= windowBytes) show(text);
    },
    end() {
      const rest = decoder.end();
      if (rest) show(rest);
    },
  };
}

/** Never rejects for what the child does; kills the whole tree, double-forked children too. */
export async function runProcess(spec: ProcessSpec, signal: AbortSignal): Promise<ProcessExit> {
  const output = new Output(spec);
  const live = spec.onOutput ? liveText(spec.onOutput) : undefined;
  const { problem, ...exit } = await launch(spec, signal, (chunk) => {
    output.push(chunk);
    live?.push(chunk);
  });
  live?.end();
  const kept = output.finish();
  const limit = exit.ended === "timeout" ? { limitMs: spec.timeoutMs } : {};
  return { ...exit, ...kept, ...limit, output: problem ?? kept.output };
}
