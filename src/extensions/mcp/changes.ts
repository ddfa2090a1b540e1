// What differs between a tool's definition as it was pinned and as its server sends it now, for a person to read.
import { lineDiff } from "../../base/line-diff.ts";
import type { McpTool } from "../../io/mcp/spec.ts";

export async function changedLines(before: McpTool | undefined, now: McpTool): Promise<string[]> {
  if (!before) return ["new since its server was pinned", ...linesOf(now).map((line) => `+${line}`)];
  const { patch } = await lineDiff(`${linesOf(before).join("\n")}\n`, `${linesOf(now).join("\n")}\n`);
  return patch.trimEnd().split("\n");
}

const linesOf = ({ title, description, inputSchema, hints }: McpTool): string[] => [
  ...(title === undefined ? [] : [`title: ${title}`]),
  ...`description: ${description}`.split("\n"),
  ...`arguments: ${JSON.stringify(inputSchema, null, 2)}`.split("\n"),
  `hints: ${JSON.stringify(hints)}`,
];
