// What an MCP server's process may reach is held by the sandbox alone.
import type { Limit } from "./limit.ts";

export const mcpUnconfined: Limit = {
  name: "mcp.unconfined",
  judge: ({ tags, effects }, { sandboxed }) =>
    tags.includes("mcp-start") && !sandboxed && effects.some(({ kind }) => kind === "spawn")
      ? { ask: "There is no sandbox: nothing would keep this MCP server to what it was granted." }
      : "pass",
};
