// Tools of fettle's own that tools of the person's MCP servers stand in for, as their settings say.
import { Fault } from "../../base/fault.ts";
import { calledAs } from "../../base/mcp-names.ts";
import { openPins } from "../../io/mcp/pins.ts";
import { Exit } from "../../protocol/exit.ts";
import { replacement } from "../../tools/replacement.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { Program } from "../program/program.ts";

const replaceable = ["read", "write", "edit", "apply_patch", "glob", "grep", "shell", "git", "fetch"];
/** Every request carries it. */
const largest = 8_000;

/** In the same order; the same list where nothing is replaced. Throws a Fault where a setting cannot be followed. */
export function withReplacements(program: Program, tools: readonly AnyTool[]): readonly AnyTool[] {
  const { servers } = program.config().mcp;
  if (!servers.some(({ replaces }) => replaces)) return tools;
  const pins = openPins({ state: program.places.state, workspace: program.workspace, kept: !program.incognito });
  const found = new Map<string, AnyTool>();
  for (const server of servers)
    for (const [name, tool] of Object.entries(server.replaces ?? {})) {
      const problem = (text: string, remedy: string) =>
        new Fault("mcp.replaces", Exit.usage, `mcp.servers.${server.name}.replaces: ${text}.`, remedy);
      if (!replaceable.includes(name))
        throw problem(`${name} is none of the tools that may be replaced`, `They are ${replaceable.join(", ")}.`);
      if (found.has(name)) throw problem(`another server replaces ${name}, too`, "Remove one of the two.");
      const definition = pins.of(server)?.tools.find((each) => each.name === tool);
      const look = `fettle mcp test ${server.name}`;
      if (!definition) throw problem(`fettle has seen no tool ${calledAs(server.name, tool)} yet`, look);
      if (JSON.stringify(definition.inputSchema).length > largest)
        throw problem(`the schema of ${calledAs(server.name, tool)} is too large to stand in each request`, look);
      found.set(name, replacement(name, server.name, definition));
    }
  return tools.map((tool) => found.get(tool.name) ?? tool);
}
