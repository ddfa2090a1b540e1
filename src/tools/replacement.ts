// A tool of a person's own MCP server in the place of one of fettle's: the same call as by `mcp`, under the other's name.
import type { McpTool } from "../io/mcp/spec.ts";
import type { Json } from "../protocol/message.ts";
import { orFailure } from "./failure.ts";
import type { Input } from "./input.ts";
import { replyResult } from "./mcp.ts";
import { type AnyTool, defineTool } from "./tool.ts";

const longestDescription = 1_500;

/** `definition`: as it was pinned. Its server checks the arguments. */
export const replacement = (name: string, server: string, definition: McpTool): AnyTool =>
  defineTool<Json>({
    name,
    prompt: `${definition.description.slice(0, longestDescription).trim()}\n(A tool of the MCP server ${server}.)`,
    input: anyObject(definition.inputSchema),
    parse: (input) => ({ kind: "mcp", op: "call", server, what: definition.name, input }),
    run: (_input, grant, report) =>
      orFailure(grant, async () => replyResult(await grant.mcp().call({ progress: report.output, ask: report.ask }))),
  });

const anyObject = (schema: Json): Input<Json> => ({
  schema: typeof schema === "object" && schema !== null && !Array.isArray(schema) ? schema : { type: "object" },
  shape: "an object",
  read: (input) =>
    typeof input === "object" && input !== null && !Array.isArray(input)
      ? { value: input }
      : { problem: "the arguments must be an object" },
});
