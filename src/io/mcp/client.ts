// One conversation with one MCP server, by the official SDK. It is loaded when the first server is needed.
import {
  Client,
  type ContentBlock,
  type JSONRPCMessage,
  SdkError,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from "@modelcontextprotocol/client";
import type { Json } from "../../protocol/message.ts";
import { McpFailure, type McpLine, type McpPart, type McpProcess, type McpReply, type McpTool } from "./spec.ts";

export interface McpConnection {
  /** All of them, over as many pages as there are. */
  tools(signal: AbortSignal): Promise<McpTool[]>;
  call(tool: string, input: Json, of: McpCall): Promise<McpReply>;
  close(): Promise<void>;
}

interface McpCall {
  signal: AbortSignal;
  timeoutMs: number;
  onProgress(text: string): void;
}

export interface McpConnecting {
  /** For the log, and in what is said of failures. */
  server: string;
  signal: AbortSignal;
  /** Longest wait for its greeting and its lists. */
  timeoutMs: number;
  /** Absent: it is asked which revision of the protocol it speaks; some old servers end over that question. */
  legacy?: boolean;
  log(text: string): void;
  toolsChanged(): void;
  /** Told once, when the server has ended by itself. */
  ended(why: string): void;
}

const startMs = 30_000;
const startOf = ({ timeoutMs }: McpConnecting): number => Math.min(startMs, timeoutMs);
const probeMs = 5_000;
const mostTools = 2_000;
const largestTool = 256 * 1024;
const mostText = 2_000_000;
const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Rejects with an McpFailure. */
export async function connect(line: McpLine, of: McpConnecting): Promise<McpConnection> {
  const client = new Client(
    { name: "fettle", version: fettleVersion() },
    {
      versionNegotiation: {
        mode: of.legacy ? "legacy" : "auto",
        probe: { timeoutMs: Math.min(probeMs, of.timeoutMs) },
      },
      // An answer is data for the model, whatever its schema; a pattern out of a foreign schema is never run here.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
      // Over HTTP that would be a stream of its own, for whose beginning every start waits: there the tools are read at each start.
      ...("process" in line && {
        listChanged: { tools: { autoRefresh: false, onChanged: () => of.toolsChanged() } },
      }),
    },
  );
  client.onerror = (error) => of.log(`[fettle] ${error.message}\n`);
  try {
    await client.connect(transportOf(line, of), { timeout: startOf(of), signal: of.signal });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw failureOf(error, of.server, "did not start");
  }
  return {
    async tools(signal) {
      const listing = client.listTools(undefined, { timeout: startOf(of), signal, cacheMode: "refresh" });
      return toolsOf(await attempt(listing, of.server, "did not list its tools"), of);
    },
    async call(tool, input, { signal, timeoutMs, onProgress }) {
      const reply = await attempt(
        client.callTool(
          { name: tool, arguments: argumentsOf(input) },
          {
            ...{ signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs },
            onprogress: ({ progress, total, message }) =>
              onProgress(`${message ?? "progress"} ${progress}${total === undefined ? "" : `/${total}`}\n`),
          },
        ),
        of.server,
        `did not answer the call of ${tool}`,
      );
      return replyOf(reply);
    },
    close: () => client.close(),
  };
}

const fettleVersion = (): string => process.env["FETTLE_VERSION"] ?? "0.0.0";

/** What is asked of it in one revision and not understood is asked in the other: both are tried by the SDK. */
const transportOf = (line: McpLine, of: McpConnecting): Transport =>
  "process" in line
    ? transportOver(line.process, of)
    : new StreamableHTTPClientTransport(new URL(line.url), { fetch: line.fetch, redirectPolicy: "same-origin" });

function transportOver(server: McpProcess, { log, ended }: McpConnecting): Transport {
  const transport: Transport = {
    async start() {
      server.listen({
        line(text) {
          const message = messageIn(text);
          if (message) transport.onmessage?.(message);
          else log(`[fettle] not a message: ${text.slice(0, 200)}\n`);
        },
        ended: (why) => {
          log(`[fettle] ${why}\n`);
          ended(why);
          transport.onclose?.();
        },
      });
    },
    send: (message) => server.send(JSON.stringify(message)),
    close: () => server.close(),
  };
  return transport;
}

/** What a server prints besides is no message, and no reason to give it up. */
function messageIn(text: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const known = typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0";
    return known ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}

async function attempt<T>(work: Promise<T>, server: string, what: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw failureOf(error, server, what);
  }
}

/** What the server itself says is told apart from fettle's own words: it may say anything. */
function failureOf(error: unknown, server: string, what: string): McpFailure {
  if (error instanceof McpFailure) return error;
  const said = error instanceof Error ? error.message : String(error);
  const code = error instanceof SdkError && /TIMEOUT/i.test(String(error.code)) ? "mcp.timeout" : "mcp.failed";
  return new McpFailure(code, `The MCP server ${server} ${what}: ${said.slice(0, 2_000).replace(/\.$/, "")}.`);
}

const argumentsOf = (input: Json): Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};

function toolsOf({ tools }: { tools: Tool[] }, of: McpConnecting): McpTool[] {
  const seen = new Set<string>();
  const kept = tools.slice(0, mostTools).flatMap((tool) => {
    const usable = /^[\w./-]{1,128}$/.test(tool.name) && !seen.has(tool.name);
    const described = usable && toolOf(tool);
    if (!described || JSON.stringify(described).length > largestTool) {
      of.log(`[fettle] a tool is left out: ${JSON.stringify(tool.name).slice(0, 200)}\n`);
      return [];
    }
    seen.add(tool.name);
    return [described];
  });
  if (tools.length > mostTools) of.log(`[fettle] ${tools.length - mostTools} tools more are left out\n`);
  return kept;
}

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

function replyOf(reply: {
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
