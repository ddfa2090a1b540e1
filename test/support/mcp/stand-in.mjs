// An MCP server over stdio that does what a test says (stand-in.d.mts): `node stand-in.mjs OPTIONS`. It speaks the older revision.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const options = JSON.parse(process.argv[2] ?? "{}");
if (options.marks) appendFileSync(options.marks, "started\n");
if (options.prints) {
  process.stdout.write(`${options.prints}\n`);
  process.stderr.write(`${options.prints}\n`);
}

const tools = () => (options.toolsFrom ? JSON.parse(readFileSync(options.toolsFrom, "utf8")) : (options.tools ?? []));

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

function filled(text, given) {
  return text.replace(/\{\{(?:(env|file):)?([^}]*)\}\}/g, (_all, kind, name) => {
    if (kind === "env") return process.env[name] ?? "(unset)";
    if (kind === "file") return existsSync(name) ? readFileSync(name, "utf8") : "(no file)";
    return String(given[name] ?? "");
  });
}

async function call(id, { name, arguments: given = {} }) {
  const tool = tools().find((each) => each.name === name);
  if (!tool) return send({ id, error: { code: -32602, message: `no tool ${name}` } });
  const text = filled(tool.says ?? "done", given);
  switch (tool.does) {
    case "die":
      return process.exit(7);
    case "hang":
      return undefined;
    case "flood":
      return flood();
    case "garbage":
      process.stdout.write("this is no message\n{broken\n");
      break;
    case "write":
      try {
        appendFileSync(String(given["path"]), "written\n");
      } catch (error) {
        return send({ id, result: { content: [{ type: "text", text: String(error) }], isError: true } });
      }
      break;
    case "ask":
      return ask(tool.asks, (answer) =>
        send({ id, result: { content: [{ type: "text", text: JSON.stringify(answer) }] } }),
      );
    case "more":
      options.resources.push({ uri: "note://more", text: "one more" });
      send({ method: "notifications/resources/list_changed" });
      break;
    case "connect":
      try {
        await fetch(String(given["url"]));
      } catch (error) {
        return send({ id, result: { content: [{ type: "text", text: `no way: ${String(error)}` }] } });
      }
  }
  const structured = tool.structured && { structuredContent: tool.structured };
  send({ id, result: { content: [{ type: "text", text }], ...structured, ...(tool.fails && { isError: true }) } });
}

const asked = new Map();

function ask(params, then) {
  const id = `ask-${asked.size}`;
  asked.set(id, then);
  send({ id, method: "elicitation/create", params });
}

/** What is no tool: resources and prompts; undefined for another method. */
function offered(method, params) {
  const { resources = [], templates = [], prompts = [] } = options;
  const named = (each) => ({ ...each, name: each.name ?? each.uri });
  switch (method) {
    case "resources/list":
      return { resources: resources.map(({ text: _text, ...each }) => named(each)) };
    case "resources/templates/list":
      return { resourceTemplates: templates };
    case "resources/read": {
      const text = resources.find(({ uri }) => uri === params.uri)?.text ?? `filled in: ${params.uri}`;
      return { contents: [{ uri: params.uri, text }] };
    }
    case "prompts/list":
      return { prompts: prompts.map(({ text: _text, ...each }) => each) };
    case "prompts/get": {
      const { text } = prompts.find(({ name }) => name === params.name);
      return { messages: [{ role: "user", content: { type: "text", text: filled(text, params.arguments ?? {}) } }] };
    }
    default:
      return undefined;
  }
}

/** One line that does not end. */
function flood() {
  const piece = "x".repeat(1024 * 1024);
  const pour = () => {
    while (process.stdout.write(piece));
    process.stdout.once("drain", pour);
  };
  pour();
}

function answer({ id, method, params, result, error }) {
  if (method === undefined) return asked.get(id)?.(result ?? error);
  if (method === "initialize") {
    if (options.mute) return undefined;
    const protocolVersion = params?.["protocolVersion"] ?? "2025-11-25";
    const serverInfo = { name: "stand-in", version: "1.0.0" };
    const capabilities = {
      tools: { listChanged: true },
      ...(options.resources && { resources: { listChanged: true } }),
      ...(options.prompts && { prompts: {} }),
    };
    return send({ id, result: { protocolVersion, capabilities, serverInfo } });
  }
  if (options.picky && id !== undefined && method !== "tools/list" && method !== "tools/call") return process.exit(3);
  if (method === "tools/list") {
    const listed = tools().map(({ name, description, inputSchema, outputSchema, annotations }) => ({
      ...{ name, description: description ?? "", inputSchema: inputSchema ?? { type: "object" } },
      ...(annotations && { annotations }),
      ...(outputSchema && { outputSchema }),
    }));
    return send({ id, result: { tools: listed } });
  }
  if (method === "tools/call") return call(id, params);
  if (method === "notifications/cancelled" && options.marks) return appendFileSync(options.marks, "cancelled\n");
  const more = offered(method, params);
  if (more) return send({ id, result: more });
  if (method === "ping") return send({ id, result: {} });
  return id === undefined ? undefined : send({ id, error: { code: -32601, message: "Method not found" } });
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (line.trim() !== "") answer(JSON.parse(line));
});
process.stdin.on("end", () => process.exit(0));
