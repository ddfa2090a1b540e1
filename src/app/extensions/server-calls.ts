// What a person names of an MCP server in a prompt: resources as @server:uri, texts of it as /server:prompt.
import { namedResource } from "../../base/mcp-names.ts";
import { mentionsOf } from "../../base/mentions.ts";
import type { CommandCall } from "../../engine/command-calls.ts";
import { hintOf } from "../../extensions/mcp/prompts.ts";
import { openPins } from "../../io/mcp/pins.ts";
import type { McpServer } from "../../io/mcp/spec.ts";
import type { SlashRow } from "../../protocol/extension.ts";
import type { Part } from "../../protocol/message.ts";
import type { Program } from "../program/program.ts";

const serverOf = ({ config }: Pick<Program, "config">, name: string): McpServer | undefined =>
  config().mcp.servers.find((each) => each.name.toLowerCase() === name.toLowerCase());

/** Each through the gate, as the person's own act. */
export function mentionedResources(prompt: readonly Part[], program: Program): CommandCall[] {
  const typed = prompt.flatMap((part) => (part.type === "text" && part.source === undefined ? [part.text] : []));
  return mentionsOf(typed.join("\n")).flatMap((mention): CommandCall[] => {
    const named = namedResource(mention);
    const server = named && serverOf(program, named.server);
    if (!named || !server) return [];
    const tool = `${server.name}:${named.uri}`;
    return [{ tool: "mcp", input: { tool }, label: `Resource @${tool}`, origin: "person" }];
  });
}

/** Undefined: there is no such server. */
export function namedPrompt(name: string, argument: string, program: Program): CommandCall | undefined {
  const named = namedResource(name);
  const server = named && serverOf(program, named.server);
  if (!named || !server) return undefined;
  const tool = `/${server.name}:${named.uri}`;
  return { tool: "mcp", input: { tool, arguments: { words: argument } }, label: `Prompt ${tool}`, origin: "person" };
}

/** As they were when each server ran last; nothing is started for it. */
export function promptRows({ config, places, workspace }: Program): SlashRow[] {
  const { servers } = config().mcp;
  if (servers.length === 0) return [];
  const pins = openPins({ state: places.state, workspace, kept: true });
  return servers.flatMap((server) =>
    (pins.of(server)?.prompts ?? []).map((prompt): SlashRow => {
      const hint = hintOf(prompt);
      const { name: own, description } = prompt;
      const origin = server.origin === "user" ? "user" : "project";
      const name = `${server.name}:${own}`.toLowerCase();
      return { kind: "prompt", name, origin, description, ...(hint !== "" && { hint }) };
    }),
  );
}
