// Where compilers and interpreters live below a home folder: parts without credentials.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import known from "../../../assets/programs/toolchains.json" with { type: "json" };

interface Toolchain {
  /** Folder below the home folder, or the variable that names it. */
  folder: string;
  variable?: string;
  /** What programs need of it; `.` is the whole folder. Never a part that may hold a token. */
  parts: readonly string[];
}

const toolchains: readonly Toolchain[] = known;

export type Variables = Readonly<Record<string, string | undefined>>;

const below = (root: string, file: string): boolean => file === root || file.startsWith(`${root}/`);

/** Existing folders below `home` that programs may read: known parts of toolchains, and folders of PATH. */
export function toolchainParts(home: string, env: Variables): string[] {
  const found = new Set<string>();
  const there = new Set(existsSync(home) ? readdirSync(home) : []);
  for (const { folder, variable, parts } of toolchains) {
    const named = variable === undefined ? undefined : env[variable];
    const place = named && below(home, named) && named !== home ? named : path.join(home, folder);
    if (place === path.join(home, folder) && !there.has(folder.split("/")[0] ?? folder)) continue;
    for (const part of parts) found.add(path.join(place, part));
  }
  for (const folder of pathFolders(env)) {
    const hiddenPlace = path.dirname(folder) === home && path.basename(folder).startsWith(".");
    if (below(home, folder) && folder !== home && !hiddenPlace) found.add(folder);
  }
  const existing = [...found].filter((folder) => existsSync(folder)).sort();
  return existing.filter((folder) => !existing.some((other) => other !== folder && below(other, folder)));
}

export function pathFolders(env: Variables): string[] {
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => path.isAbsolute(folder));
  return [...new Set(folders.map((folder) => path.resolve(folder)))];
}

/** Folders of programs below `home`, for looking programs up: those of PATH first, then the usual ones. */
export function toolchainFolders(home: string, env: Variables): string[] {
  const fromPath = pathFolders(env).filter((folder) => below(home, folder) && folder !== home);
  const usual = [".cargo/bin", ".pyenv/shims", ".pyenv/bin", "go/bin", ".volta/bin", ".bun/bin", ".deno/bin"];
  return [...new Set([...fromPath, ...usual.map((folder) => path.join(home, folder))])].filter((folder) =>
    existsSync(folder),
  );
}
