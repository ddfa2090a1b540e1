// The built-in plugins that a person has switched on, as servers with a process of their own.
import { realpathSync } from "node:fs";
import path from "node:path";
import { knownLanguages } from "../built-in/code/known.ts";
import type { LanguageServer, LanguagesOptions } from "../built-in/code/spec.ts";
import type { McpServer } from "../mcp/spec.ts";
import { programOnPath } from "../toolchain/program-on-path.ts";
import { databaseServers } from "./built-in-databases.ts";
import { builtInServer, type Here } from "./built-in-server.ts";
import type { Settings } from "./settings.ts";

export const builtInServers = (settings: Settings, here: Here): McpServer[] => [
  ...codeServer(settings, here),
  ...databaseServers(settings, here),
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
