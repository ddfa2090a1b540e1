// Begins one command, without a login shell: by the small shell where a sandbox contains it, else by fettle itself.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { Server, Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Group } from "./cgroup.ts";
import { coverLeaks } from "./leaks.ts";
import { limitingWords } from "./limits.ts";
import { closePipe, type Pipe } from "./pipes.ts";
import type { ProcessSpec } from "./spec.ts";
import { startSmall } from "./starter.ts";
import { leaseVariable } from "./tree.ts";

/**
 * stderr joins stdout in one pipe, so their order is the true one; that costs a small shell. Without a PID namespace
 * the shell stays as the parent, so that a command that kills its parent does not kill fettle; it says nothing of its
 * own, and ends by the deadly signal that the command ended by.
 */
const parent = '(exec "$@" 2>&1); c=$?; case $c in 13[2-7]|139|14[13]|159) kill -$((c - 128)) $$;; esac; exit $c';
const joined = (contained: boolean) => (contained ? 'exec "$@" 2>&1' : parent);

export interface Ending {
  code: number | null;
  signal: string | null;
}

export interface Started {
  pid: number;
  output: Readable;
  ended: Promise<Ending>;
}

export interface Surroundings {
  lease: string;
  group: Group | undefined;
  pipe: Pipe | undefined;
}

/** The pipe is closed, or the output's, whatever happens. */
export async function start(spec: ProcessSpec, around: Surroundings): Promise<Started | { problem: string }> {
  const { pipe } = around;
  try {
    const small = await startedSmall(spec, around);
    const started = small ?? (await startedHere(spec, around));
    if (pipe) closeSync(pipe.write);
    return started;
  } catch (error) {
    if (pipe) closePipe(pipe);
    return { problem: startProblem(error, spec) };
  }
}

function outputOf(pipe: Pipe): Readable {
  const output = new Socket({ fd: pipe.read, readable: true, writable: false });
  output.on("error", () => output.destroy());
  return output;
}

/** Only what a PID namespace contains: it needs no group of its own, and ends with the process that began it. */
async function startedSmall(spec: ProcessSpec, { lease, group, pipe }: Surroundings): Promise<Started | undefined> {
  if (!pipe || !spec.contained || spec.onDoor || spec.stdin !== undefined) return undefined;
  const begun = await startSmall({
    ...{ argv: spec.argv, cwd: spec.cwd, env: { ...spec.env, [leaseVariable]: lease } },
    limits: limitingWords(spec.limits, group?.folders ?? []),
    inherit: spec.inherit ?? [],
    output: pipe.write,
  });
  if (!begun) return undefined;
  return { pid: begun.pid, output: outputOf(pipe), ended: begun.ended.then((code) => ({ code, signal: null })) };
}

async function startedHere(spec: ProcessSpec, around: Surroundings): Promise<Started> {
  const child = spawned(spec, around);
  const { pid } = child;
  if (pid === undefined) throw await new Promise<Error>((resolve) => child.once("error", resolve));
  const ended = new Promise<Ending>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  child.on("error", () => child.kill("SIGKILL"));
  if (spec.onDoor) receiveDoors(child, spec.onDoor);
  child.stdin?.on("error", () => child.stdin?.destroy());
  child.stdin?.end(spec.stdin);
  const output = around.pipe ? outputOf(around.pipe) : child.stdout?.on("error", () => child.stdout?.destroy());
  if (!output) throw new Error("a command was started without output");
  return { pid, output, ended };
}

function spawned(spec: ProcessSpec, { lease, group, pipe }: Surroundings): ChildProcess {
  const opened: number[] = [];
  try {
    for (const file of spec.inherit ?? []) opened.push(openSync(file, "r"));
    const script = limitingWords(spec.limits, group?.folders ?? []) + joined(spec.contained ?? false);
    return spawn("/bin/sh", ["-c", script, "sh", ...spec.argv], {
      cwd: spec.cwd,
      env: { ...spec.env, [leaseVariable]: lease },
      detached: true,
      stdio: coverLeaks([
        ...[spec.stdin === undefined ? ("ignore" as const) : ("pipe" as const)],
        ...[pipe?.write ?? ("pipe" as const), "ignore" as const],
        ...[...opened, ...(spec.onDoor ? ["ipc" as const] : [])],
      ]),
    });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** The channel is closed before the command starts: nothing but the program that opens the doors has spoken on it. */
function receiveDoors(child: ChildProcess, onDoor: NonNullable<ProcessSpec["onDoor"]>): void {
  child.on("message", (message, handle) => {
    if (typeof message === "number" && handle instanceof Server) onDoor(message, handle);
    else if (child.connected) child.disconnect();
  });
}

function startProblem(error: unknown, spec: ProcessSpec): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "E2BIG") return "The command is too long for the system; put it into a script file.";
  if (code === "ENOENT" && !existsSync(spec.cwd)) return `The folder ${spec.cwd} does not exist.`;
  if (code === "EAGAIN" || code === "ENOMEM") return "The system has no room for another process.";
  return `The command could not be started: ${(error as Error).message}.`;
}
