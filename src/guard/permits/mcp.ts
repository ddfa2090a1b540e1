import type { Permit } from "./permit.ts";

/** Who wrote a server down, or trusted it, has allowed its start; limits hold all the same. */
export const mcpStart: Permit = {
  name: "mcp",
  covers: ({ tags, risk }) =>
    risk !== "L3" && tags.includes("mcp-start") && tags.includes("mcp-set-up")
      ? { rule: "mcp.servers", text: "It is an MCP server that you have set up.", tell: true }
      : undefined,
};
