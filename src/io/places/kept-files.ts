// Files of fettle's own that hold what they should, whoever else reads them meanwhile.
import { realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";
import { notAFile, readRegularBytes } from "../files/regular.ts";
import { makePrivateFolder } from "./places.ts";

const readOptional = (file: string): Buffer | undefined =>
  withFallback(undefined, anyError, () => readRegularBytes(file));

/** Writes a file so that a reader sees all of it or nothing; leaves an equal one alone. */
export function keepFile(file: string, content: Uint8Array | string): void {
  const wanted = Buffer.from(content);
  if (readOptional(file)?.equals(wanted)) return;
  makePrivateFolder(path.dirname(file));
  // Nothing can be renamed over a folder.
  if (notAFile(file) === "a folder") renameSync(file, `${file}.broken-${Date.now()}`);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, wanted, { mode: 0o600 });
  renameSync(temporary, file);
}

/** These files in a folder that is this user's alone. Throws where somebody else has put something in its place. */
export function keepFiles(folder: string, files: Readonly<Record<string, string>>): void {
  makePrivateFolder(folder);
  const { uid, mode } = statSync(folder);
  if (realpathSync(folder) !== folder || uid !== process.getuid?.() || (mode & 0o022) !== 0)
    throw new Error(`${folder} is not fettle's own folder`);
  for (const [name, content] of Object.entries(files)) keepFile(path.join(folder, name), content);
}
