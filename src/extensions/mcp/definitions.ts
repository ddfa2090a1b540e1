import { digestOf } from "../../base/digest.ts";
import type { McpTool } from "../../io/mcp/spec.ts";

/** By which a definition is known again. */
export const toolDigest = (tool: McpTool): string => digestOf(tool);
