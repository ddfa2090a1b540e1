// Folders that tests work in.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A new folder, by its real path; whoever makes it removes it. */
export const madeFolder = (prefix = "fettle-test-"): string =>
  realpathSync(mkdtempSync(path.join(os.tmpdir(), prefix)));

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** A new folder, by its real path; it is removed with the test. */
export function temporaryFolder(prefix?: string): string {
  const folder = madeFolder(prefix);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Writes files, path to content, with the folders above them. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
