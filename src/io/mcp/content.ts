// What a server's answers hold, as parts for the model; what cannot be shown is named.
import type { ContentBlock, GetPromptResult, ReadResourceResult } from "@modelcontextprotocol/client";
import type { Json } from "../../protocol/message.ts";
import type { McpPart, McpReply } from "./spec.ts";

const mostText = 2_000_000;
const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** What came by the protocol is JSON; what only the SDK adds to it is left out. */
export const jsonOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

export function replyOf(reply: {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}): McpReply {
  const left: string[] = [];
  const parts = reply.content.flatMap((block) => partOf(block, left));
  if (reply.structuredContent !== undefined && !parts.some(({ type }) => type === "text"))
    parts.push({ type: "text", text: JSON.stringify(reply.structuredContent, null, 1) });
  return { failed: reply.isError === true, parts: parts.map((part) => bounded(part, left)), left };
}

export function resourceReply({ contents }: ReadResourceResult): McpReply {
  const left: string[] = [];
  const parts = contents.flatMap((each): McpPart[] => {
    if ("text" in each) return [{ type: "text", text: each.text }];
    const mime = each.mimeType ?? "";
    if (images.has(mime)) return [{ type: "image", mime, data: each.blob }];
    left.push(`${each.uri.slice(0, 200)}, which is no text`);
    return [];
  });
  return { failed: false, parts: parts.map((part) => bounded(part, left)), left };
}

/** What a prompt says, each message under whoever is to have said it. */
export function promptReply({ messages }: GetPromptResult): McpReply {
  const left: string[] = [];
  const several = messages.some(({ role }) => role !== "user");
  const parts = messages.flatMap(({ role, content }) =>
    partOf(content, left).map((part) =>
      part.type === "text" && several ? { ...part, text: `${role}: ${part.text}` } : part,
    ),
  );
  return { failed: false, parts: parts.map((part) => bounded(part, left)), left };
}

function partOf(block: ContentBlock, left: string[]): McpPart[] {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: block.text }];
    case "image":
      if (images.has(block.mimeType)) return [{ type: "image", mime: block.mimeType, data: block.data }];
      left.push(`an image of the type ${block.mimeType.slice(0, 60)}`);
      return [];
    case "resource":
      if ("text" in block.resource) return [{ type: "text", text: `${block.resource.uri}\n${block.resource.text}` }];
      left.push(`a resource that is no text, ${block.resource.uri.slice(0, 200)}`);
      return [];
    case "resource_link":
      return [
        { type: "text", text: `${block.name}: ${block.uri}${block.description ? `\n${block.description}` : ""}` },
      ];
    default:
      left.push(`a part of the type ${block.type}`);
      return [];
  }
}

function bounded(part: McpPart, left: string[]): McpPart {
  if (part.type !== "text" || part.text.length <= mostText) return part;
  left.push(`${part.text.length - mostText} characters`);
  return { type: "text", text: part.text.slice(0, mostText) };
}
