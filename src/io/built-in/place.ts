// Where the program of the built-in plugins lies: one file beside the bundle, or the sources themselves.
import { existsSync } from "node:fs";
import path from "node:path";
import { packageRoot } from "../installation.ts";

/** The runtime and the program, with their full paths. */
export function pluginProgram(): string[] {
  return [process.execPath, path.join(packageRoot(), "dist", "plugins.js")];
}

/** What of fettle's own the sandbox has to show for them. */
export const pluginPlaces = (): string[] => pluginProgram().filter((file) => existsSync(file));
