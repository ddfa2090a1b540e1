// The built-in plugins that a person has switched on, as servers with a process of their own.
import { existsSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { knownLanguages } from "../built-in/code/known.ts";
import type { LanguageServer, LanguagesOptions } from "../built-in/code/spec.ts";
import type { DocsOptions } from "../built-in/docs/spec.ts";
import type { McpServer } from "../mcp/spec.ts";
import { programOnPath } from "../toolchain/program-on-path.ts";
import { browserServer } from "./built-in-browser.ts";
import { databaseServers } from "./built-in-databases.ts";
import { dockerServers } from "./built-in-docker.ts";
import { imagesServer } from "./built-in-images.ts";
import { builtInServer, type Here } from "./built-in-server.ts";
import type { Settings } from "./settings.ts";

export const builtInServers = (settings: Settings, here: Here): McpServer[] => [
  ...codeServer(settings, here),
  ...databaseServers(settings, here),
  ...browserServer(settings, here),
  ...docsServer(settings, here),
  ...imagesServer(settings, here),
  ...dockerServers(settings, here),
];

function codeServer({ code }: Settings, { workspace, env, notices }: Here): McpServer[] {
  if (!code.enabled) return [];
  const servers = Object.entries(knownLanguages).flatMap(([language, { programs }]): LanguageServer[] => {
    const named = code.servers[language];
    for (const command of named ? [named] : programs) {
      const [name = "", ...args] = command;
      // Nothing that the repository brings is started: who wants its own server names it.
      const found = path.isAbsolute(name) ? name : programOnPath(name, env, workspace);
      if (found !== undefined) return [{ language, command: [found, ...args] }];
    }
    if (named) notices.push(`code.servers.${language}: ${named[0] ?? "nothing"} is not found, so it is not used.`);
    return [];
  });
  if (servers.length === 0) {
    const names = Object.values(knownLanguages).map(({ programs }) => programs[0]?.[0] ?? "");
    notices.push(`code.enabled is true, but no language server is found (${names.join(", ")}).`);
    return [];
  }
  const options: LanguagesOptions = { workspace: realpathSync(workspace), servers, memoryMb: code.memory_mb };
  const programs = servers.map((server) => server.command[0] ?? "");
  return [builtInServer("code", { options, read: [workspace], more: { programs } })];
}

/** Packages in the workspace, and the caches of cargo and Go where the project uses them. */
function docsServer({ docs }: Settings, { workspace, env }: Here): McpServer[] {
  if (!docs.enabled) return [];
  const real = realpathSync(workspace);
  const home = env["HOME"] ?? "/";
  const uses = (name: string) => existsSync(path.join(real, name));
  const sources = path.join(env["CARGO_HOME"] ?? path.join(home, ".cargo"), "registry", "src");
  const cargo = uses("Cargo.lock") && existsSync(sources) ? foldersIn(realpathSync(sources)) : [];
  const modules = env["GOMODCACHE"] ?? path.join(env["GOPATH"]?.split(":")[0] ?? path.join(home, "go"), "pkg", "mod");
  const go = uses("go.mod") && existsSync(modules) ? realpathSync(modules) : undefined;
  const venvs = [".venv", "venv", "env"].flatMap((name) => foldersIn(path.join(real, name, "lib")));
  const python = [...venvs.map((each) => path.join(each, "site-packages")), "/usr/lib/python3/dist-packages"];
  const options: DocsOptions = {
    ...{ workspace: real, cargo, python: python.filter((each) => existsSync(each)) },
    ...(go !== undefined && { go }),
  };
  const read = [workspace, ...cargo, ...(go === undefined ? [] : [go])];
  return [builtInServer("docs", { options, read, more: { programs: [], foreign: true } })];
}

const foldersIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
        each.isDirectory() ? [path.join(folder, each.name)] : [],
      )
    : [];
