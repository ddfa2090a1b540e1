import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Of the Node that runs fettle. */
export const runtimeFolder = (): string => path.dirname(process.execPath);

/** The folder that holds package.json, bin/ and samples/, from the bundle as well as from the sources. */
export function packageRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, "package.json")) && path.dirname(folder) !== folder)
    folder = path.dirname(folder);
  return folder;
}
