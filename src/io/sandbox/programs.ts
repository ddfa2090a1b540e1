// Programs of the person that the sandbox does not show.
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";
import { pathFolders, toolchainFolders, type Variables } from "../toolchain/toolchains.ts";
import { below, real } from "./hidden.ts";
import { systemView } from "./system.ts";

/** Where the person's own shell finds it, or an absolute name itself; undefined where the system has it, which is seen. */
export function hiddenProgram(name: string, home: string, env: Variables): string | undefined {
  const folders = path.isAbsolute(name) ? [""] : [...new Set([...pathFolders(env), ...toolchainFolders(home, env)])];
  const place = folders.map((folder) => path.join(folder, name)).find(isProgram);
  if (place === undefined) return undefined;
  const { folders: system, links } = systemView();
  const seen = [...system, ...links.map((link) => link.place)].some((folder) => below(folder, place));
  // A link of the system may lead to where nothing is seen.
  const behind = real(place);
  return seen && behind !== undefined && system.some((folder) => below(folder, behind)) ? undefined : place;
}

const isProgram = (file: string): boolean =>
  withFallback(false, anyError, () => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  });
