// The demonstration's MCP server: it counts what is in the shop. Its tool is described in tool.json beside it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";

const counts = { pens: 12, pads: 3 };
const tool = () => JSON.parse(readFileSync(path.join(import.meta.dirname, "tool.json"), "utf8"));

function answer(method, params) {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "shop", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: [tool()] };
    case "tools/call":
      return { content: [{ type: "text", text: `${counts[params.arguments.item] ?? 0} ${params.arguments.item}` }] };
    default:
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: answer(method, params) })}\n`);
}
