// The built-in plugins that a person has switched on, as servers with a process of their own.
import { realpathSync } from "node:fs";
import path from "node:path";
import { canonical } from "../../base/canonical.ts";
import { sha256 } from "../../base/digest.ts";
import { builtInTools } from "../built-in/definitions.ts";
import { knownLanguages } from "../built-in/code/known.ts";
import type { LanguageServer, LanguagesOptions } from "../built-in/code/spec.ts";
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

export function builtInServers({ code }: Settings, { workspace, env, notices }: Here): McpServer[] {
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
  const command = [...pluginProgram(), "code", JSON.stringify(options)];
  const tools = builtInTools("code");
  return [
    {
      ...{ name: "code", origin: "user", place: "fettle's own plugins", command, env: [], set: {}, headers: {} },
      ...{ read: [workspace], write: [], hosts: [], timeoutMs: 60_000 },
      classes: new Map(tools.map((tool) => [tool.name, tool.class])),
      builtIn: {
        tools: tools.map(({ class: _class, ...tool }) => tool),
        programs: servers.map((server) => server.command[0] ?? ""),
      },
      digest: sha256(canonical({ command })),
    },
  ];
}
