import { mkdirSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { dropLeftBehind, ownedName } from "../../io/folders/owned-folders.ts";
import { gitSettingsPrefix } from "../../io/places/places.ts";
import { Exit } from "../../protocol/exit.ts";

export interface TemporaryFolder {
  path: string;
  remove(): void;
}

/** The session's private temporary folder (0700), removed when the session closes. */
export function temporaryFolder(): TemporaryFolder {
  const folder = makeFolder(os.tmpdir());
  const beside = path.join(path.dirname(folder), gitSettingsPrefix + path.basename(folder));
  return {
    path: folder,
    remove: () => [folder, beside].forEach(removeAtEnd),
  };
}

/** A process that outlives its command may still write there: what cannot be removed is left to the next start. */
function removeAtEnd(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

const prefix = "fettle-";

/** Removes those of processes that were killed: an incognito session's holds all that it had. */
export function dropLeftTemporary(): void {
  try {
    for (const each of [prefix, gitSettingsPrefix + prefix]) dropLeftBehind(os.tmpdir(), each);
  } catch (error) {
    // A folder that cannot be listed: the next one may.
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

function makeFolder(under: string): string {
  try {
    const folder = path.join(realpathSync(under), prefix + ownedName());
    mkdirSync(folder, { mode: 0o700 });
    return folder;
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
