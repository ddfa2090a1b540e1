// Folders of worktrees: made, looked at and removed by fettle itself, outside of any workspace.
import { accessSync, constants, existsSync, mkdirSync, realpathSync, rmSync, statSync } from "node:fs";

export const isThere = (place: string): boolean => existsSync(place);

/** An empty folder for a borrowed one to be seen at. */
export function mountPoint(place: string): void {
  mkdirSync(place, { recursive: true });
}

export function dropFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Through links; undefined when there is none. */
export function realFile(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
