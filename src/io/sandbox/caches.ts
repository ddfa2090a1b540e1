// Where build tools keep what they fetched and made, so that not every build is cold: one folder per project, as what one
// project's programs leave in it must not reach another's.
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import type { Risk } from "../../protocol/effect.ts";
import { makePrivateFolder } from "../places/places.ts";
import type { Variables } from "../toolchain/toolchains.ts";
import { insideFolder } from "./control-files.ts";

export interface ToolCaches {
  /** To be writable. */
  folder: string;
  /** To be seen read-only: what commands with a network have fetched. */
  shared?: string;
  env: Record<string, string>;
}

/** Tools whose cache the sandbox does not show from the person's home: always the project's own. */
const own: readonly [variable: string, folder: string][] = [
  // pip, uv, poetry, go, deno, ccache, playwright and others look below it.
  ["XDG_CACHE_HOME", "xdg"],
  ["npm_config_cache", "npm"],
  ["YARN_CACHE_FOLDER", "yarn"],
  ["YARN_GLOBAL_FOLDER", "yarn-global"],
  ["BUN_INSTALL_CACHE_DIR", "bun"],
  ["COMPOSER_CACHE_DIR", "composer"],
];

/**
 * Of what runs unasked and was given no caches: `go list` and `go doc`, which only read, make theirs below the home, and no
 * effect names them. They are the folders that `toolCaches` names.
 */
export function readersCaches(
  { risk }: { risk: Risk },
  temporary: string,
  person: { home: string; env: Variables },
): Record<string, string> {
  if (risk > "L1") return {};
  const at = (name: string) => path.join(temporary, ".caches", name);
  const modules = path.join(person.env["GOPATH"] ?? path.join(person.home, "go"), "pkg/mod");
  return { GOCACHE: at("xdg/go-build"), ...(!existsSync(modules) && { GOMODCACHE: at("go-modules") }) };
}

interface Shown {
  variable: string;
  folder: string;
  /** Folder of the home that the sandbox shows read-only, or what the variable names, with `part` below it. */
  home: string;
  part?: string;
}

/**
 * Tools whose cache is seen read-only: without a network that is all they need. Once a command with a network has filled
 * the project's own, it is whole and goes on being used.
 */
const shown: readonly Shown[] = [
  { variable: "CARGO_HOME", folder: "cargo", home: ".cargo", part: "registry" },
  { variable: "GOMODCACHE", folder: "go-modules", home: "go/pkg/mod" },
  { variable: "NUGET_PACKAGES", folder: "nuget", home: ".nuget/packages" },
  { variable: "PUB_CACHE", folder: "pub", home: ".pub-cache" },
];

/** Files that tell a tool what to run: a program that planted them would be run by the next command. */
const controls: readonly [folder: string, names: readonly string[]][] = [
  ["cargo", ["config", "config.toml", "credentials", "credentials.toml"]],
  ["gradle", ["init.d", "init.gradle", "init.gradle.kts", "gradle.properties"]],
];

/** Parts of the person's own folder that stay in sight below the project's. */
const gradleParts = ["wrapper", "jdks"];

const filled = (folder: string): boolean => existsSync(folder) && readdirSync(folder).length > 0;

/** Programs fill these folders: a link in the place of one leads nowhere. */
function removeControls(root: string): void {
  for (const [name, files] of controls) {
    insideFolder(path.join(root, name), root, (folder) => {
      for (const file of files) rmSync(path.join(folder, file), { recursive: true, force: true });
    });
  }
}

function linkGradle(root: string, home: string): void {
  insideFolder(root, root, (top) => {
    const place = path.join(top, "gradle");
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats?.isDirectory()) return;
    rmSync(place, { force: true });
    mkdirSync(place, { mode: 0o700 });
  });
  insideFolder(path.join(root, "gradle"), root, (folder) => {
    for (const part of gradleParts) {
      const target = path.join(home, part);
      const link = path.join(folder, part);
      if (existsSync(target) && !lstatSync(link, { throwIfNoEntry: false })) symlinkSync(target, link);
    }
  });
}

export interface CacheFolders {
  /** Of the project: only commands that were let into the network write it. */
  shared: string;
  /** Of the session, and gone with it. */
  private: string;
}

/**
 * `network`: whether the command may fetch. What runs unasked keeps its own, so that no later install and no other
 * session takes what it left. Folders are made when they are first asked for.
 */
export function toolCaches(
  folders: CacheFolders,
  person: { home: string; env: Variables },
  network: boolean,
): ToolCaches {
  const { home, env } = person;
  const { shared } = folders;
  const folder = network ? shared : folders.private;
  for (const each of new Set([shared, folder])) {
    makePrivateFolder(each);
    removeControls(realpathSync(each));
  }
  const at = (name: string) => path.join(folder, name);
  const chosen: Record<string, string> = Object.fromEntries(own.map(([variable, name]) => [variable, at(name)]));
  for (const { variable, folder: name, home: place, part } of shown) {
    const seen = path.join(env[variable] ?? path.join(home, place), part ?? "");
    if (network) chosen[variable] = at(name);
    else if (filled(path.join(shared, name))) chosen[variable] = path.join(shared, name);
    else if (!existsSync(seen)) chosen[variable] = at(name);
  }
  linkGradle(realpathSync(folder), env["GRADLE_USER_HOME"] ?? path.join(home, ".gradle"));
  chosen["GRADLE_USER_HOME"] = at("gradle");
  const fetched = path.join(shared, "gradle/caches");
  if (!network && existsSync(path.join(fetched, "modules-2"))) chosen["GRADLE_RO_DEP_CACHE"] = fetched;
  const repositories = [...(network ? [] : [path.join(shared, "maven")]), path.join(home, ".m2/repository")];
  const tails = repositories.filter((each) => existsSync(each)).join(",");
  const tail = tails === "" ? "" : ` -Dmaven.repo.local.tail=${tails}`;
  // Read by Maven 3.9 and newer; an older one goes on as before.
  if (!/\s/.test(folder + tails)) chosen["MAVEN_ARGS"] = `-Dmaven.repo.local=${at("maven")}${tail}`;
  return { folder, ...(!network && { shared }), env: chosen };
}
