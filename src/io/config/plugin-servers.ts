// The MCP servers of a plugin: each gets of what it asks for exactly what was granted by name.
import { Fault } from "../../base/fault.ts";
import type { PluginPart } from "../../protocol/plugin.ts";
import type { McpServer } from "../mcp/spec.ts";
import { withPluginRoot } from "./hook-files.ts";
import { serverOf, settingsOf } from "./mcp.ts";
import type { ListedServer } from "./mcp-files.ts";

export interface PluginServer {
  listed: ListedServer;
  /** What it asks for besides its own start. */
  needs: Pick<PluginPart, "kind" | "name">[];
  /** Absent where it cannot be started. */
  server?: McpServer;
  problem?: string;
  notes: string[];
}

interface Of {
  root: string;
  plugin: string;
  workspace: string;
  home: string;
  granted(part: string): boolean;
}

export const pluginServers = (listed: readonly ListedServer[], of: Of): PluginServer[] =>
  listed.map((each) => pluginServer(rooted(each, of.root), of));

function pluginServer(listed: ListedServer, of: Of): PluginServer {
  const { name, url, command = [], variables, read = ["."], write = [] } = listed;
  const hosts = [...(url === undefined ? [] : [new URL(url).host]), ...listed.hosts];
  const names = [...new Set(Object.values(variables).flatMap(variablesIn))];
  const needs: PluginServer["needs"] = [
    ...hosts.map((host) => ({ kind: "host" as const, name: host })),
    ...names.map((each) => ({ kind: "env" as const, name: each })),
    ...read.map((folder) => ({ kind: "read" as const, name: folder })),
    ...write.map((folder) => ({ kind: "write" as const, name: folder })),
  ];
  const may = (kind: PluginPart["kind"]) => (each: string) => of.granted(`${kind} ${each}`);
  const left = [...new Set(command.flatMap(variablesIn))];
  const notes = [
    ...left.map((each) => `the arguments of the MCP server ${name} name \${${each}}, which is not filled in`),
    ...listed.headers.map((each) => `the header ${each} is not sent to the MCP server ${name}`),
  ];
  const settings = settingsOf({
    ...listed,
    variables: Object.fromEntries(
      Object.entries(variables).map(([key, value]) => [key, withoutUngranted(value, may("env"))]),
    ),
    read: url === undefined ? [of.root, ...read.filter(may("read"))] : [],
    write: write.filter(may("write")),
    hosts: listed.hosts.filter(may("host")),
  });
  const place = `plugin ${of.plugin}`;
  const [first] = url === undefined ? [] : hosts;
  const closed = first !== undefined && of.granted(`mcp ${name}`) && !may("host")(first);
  if (closed) return { listed, needs, notes, problem: `its host ${first} is not granted` };
  try {
    const { workspace, home } = of;
    return { listed, needs, notes, server: serverOf(settings, { name, origin: "user", place, workspace, home }) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { listed, needs, notes, problem: error.message.replace(/^.*?mcp\.servers\.\S+ /, "").replace(/\.$/, "") };
  }
}

/** With the plugin's own folder where its files name that. */
function rooted(listed: ListedServer, root: string): ListedServer {
  const filled = (text: string) => withPluginRoot(text, root);
  const { command, url, variables } = listed;
  return {
    ...listed,
    ...(command && { command: command.map(filled) }),
    ...(url !== undefined && { url: filled(url) }),
    variables: Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, filled(value)])),
  };
}

const reference = /\$\{(\w+)(?::-([^}]*))?\}/g;

const variablesIn = (text: string): string[] => [...text.matchAll(reference)].map(([, name = ""]) => name);

const withoutUngranted = (text: string, granted: (name: string) => boolean): string =>
  text.replace(reference, (all, name: string, otherwise = "") => (granted(name) ? all : otherwise));
