// Where the program of the built-in plugins lies: one file beside the bundle, or the sources themselves.
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { packageRoot } from "../installation.ts";

/** The runtime and the program, with their full paths. */
export function pluginProgram(): string[] {
  return [process.execPath, path.join(packageRoot(), "dist", "plugins.js")];
}

/** A package that is too large for the bundle, as Node finds it from there; undefined: it was not installed. */
export function packageFolder(name: string): string | undefined {
  for (let folder = packageRoot(); ; folder = path.dirname(folder)) {
    const found = path.join(folder, "node_modules", name);
    if (existsSync(path.join(found, "package.json"))) return realpathSync(found);
    if (path.dirname(folder) === folder) return undefined;
  }
}

/** What of fettle's own the sandbox has to show for them. */
export const pluginPlaces = (packages: readonly string[] = []): string[] => [
  ...pluginProgram().filter((file) => existsSync(file)),
  ...packages.flatMap((name) => packageFolder(name) ?? []),
];
