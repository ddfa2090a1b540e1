// Pipes for output. What Node makes for a child is a socket, which no program can open by name: `echo x >/dev/stderr`,
// usual in scripts, would fail. A named pipe, opened at both ends and removed, is a plain one.
import { spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Descriptors; whoever takes them closes them. */
export interface Pipe {
  read: number;
  write: number;
}

/** Making them takes a process, which makes this many. */
const batch = 16;
const programs = { PATH: "/usr/bin:/bin:/run/current-system/sw/bin" };

let ready: Pipe[] = [];
let making: Promise<void> | undefined;
let impossible = process.platform !== "linux";

/** Undefined where there are none to be had; a socket has to do then. */
export async function takePipe(): Promise<Pipe | undefined> {
  while (ready.length === 0 && !impossible) {
    making ??= fill();
    await making;
  }
  return ready.pop();
}

/** Makes some beside whatever else is done before the first command. */
export function anticipatePipes(): void {
  if (ready.length > 0 || impossible) return;
  making ??= fill();
  // Whoever takes one tries again, and is told.
  making.catch(() => undefined);
}

async function fill(): Promise<void> {
  try {
    ready = await makePipes();
    impossible = ready.length === 0;
  } finally {
    making = undefined;
  }
}

export function closePipe({ read, write }: Pipe): void {
  closeSync(read);
  closeSync(write);
}

async function makePipes(): Promise<Pipe[]> {
  const made: Pipe[] = [];
  let folder: string | undefined;
  try {
    folder = mkdtempSync(path.join(os.tmpdir(), "fettle-pipes-"));
    const names = Array.from({ length: batch }, (_, index) => path.join(folder ?? "", String(index)));
    await make(names);
    for (const name of names) made.push(opened(name));
  } catch (error) {
    // No such program, no room, no more descriptors: what could be opened is used.
    if (!(error instanceof Error && "code" in error)) throw error;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
  return made;
}

/** Settles when the program has ended; whether it did its work shows when its pipes are opened. */
function make(names: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("mkfifo", ["-m", "600", "--", ...names], { env: programs, stdio: "ignore" });
    child.once("error", reject);
    child.once("close", () => resolve());
  });
}

/** Without waiting for the other end; only the end that is read goes on not waiting. */
function opened(name: string): Pipe {
  const read = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { read, write: openSync(name, constants.O_WRONLY) };
  } catch (error) {
    closeSync(read);
    throw error;
  }
}
