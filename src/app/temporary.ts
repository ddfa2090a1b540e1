import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface TemporaryFolder {
  path: string;
  remove(): void;
}

/** The session's private temporary folder (0700), removed when the session closes. */
export function temporaryFolder(): TemporaryFolder {
  const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), "fettle-"));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
