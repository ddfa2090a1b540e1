// What other programs may call, and the way of such a call into a session.
import { Fault } from "../../base/fault.ts";
import type { Command } from "../../protocol/client.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Json } from "../../protocol/message.ts";
import type { ToolSpec } from "../../protocol/request.ts";
import { ask } from "../../tools/ask.ts";
import { builtinTools } from "../../tools/builtin.ts";
import { job } from "../../tools/job.ts";
import { list } from "../../tools/list.ts";
import { passedName } from "../../tools/passed.ts";
import { createRegistry } from "../../tools/registry.ts";
import { todo } from "../../tools/todo.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { Program } from "../program/program.ts";
import { indexTools } from "./index-tool.ts";
import type { Assembly } from "./assembly.ts";
import { mcpTools } from "./outfit.ts";

/** Questions and lists of steps are of a conversation; the other two are part of `glob` and `shell`. */
const left: readonly AnyTool[] = [ask, todo, list, job];
const built = builtinTools.filter((tool) => !left.includes(tool));

/** Without subagents: they would spend money that nobody watches. */
export const servedTools = (program: Program): ToolSpec[] =>
  createRegistry([...built, ...mcpTools(program), ...indexTools(program)]).specs;

/** Only servers that were named when fettle was started. */
export async function passCall(
  { flags }: Pick<Program, "flags">,
  { agent }: Pick<Assembly, "agent">,
  { type: _type, call, ...request }: Extract<Command, { type: "mcp.pass" }>,
): Promise<void> {
  const { server, method } = request;
  if (!flags.passing?.includes(server))
    throw new Fault("mcp.not-passed", Exit.usage, `The MCP server ${server.slice(0, 80)} is not passed on.`, "");
  const text = `Another program uses the MCP server ${server} (${method}).`;
  await agent.call({ id: call, name: passedName, input: request as Json, origin: "agent", text });
}

export async function callTool(
  program: Program,
  { agent }: Pick<Assembly, "agent">,
  { call, tool, input }: Pick<Extract<Command, { type: "tool.call" }>, "call" | "tool" | "input">,
): Promise<void> {
  const served = servedTools(program);
  if (!served.some(({ name }) => name === tool)) {
    const names = served.map(({ name }) => name).join(", ");
    throw new Fault("tool.unknown", Exit.usage, `There is no tool "${tool.slice(0, 80)}".`, `There are: ${names}.`);
  }
  await agent.call({ id: call, name: tool, input, origin: "agent", text: `Another program calls ${tool}.` });
}
