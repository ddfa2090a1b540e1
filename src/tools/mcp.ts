import { namedResource, namedTool } from "../base/mcp-names.ts";
import type { McpReply, McpTalk } from "../io/mcp/spec.ts";
import type { Part } from "../protocol/message.ts";
import type { Result } from "../protocol/result.ts";
import { orFailure } from "./failure.ts";
import { fields, optional, text } from "./input.ts";
import { object } from "./object-field.ts";
import prompt from "./mcp.md";
import { defineTool, ToolInputError } from "./tool.ts";

export const mcp = defineTool({
  name: "mcp",
  prompt,
  input: fields({
    tool: text("", ["name", "tool_name"]),
    arguments: optional(object("", ["args", "input", "params", "parameters"])),
  }),
  parse({ tool, arguments: input = {} }) {
    // A person's /server:prompt words.
    const prompt = tool.startsWith("/") ? namedResource(tool.slice(1)) : undefined;
    if (prompt)
      return { kind: "mcp", op: "prompt", server: prompt.server, what: prompt.uri, input: input["words"] ?? "" };
    const resource = namedResource(tool);
    if (resource) return { kind: "mcp", op: "read", server: resource.server, what: resource.uri, input: null };
    const named = namedTool(tool.replace(/^mcp__/, ""));
    if (!named) throw new ToolInputError(`${JSON.stringify(tool)} is no tool of a server; find_tools shows names.`);
    return { kind: "mcp", op: "call", server: named.server, what: named.tool, input };
  },
  run({ tool }, grant, report) {
    const talk: McpTalk = { progress: report.output, ask: report.ask };
    const hand = grant.mcp();
    const answer = () => {
      if (!namedResource(tool.replace(/^\//, ""))) return hand.call(talk);
      return tool.startsWith("/") ? hand.prompt(talk) : hand.read(talk);
    };
    return orFailure(grant, async () => replyResult(await answer()));
  },
});

export function replyResult({ failed, parts, left, told = [] }: McpReply): Result {
  const shown: Part[] = parts.filter((part) => part.type !== "text" || part.text.trim() !== "");
  const notes = [
    ...(failed ? ["[the tool says that it failed]"] : []),
    ...(shown.length === 0 && left.length === 0 ? ["(no output)"] : []),
    ...left.map((what) => `[left out: ${what}]`),
    ...told.map((what) => `[${what}]`),
  ];
  const all: Part[] = [...shown, ...notes.map((text): Part => ({ type: "text", text, note: true }))];
  return failed ? { status: "failed", code: "mcp.tool", parts: all } : { status: "done", parts: all };
}
