// What a person changes about their MCP servers: one more, one less, and what a tool does.
import { entryOf } from "../../base/entry.ts";
import { Fault } from "../../base/fault.ts";
import { loadConfig } from "../../io/config/load.ts";
import { openPins } from "../../io/mcp/pins.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Command } from "../../protocol/client.ts";
import { keyText } from "../../io/config/keys.ts";
import { forgetLogin } from "./mcp-login.ts";
import type { Program } from "./program.ts";
import { setConfigValue, unsetConfigValue } from "./settings.ts";

type Given = Extract<Command, { type: "mcp.add" }>;

const keyOf = (name: string, key?: string): string =>
  keyText(["mcp", "servers", name, ...(key === undefined ? [] : [key])]);

const serverFault = (code: string, text: string, remedy: string): Fault =>
  new Fault(`mcp.${code}`, Exit.usage, text, remedy);

/** As the files are now, not as they were when the program began. */
const writtenServers = ({ workspace, places, env }: Program) =>
  loadConfig({ workspace, places, env, flags: {} }).settings.mcp.servers;

/** Rejects with a Fault, leaving the file as it was, where the server could not be used so. */
export async function addServer(program: Program, given: Given): Promise<void> {
  const { name, command = [], url, env, set, read, write, hosts, tools, headers = {} } = given;
  if (entryOf(writtenServers(program), name))
    throw serverFault("known", `There is an MCP server ${name} already.`, `fettle mcp remove ${name}`);
  const [first, ...args] = command;
  const lists = Object.entries({ args, env, read, write, hosts }).filter(([, values]) => values.length > 0);
  const tables = Object.entries({ set, headers, tools }).filter(([, values]) => Object.keys(values).length > 0);
  const values = [
    ...(first === undefined ? [] : [["command", first] as const]),
    ...(url === undefined ? [] : [["url", url] as const]),
    ...[...lists, ...tables].map(([key, value]) => [key, JSON.stringify(value)] as const),
  ];
  const [main, ...also] = values.map(([key, value]) => ({ key: keyOf(name, key), value }));
  if (!main) throw serverFault("nothing", "A server needs a program or an address.", "fettle mcp add --help");
  await setConfigValue(program, "user", { ...main, also });
}

/** What was pinned of it goes, too. Rejects with a Fault. */
export async function removeServer(program: Program, name: string): Promise<void> {
  await unsetConfigValue(program, "user", keyOf(name));
  const { places, workspace } = program;
  openPins({ state: places.state, workspace, kept: true }).drop({ origin: "user", name });
  await forgetLogin(program, name).catch(() => undefined);
}

/** Says what a tool does, or, with `*`, every tool of which nothing else is said. Rejects with a Fault. */
export async function classifyTool(program: Program, of: Extract<Command, { type: "mcp.class" }>): Promise<void> {
  const server = entryOf(writtenServers(program), of.server);
  const ofPlugin = program.config().mcp.servers.some(({ name, origin }) => name === of.server && origin === "user");
  if (!server && !ofPlugin)
    throw serverFault(
      "unknown",
      `You have set up no MCP server ${of.server}.`,
      "fettle mcp list shows those that there are.",
    );
  const tools = Object.fromEntries([...Object.entries(server?.tools ?? {}), [of.tool, of.class]]);
  await setConfigValue(program, "user", { key: keyOf(of.server, "tools"), value: JSON.stringify(tools) });
}
