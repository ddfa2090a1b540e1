// MCP servers that a person has set up for other agents, as they could be taken over.
import path from "node:path";
import { isServerName } from "../../base/mcp-names.ts";
import { shellWord } from "../../base/shell-word.ts";
import { looksSecret } from "../../io/config/secret-values.ts";
import { type ListedServer, readServerList } from "../../io/config/mcp-files.ts";
import type { McpImport } from "../../protocol/mcp.ts";
import type { Program } from "./program.ts";

const lists: readonly [agent: string, file: string][] = [
  ["Claude Code", ".claude.json"],
  ["Codex", ".codex/config.toml"],
  ["Gemini CLI", ".gemini/settings.json"],
  ["opencode", ".config/opencode/opencode.json"],
];

/** Reads; nothing is taken over by that. Of one name the first is offered. */
export function importable({ places, workspace, config }: Program): McpImport {
  const known = new Set(config().mcp.servers.map(({ name }) => name));
  const found: McpImport = { servers: [], problems: [] };
  for (const [agent, file] of lists) {
    const list = readServerList(path.join(places.home, file), `~/${file}`, workspace);
    found.problems.push(...(list?.problems ?? []));
    for (const listed of list?.servers ?? []) {
      const row = rowOf(listed, `${agent} (~/${file})`);
      if (typeof row === "string") found.problems.push(row);
      else found.servers.push({ ...row, known: known.has(row.name) });
      known.add(listed.name);
    }
  }
  return found;
}

type Row = Omit<McpImport["servers"][number], "known">;

function rowOf({ name, command, url, variables, headers }: ListedServer, from: string): Row | string {
  if (!isServerName(name))
    return `${from}: ${JSON.stringify(name).slice(0, 80)} cannot be a server's name here, so it is left out.`;
  const granted = ([key, value]: [string, string]) =>
    value === `\${${key}}` || value === `$${key}` || looksSecret(key, value);
  const env = Object.entries(variables).filter(granted);
  const set = Object.entries(variables).filter((each) => !granted(each));
  return {
    ...{ name, from, start: command?.map(shellWord).join(" ") ?? url ?? "" },
    ...(command && { command }),
    ...(url !== undefined && { url }),
    ...{ env: env.map(([key]) => key), set: Object.fromEntries(set), headers },
  };
}
