// A built-in plugin as an MCP server over stdin and stdout: whole lines, one message each. The tools are those that fettle
// knows anyway, so they are what was judged.
import { createInterface } from "node:readline";
import { anyError, withFallback } from "../../../base/fallback.ts";
import { type BuiltInProgram, type BuiltInTool, PluginProblem } from "./spec.ts";

interface Message {
  id?: number | string;
  method?: string;
  params?: { [name: string]: unknown };
}

const revision = "2025-11-25";

/** Ends the process when the input ends. `program` is opened by the first call. */
export function serve(name: string, tools: readonly BuiltInTool[], program: () => Promise<BuiltInProgram>): void {
  let opened: Promise<BuiltInProgram> | undefined;
  const send = (message: object) => void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on("line", (line) => {
    const message = withFallback<undefined, Message>(undefined, anyError, () => JSON.parse(line) as Message);
    const id = message?.id;
    if (!message?.method || id === undefined) return;
    if (message.method !== "tools/call") {
      const result = answerOf(message.method, name, tools);
      send(result ? { id, result } : { id, error: { code: -32_601, message: `${message.method} is not known` } });
      return;
    }
    opened ??= program();
    void opened
      .then((made) => made.call(String(message.params?.["name"]), argumentsOf(message)))
      .then(
        ({ parts, failed }) => ({ content: parts.map(contentOf), ...(failed && { isError: true }) }),
        (error: unknown) => ({ content: [{ type: "text", text: sentenceOf(error) }], isError: true }),
      )
      .then((result) => send({ id, result }));
  });
  lines.on("close", () => {
    void Promise.resolve(opened)
      .then((made) => made?.close())
      .catch(() => undefined)
      .finally(() => process.exit(0));
  });
}

function answerOf(method: string, name: string, tools: readonly BuiltInTool[]): object | undefined {
  if (method === "initialize")
    return { protocolVersion: revision, capabilities: { tools: {} }, serverInfo: { name, version: "1" } };
  if (method === "tools/list") return { tools: tools.map(listed) };
  return method === "ping" ? {} : undefined;
}

const listed = ({ name, description, inputSchema }: BuiltInTool) => ({ name, description, inputSchema });

const contentOf = (part: Awaited<ReturnType<BuiltInProgram["call"]>>["parts"][number]) =>
  part.type === "text" ? part : { type: "image", mimeType: part.mime, data: part.data };

function argumentsOf({ params }: Message): { [name: string]: unknown } {
  const given = params?.["arguments"];
  return typeof given === "object" && given !== null && !Array.isArray(given) ? { ...given } : {};
}

function sentenceOf(error: unknown): string {
  if (error instanceof PluginProblem) return error.message;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return error instanceof Error ? error.message : String(error);
}
