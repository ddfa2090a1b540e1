// What a built-in plugin is: tools that are known without starting it, and a process of its own that answers their calls.
import type { McpClass, McpPart, McpTool } from "../../mcp/spec.ts";

export interface BuiltInTool extends McpTool {
  class: McpClass;
}

/** What a call is answered with. Its `text` is foreign: it comes from files, servers or databases. */
export interface BuiltInReply {
  parts: McpPart[];
  failed?: boolean;
}

/** Runs in the plugin's own process, inside the sandbox. */
export interface BuiltInProgram {
  /** Rejects with a PluginProblem for what can be said in a sentence. */
  call(tool: string, input: { [name: string]: unknown }): Promise<BuiltInReply>;
  close(): Promise<void>;
}

/** A sentence for the model. */
export class PluginProblem extends Error {
  override readonly name = "PluginProblem";
}

export const textReply = (text: string): BuiltInReply => ({ parts: [{ type: "text", text }] });

export function textOf(input: { [name: string]: unknown }, name: string): string {
  const value = input[name];
  if (typeof value === "string" && value !== "") return value;
  throw new PluginProblem(`"${name}" is missing.`);
}
