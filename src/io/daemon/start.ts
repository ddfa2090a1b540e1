// Starts the daemon as a process that outlives this one.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Beside the built program it is one file (scripts/build.mjs). */
const built = new URL("daemon.js", import.meta.url);
const ownProgram = (): string => fileURLToPath(existsSync(built) ? built : new URL("main.ts", import.meta.url));

/** What runs it. Its heap is kept small, as it holds names of folders only. */
export const daemonCommand = (state: string): string[] => [
  ...[
    process.execPath,
    "--max-semi-space-size=1",
    "--max-old-space-size=64",
    ownProgram(),
    state,
    path.resolve(process.argv[1] ?? ""),
  ],
];

export function startDaemon(command: readonly string[], cwd: string): void {
  const [program = "", ...words] = command;
  const child = spawn(program, words, { cwd, detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
}
