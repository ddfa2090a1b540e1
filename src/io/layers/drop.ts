import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

/** overlayfs leaves folders that not even their owner may enter. */
export function dropLayer(folder: string): void {
  const open = [folder];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (!stats?.isDirectory()) continue;
    if ((stats.mode & 0o700) !== 0o700) chmodSync(next, 0o700);
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (entry.isDirectory()) open.push(path.join(next, entry.name));
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
