// What a conversation with a server comes to when it fails: one sentence that names the server.
import { SdkError } from "@modelcontextprotocol/client";
import { McpFailure } from "./spec.ts";

export async function attempt<T>(work: Promise<T>, server: string, what: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw failureOf(error, server, what);
  }
}

/** What the server itself says is told apart from fettle's own words: it may say anything. */
export function failureOf(error: unknown, server: string, what: string): McpFailure {
  if (error instanceof McpFailure) return error;
  const said = error instanceof Error ? error.message : String(error);
  const code = error instanceof SdkError && /TIMEOUT/i.test(String(error.code)) ? "mcp.timeout" : "mcp.failed";
  return new McpFailure(code, `The MCP server ${server} ${what}: ${said.slice(0, 2_000).replace(/\.$/, "")}.`);
}
