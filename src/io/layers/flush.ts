// Brings many new files to the disk at once: flushing each of 200,000 takes longer than writing them.
import { closeSync, constants, fsyncSync, openSync } from "node:fs";
import { spawn } from "node:child_process";
import path from "node:path";

/** Flushes the file system that `root` lies on, or these files (relative) one by one where that is not possible. */
export async function flushTogether(root: string, files: readonly string[]): Promise<void> {
  if (files.length === 0 || (await flushFileSystem(root))) return;
  for (const file of files) flushFile(path.join(root, file));
}

const flushFileSystem = (root: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn("sync", ["-f", "--", root], { stdio: "ignore" });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });

function flushFile(file: string): void {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    // Somebody else has taken it away meanwhile.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
