import { realpathSync } from "node:fs";
import path from "node:path";
import { statsOf } from "../files/regular.ts";
import { pathFolders, type Variables } from "./toolchains.ts";

/** Where a program lies, by PATH; nothing is run. `except`: no program below that folder is taken. */
export function programOnPath(name: string, env: Variables, except?: string): string | undefined {
  return pathFolders(env)
    .map((folder) => path.join(folder, name))
    .find((file) => isProgram(file) && (except === undefined || !below(except, realpathSync.native(file))));
}

const below = (root: string, file: string): boolean => file.startsWith(`${root}/`);

function isProgram(file: string): boolean {
  const found = statsOf(file);
  return found?.isFile() === true && (found.mode & 0o111) !== 0;
}
