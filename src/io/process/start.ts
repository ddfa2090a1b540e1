// The first process of a run: a small shell that becomes the command, its output in one pipe, its tree marked.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { RunLayer } from "../layers/spec.ts";
import { type Group, openGroup } from "./cgroup.ts";
import { coverLeaks } from "./leaks.ts";
import { limitingWords } from "./limits.ts";
import { closePipe, type Pipe, takePipe } from "./pipes.ts";
import { ownMark } from "./runs.ts";
import type { ProcessSpec } from "./spec.ts";
import { leaseVariable } from "./tree.ts";
import { openPassedText, type PassedText } from "../files/passed-text.ts";
import { openUnlinked, type Unlinked } from "../files/unlinked.ts";

export interface Started {
  child: ChildProcess;
  output: Readable;
  /** Marks every process of the run (tree.ts). */
  lease: string;
  group: Group | undefined;
  layer: RunLayer | undefined;
}

/**
 * stderr joins stdout in one pipe, so their order is the true one; that costs a small shell. Without a PID namespace
 * the shell stays as the parent, so that a command that kills its parent does not kill fettle; it says nothing of its
 * own, and ends by the deadly signal that the command ended by.
 */
const parent = '(exec "$@" 2>&1); c=$?; case $c in 13[2-7]|139|14[13]|159) kill -$((c - 128)) $$;; esac; exit $c';
const joined = (contained: boolean) => (contained ? 'exec "$@" 2>&1' : parent);
const apart = (contained: boolean) => joined(contained).replace(" 2>&1", "");

interface SpawnOptions extends Pick<Started, "lease" | "group" | "layer"> {
  pipe: Pipe | undefined;
}

function words({ argv, layer: wanted }: ProcessSpec, layer: RunLayer | undefined): string[] {
  const at = wanted?.at ?? 0;
  return [...argv.slice(0, at), ...(layer?.words ?? []), ...argv.slice(at)];
}

function openInherited(each: string | Unlinked | PassedText): number {
  if (typeof each === "string") return openSync(each, "r");
  return "text" in each ? openPassedText(each.text) : openUnlinked(each.unlinked);
}

function spawned(spec: ProcessSpec, { lease, group, pipe, layer }: SpawnOptions): ChildProcess {
  const opened: number[] = [];
  try {
    for (const each of spec.inherit ?? []) opened.push(openInherited(each));
    const become = spec.converse ? apart : joined;
    const script = limitingWords(spec.limits, group?.folders ?? []) + become(spec.contained ?? false);
    return spawn("/bin/sh", ["-c", script, "sh", ...words(spec, layer)], {
      cwd: spec.cwd,
      env: { ...spec.env, [leaseVariable]: lease },
      detached: true,
      stdio: coverLeaks([
        ...[spec.stdin === undefined && !spec.converse ? ("ignore" as const) : ("pipe" as const)],
        ...[pipe?.write ?? ("pipe" as const), spec.converse ? ("pipe" as const) : ("ignore" as const)],
        // A shell closes the channel before the command begins, and names descriptors by one digit.
        ...[...opened.slice(0, 1), ...(spec.onDoor ? ["ipc" as const] : []), ...opened.slice(1)],
      ]),
    });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/**
 * What is written to `child.stdin` is the caller's to say. Undefined when it was stopped before it began. Throws what
 * Node throws; an `error` of the child may come later (`startProblem` puts both into words).
 */
export async function start(spec: ProcessSpec, signal: AbortSignal): Promise<Started | undefined> {
  const pipe = await takePipe();
  if (signal.aborted) {
    if (pipe) closePipe(pipe);
    return undefined;
  }
  const lease = `${ownMark}.${randomBytes(9).toString("base64url")}`;
  const group = spec.limits && openGroup(spec.limits);
  let layer: RunLayer | undefined;
  let child: ChildProcess;
  try {
    layer = spec.layer?.source.open();
    child = spawned(spec, { lease, group, pipe, layer });
  } catch (error) {
    if (pipe) closePipe(pipe);
    void group?.remove();
    layer?.close();
    throw error;
  }
  if (pipe) closeSync(pipe.write);
  const output = pipe ? new Socket({ fd: pipe.read, readable: true, writable: false }) : child.stdout;
  if (!output) throw new Error("a command was started without output");
  output.on("error", () => output.destroy());
  child.stdin?.on("error", () => child.stdin?.destroy());
  return { child, output, lease, group, layer };
}

export function startProblem(error: unknown, spec: ProcessSpec): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "E2BIG") return "The command is too long for the system; put it into a script file.";
  if (code === "ENOENT" && !existsSync(spec.cwd)) return `The folder ${spec.cwd} does not exist.`;
  if (code === "EAGAIN" || code === "ENOMEM") return "The system has no room for another process.";
  return `The command could not be started: ${(error as Error).message}.`;
}
