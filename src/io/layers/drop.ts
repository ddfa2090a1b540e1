// Removes the folder of a layer, whatever a command left in it.
import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { systemError, withFallback } from "../../base/fallback.ts";

/**
 * Never throws: what is left over is removed when the next session starts. Names that are no text and paths that are
 * longer than the system takes are beyond Node, so chmod and rm of the system take over where it fails.
 */
export function dropLayer(folder: string): void {
  withFallback(undefined, systemError, () => {
    open(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  if (!lstatSync(folder, { throwIfNoEntry: false })) return;
  const options = { stdio: "ignore", timeout: 60_000, env: { PATH: "/usr/bin:/bin" } } as const;
  spawnSync("chmod", ["-R", "u+rwx", "--", folder], options);
  spawnSync("rm", ["-rf", "--", folder], options);
}

/** overlayfs and commands leave folders that not even their owner may enter. */
function open(folder: string): void {
  const found = [folder];
  for (let next = found.pop(); next !== undefined; next = found.pop()) {
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (!stats?.isDirectory()) continue;
    if ((stats.mode & 0o700) !== 0o700) chmodSync(next, 0o700);
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (entry.isDirectory()) found.push(path.join(next, entry.name));
    }
  }
}
