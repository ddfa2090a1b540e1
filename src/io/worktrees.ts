// Folders of worktrees: made, looked at and removed by fettle itself, outside of any workspace.
import { existsSync, mkdirSync, rmSync } from "node:fs";

export const isThere = (place: string): boolean => existsSync(place);

/** An empty folder for a borrowed one to be seen at. */
export function mountPoint(place: string): void {
  mkdirSync(place, { recursive: true });
}

export function dropFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
