// The built-in plugins that a person has switched on, as servers with a process of their own.
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { canonical } from "../../base/canonical.ts";
import { sha256 } from "../../base/digest.ts";
import { type BuiltInName, builtInTools } from "../built-in/definitions.ts";
import { knownLanguages } from "../built-in/code/known.ts";
import type { LanguageServer, LanguagesOptions } from "../built-in/code/spec.ts";
import type { DatabaseOptions } from "../built-in/database/spec.ts";
import { pluginProgram } from "../built-in/place.ts";
import type { McpServer } from "../mcp/spec.ts";
import { programOnPath } from "../toolchain/program-on-path.ts";
import type { Settings } from "./settings.ts";

interface Here {
  workspace: string;
  env: NodeJS.ProcessEnv;
  /** Told what is switched on and cannot be had. */
  notices: string[];
}

export const builtInServers = (settings: Settings, here: Here): McpServer[] => [
  ...codeServer(settings, here),
  ...databaseServer(settings, here),
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
  return [serverOf("code", { options, read: [workspace], more: { programs } })];
}

/** What of a database SQLite reads: the file, and the log beside it while somebody writes. */
function databaseServer({ database }: Settings, { workspace, notices }: Here): McpServer[] {
  const databases = Object.entries(database.files).flatMap(([name, given]) => {
    const file = path.resolve(workspace, given ?? "");
    if (existsSync(file)) return [{ name, file: realpathSync(file) }];
    notices.push(`database.files.${name}: ${given} is not there, so it is not offered.`);
    return [];
  });
  if (databases.length === 0) return [];
  const options: DatabaseOptions = { databases };
  const read = databases.flatMap(({ file }) => [file, `${file}-wal`, `${file}-shm`]).filter((file) => existsSync(file));
  return [serverOf("database", { options, read, more: { programs: [], foreign: true } })];
}

interface Of {
  options: object;
  read: string[];
  more: Omit<NonNullable<McpServer["builtIn"]>, "tools">;
}

function serverOf(name: BuiltInName, { options, read, more }: Of): McpServer {
  const command = [...pluginProgram(), name, JSON.stringify(options)];
  const tools = builtInTools(name);
  return {
    ...{ name, origin: "user", place: "fettle's own plugins", command, env: [], set: {}, headers: {} },
    ...{ read, write: [], hosts: [], timeoutMs: 60_000 },
    classes: new Map(tools.map((tool) => [tool.name, tool.class])),
    builtIn: { ...more, tools: tools.map(({ class: _class, ...tool }) => tool) },
    digest: sha256(canonical({ command })),
  };
}
