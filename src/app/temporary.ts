import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Fault } from "../base/fault.ts";
import { Exit } from "../protocol/exit.ts";

export interface TemporaryFolder {
  path: string;
  remove(): void;
}

/** The session's private temporary folder (0700), removed when the session closes. */
export function temporaryFolder(): TemporaryFolder {
  const folder = makeFolder(os.tmpdir());
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function makeFolder(under: string): string {
  try {
    return mkdtempSync(path.join(realpathSync(under), "fettle-"));
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Fault(
      "temporary.unwritable",
      Exit.usage,
      `No temporary folder can be made in ${under} (${why}).`,
      "Set TMPDIR to a folder that you can write to.",
    );
  }
}
