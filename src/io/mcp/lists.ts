// What a server says that it offers, within bounds: what cannot be used is left out and logged.
import type { JSONRPCMessage, Prompt, Resource, ResourceTemplateType, Tool } from "@modelcontextprotocol/client";
import type { Json } from "../../protocol/message.ts";
import type { McpPrompt, McpResource, McpTool } from "./spec.ts";

type Log = (text: string) => void;

const most = { tools: 2_000, resources: 500, prompts: 200 };
const largestTool = 256 * 1024;
const longestText = 2_000;

/** A tool that nobody can read costs that tool: the protocol's reader would refuse the whole list for it. */
export function withUsableTools(message: JSONRPCMessage, log: Log): JSONRPCMessage {
  if (!("result" in message) || !Array.isArray(message.result["tools"])) return message;
  const listed: unknown[] = message.result["tools"];
  const usable = listed.filter((tool) => {
    if (isTool(tool)) return true;
    leftOut("a tool that is not described as one", isObject(tool) ? String(tool["name"]) : String(tool), log);
    return false;
  });
  return usable.length === listed.length ? message : { ...message, result: { ...message.result, tools: usable } };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isTool(tool: unknown): boolean {
  if (!isObject(tool) || typeof tool["name"] !== "string") return false;
  const { description, title, inputSchema, outputSchema, annotations } = tool;
  const texts = [description, title].every((each) => each === undefined || typeof each === "string");
  const tables = [outputSchema, annotations].every((each) => each === undefined || isObject(each));
  const hints = isObject(annotations) ? Object.entries(annotations).filter(([name]) => name.endsWith("Hint")) : [];
  const flags = hints.every(([, value]) => typeof value === "boolean");
  return texts && tables && flags && isObject(inputSchema) && inputSchema["type"] === "object";
}

export function toolsOf(tools: readonly Tool[], log: Log): McpTool[] {
  const seen = new Set<string>();
  const kept = tools.slice(0, most.tools).flatMap((tool) => {
    const usable = /^[\w./-]{1,128}$/.test(tool.name) && !seen.has(tool.name);
    const described = usable && toolOf(tool);
    if (!described || JSON.stringify(described).length > largestTool) {
      leftOut("a tool", tool.name, log);
      return [];
    }
    seen.add(tool.name);
    return [described];
  });
  if (tools.length > most.tools) log(`[fettle] ${tools.length - most.tools} tools more are left out\n`);
  return kept;
}

const leftOut = (what: string, name: string, log: Log): void =>
  log(`[fettle] ${what} is left out: ${JSON.stringify(name).slice(0, 200)}\n`);

function toolOf({ name, title, description, inputSchema, annotations }: Tool): McpTool {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations ?? {};
  return {
    name,
    ...(title !== undefined && { title }),
    description: description ?? "",
    inputSchema: inputSchema as Json,
    hints: {
      ...(readOnlyHint !== undefined && { readOnly: readOnlyHint }),
      ...(destructiveHint !== undefined && { destructive: destructiveHint }),
      ...(openWorldHint !== undefined && { openWorld: openWorldHint }),
    },
  };
}

/** An address is one word: it stands in a prompt. */
export function resourcesOf(
  { resources, templates }: { resources: readonly Resource[]; templates: readonly ResourceTemplateType[] },
  log: Log,
): McpResource[] {
  const all = [
    ...resources.map((each) => ({ ...each, template: false })),
    ...templates.map(({ uriTemplate, ...each }) => ({ ...each, uri: uriTemplate, template: true })),
  ];
  return all.slice(0, most.resources).flatMap(({ uri, name, title, description, template }) => {
    if (!/^\S{1,2000}$/.test(uri)) {
      leftOut("a resource", uri, log);
      return [];
    }
    const text = [title ?? name, description].filter(Boolean).join(": ");
    return [{ uri, description: text.slice(0, longestText), template }];
  });
}

export const promptsOf = (prompts: readonly Prompt[], log: Log): McpPrompt[] =>
  prompts.slice(0, most.prompts).flatMap(({ name, title, description, arguments: given = [] }) => {
    if (!/^[\p{L}\p{N}_][\p{L}\p{N}_:.-]{0,127}$/u.test(name)) {
      leftOut("a prompt", name, log);
      return [];
    }
    return [
      {
        name,
        description: (description ?? title ?? "").slice(0, longestText),
        arguments: given.slice(0, 20).map((each) => ({
          name: each.name.slice(0, 100),
          description: (each.description ?? "").slice(0, 200),
          required: each.required === true,
        })),
      },
    ];
  });
