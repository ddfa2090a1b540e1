// Where compilers and interpreters live below a home folder: parts without credentials.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

interface Toolchain {
  /** Folder below the home folder, or the variable that names it. */
  folder: string;
  variable?: string;
  /** What programs need of it; `.` is the whole folder. Never a part that may hold a token. */
  parts: readonly string[];
}

const toolchains: readonly Toolchain[] = [
  { folder: ".cargo", variable: "CARGO_HOME", parts: ["bin", "registry", "git"] },
  { folder: ".rustup", variable: "RUSTUP_HOME", parts: ["."] },
  { folder: ".pyenv", variable: "PYENV_ROOT", parts: ["."] },
  { folder: ".nvm", variable: "NVM_DIR", parts: ["."] },
  { folder: ".volta", variable: "VOLTA_HOME", parts: ["."] },
  { folder: ".fnm", variable: "FNM_DIR", parts: ["."] },
  { folder: ".asdf", variable: "ASDF_DATA_DIR", parts: ["."] },
  { folder: ".rbenv", variable: "RBENV_ROOT", parts: ["."] },
  { folder: ".gem", parts: ["ruby"] },
  { folder: ".sdkman", variable: "SDKMAN_DIR", parts: ["candidates"] },
  { folder: ".jdks", parts: ["."] },
  { folder: ".m2", parts: ["repository", "wrapper"] },
  { folder: ".gradle", variable: "GRADLE_USER_HOME", parts: ["wrapper", "jdks"] },
  { folder: "go", variable: "GOPATH", parts: ["bin", "pkg"] },
  { folder: ".goenv", parts: ["."] },
  { folder: ".deno", parts: ["bin"] },
  { folder: ".bun", variable: "BUN_INSTALL", parts: ["bin", "install"] },
  { folder: ".yarn", parts: ["bin", "releases"] },
  { folder: ".npm-global", parts: ["bin", "lib"] },
  { folder: ".dotnet", variable: "DOTNET_ROOT", parts: ["."] },
  { folder: ".nuget", parts: ["packages"] },
  { folder: ".composer", variable: "COMPOSER_HOME", parts: ["vendor"] },
  { folder: ".pub-cache", variable: "PUB_CACHE", parts: ["bin", "hosted", "global_packages"] },
  { folder: ".ghcup", parts: ["bin", "ghc", "cabal"] },
  { folder: ".cabal", parts: ["bin", "packages", "store"] },
  { folder: ".opam", variable: "OPAMROOT", parts: ["."] },
  { folder: "miniconda3", parts: ["."] },
  { folder: "anaconda3", parts: ["."] },
  { folder: ".local", parts: ["bin", "lib", "pipx/venvs"] },
  {
    folder: ".local/share",
    parts: ["mise", "fnm", "pnpm", "uv/python", "uv/tools", "pipx/venvs", "rtx", "virtualenvs"],
  },
  { folder: "bin", parts: ["."] },
];

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
