// A built-in plugin as a server: fettle's own program, with what the person's settings grant to it.
import { canonical } from "../../base/canonical.ts";
import { entryOf } from "../../base/entry.ts";
import { sha256 } from "../../base/digest.ts";
import { type BuiltInName, builtInTools } from "../built-in/definitions.ts";
import { pluginProgram } from "../built-in/place.ts";
import type { McpClass, McpServer } from "../mcp/spec.ts";

export interface Here {
  workspace: string;
  env: NodeJS.ProcessEnv;
  /** Told what is switched on and cannot be had. */
  notices: string[];
}

interface Of {
  options: object;
  read?: string[];
  write?: string[];
  hosts?: string[];
  more: Omit<NonNullable<McpServer["builtIn"]>, "tools">;
  /** Of tools that come to something else with these settings. */
  classes?: Readonly<Record<string, McpClass>>;
}

export function builtInServer(
  name: BuiltInName,
  { options, read = [], write = [], hosts = [], more, classes = {} }: Of,
): McpServer {
  const command = [...pluginProgram(), name, JSON.stringify(options)];
  const tools = builtInTools(name);
  return {
    ...{ name, origin: "user", place: "fettle's own plugins", command, env: [], set: {}, headers: {} },
    ...{ read, write, hosts, timeoutMs: 60_000 },
    classes: new Map(tools.map((tool) => [tool.name, entryOf(classes, tool.name) ?? tool.class])),
    builtIn: { ...more, tools: tools.map(({ class: _class, ...tool }) => tool) },
    digest: sha256(canonical({ command, hosts, write })),
  };
}
