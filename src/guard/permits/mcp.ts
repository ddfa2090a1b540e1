import type { Permit } from "./permit.ts";

/** Who wrote a server down, or trusted it, has allowed its start; limits hold all the same. */
export const mcpStart: Permit = {
  name: "mcp",
  covers: ({ tags, risk }) =>
    risk !== "L3" && tags.includes("mcp-start") && tags.includes("mcp-set-up")
      ? { rule: "mcp.servers", text: "It is an MCP server that you have set up.", tell: true }
      : undefined,
};

/** Its server asked for something in the middle of it: the same tool with the same arguments, of which the gate has said yes. */
export const mcpContinued: Permit = {
  name: "mcp.continued",
  covers: ({ tags, risk }) =>
    // A call of a server, and nothing that a program does besides.
    risk !== "L3" && tags.includes("mcp-continued") && tags.includes("mcp") && !tags.includes("process")
      ? { rule: "mcp.continued", text: "It goes on with a call that was allowed.", tell: true }
      : undefined,
};
