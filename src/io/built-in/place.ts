// Where the program of the built-in plugins lies: one file beside the bundle, or the sources themselves.
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { isA, withFallback } from "../../base/fallback.ts";
import { packageRoot } from "../installation.ts";

/** The runtime and the program, with their full paths. */
export function pluginProgram(): string[] {
  return [process.execPath, path.join(packageRoot(), "dist", "plugins.js")];
}

/** A package that is too large for the bundle; undefined: it was not installed. */
export const packageFolder = (name: string): string | undefined =>
  withFallback(undefined, isA(Error), () => {
    const from = createRequire(path.join(packageRoot(), "dist", "plugins.js"));
    return realpathSync(path.dirname(from.resolve(`${name}/package.json`)));
  });

/** What of fettle's own the sandbox has to show for them. */
export const pluginPlaces = (packages: readonly string[] = []): string[] => [
  ...pluginProgram().filter((file) => existsSync(file)),
  ...packages.flatMap((name) => packageFolder(name) ?? []),
];
