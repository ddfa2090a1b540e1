// One conversation with one MCP server, by the official SDK. It is loaded when the first server is needed.
import {
  Client,
  type ElicitRequestParams,
  type ElicitResult,
  type JSONRPCMessage,
  type ProgressCallback,
  type RequestOptions,
  SdkError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { Json } from "../../protocol/message.ts";
import { promptReply, replyOf, resourceReply } from "./content.ts";
import { promptsOf, resourcesOf, toolsOf, withUsableTools } from "./lists.ts";
import {
  McpFailure,
  type McpLine,
  type McpProcess,
  type McpPrompt,
  type McpReply,
  type McpResource,
  type McpTalk,
  type McpTool,
} from "./spec.ts";

export interface McpConnection {
  /** All of them, over as many pages as there are. */
  tools(signal: AbortSignal): Promise<McpTool[]>;
  /** None where the server has none of the kind. */
  resources(signal: AbortSignal): Promise<McpResource[]>;
  prompts(signal: AbortSignal): Promise<McpPrompt[]>;
  call(tool: string, input: Json, of: McpCall): Promise<McpReply>;
  read(uri: string, of: McpCall): Promise<McpReply>;
  prompt(name: string, input: Readonly<Record<string, string>>, of: McpCall): Promise<McpReply>;
  close(): Promise<void>;
}

interface McpCall {
  signal: AbortSignal;
  /** Without what the person takes for an answer. */
  timeoutMs: number;
  talk: McpTalk;
}

export type McpList = "tools" | "resources" | "prompts";

export interface McpConnecting {
  /** For the log, and in what is said of failures. */
  server: string;
  signal: AbortSignal;
  /** Longest wait for its greeting and its lists. */
  timeoutMs: number;
  /** Absent: it is asked which revision of the protocol it speaks; some old servers end over that question. */
  legacy?: boolean;
  log(text: string): void;
  changed(list: McpList): void;
  /** Told once, when the server has ended by itself. */
  ended(why: string): void;
}

const startMs = 30_000;
const startOf = ({ timeoutMs }: McpConnecting): number => Math.min(startMs, timeoutMs);
const probeMs = 5_000;
/** The clock of a call is fettle's own: it stands still while a person answers. */
const longestMs = 24 * 60 * 60 * 1000;

/** Rejects with an McpFailure. */
export async function connect(line: McpLine, of: McpConnecting): Promise<McpConnection> {
  const { server } = of;
  const calls = new Calls(server);
  const client = clientFor(line, of);
  client.setRequestHandler("elicitation/create", ({ params }) => calls.elicited(params));
  client.onerror = (error) => of.log(`[fettle] ${error.message}\n`);
  try {
    await client.connect(forgiving(transportOf(line, of), of), { timeout: startOf(of), signal: of.signal });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw failureOf(error, server, "did not start");
  }
  if (!("process" in line)) listen(client, of);
  const listing = (signal: AbortSignal) => ({ timeout: startOf(of), signal, cacheMode: "refresh" as const });
  const has = client.getServerCapabilities() ?? {};
  return {
    async tools(signal) {
      if (!has.tools) return [];
      const { tools } = await attempt(client.listTools(undefined, listing(signal)), server, "did not list its tools");
      return toolsOf(tools, of.log);
    },
    async resources(signal) {
      if (!has.resources) return [];
      const [{ resources }, { resourceTemplates }] = await attempt(
        Promise.all([
          client.listResources(undefined, listing(signal)),
          // Many servers have no patterns, and say so by an error.
          client.listResourceTemplates(undefined, listing(signal)).catch(() => ({ resourceTemplates: [] })),
        ]),
        server,
        "did not list its resources",
      );
      return resourcesOf({ resources, templates: resourceTemplates }, of.log);
    },
    async prompts(signal) {
      if (!has.prompts) return [];
      const all = client.listPrompts(undefined, listing(signal));
      return promptsOf((await attempt(all, server, "did not list its prompts")).prompts, of.log);
    },
    call: (tool, input, call) =>
      calls.run(call, `did not answer the call of ${tool}`, async (options) =>
        replyOf(await client.callTool({ name: tool, arguments: argumentsOf(input) }, options)),
      ),
    read: (uri, call) =>
      calls.run(call, "did not read the resource", async (options) =>
        resourceReply(await client.readResource({ uri }, options)),
      ),
    prompt: (name, input, call) =>
      calls.run(call, `did not give the prompt ${name}`, async (options) =>
        promptReply(await client.getPrompt({ name, arguments: { ...input } }, options)),
      ),
    close: () => client.close(),
  };
}

function clientFor(line: McpLine, of: McpConnecting): Client {
  const changed = (list: McpList) => ({
    autoRefresh: false as const,
    debounceMs: 0,
    onChanged: () => of.changed(list),
  });
  return new Client(
    { name: "fettle", version: fettleVersion() },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: {
        mode: of.legacy ? "legacy" : "auto",
        probe: { timeoutMs: Math.min(probeMs, of.timeoutMs) },
      },
      // An answer is data for the model, whatever its schema; a pattern out of a foreign schema is never run here.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
      // Over HTTP that would be a stream of its own, for whose beginning every start waits (`listen`).
      ...("process" in line && {
        listChanged: { tools: changed("tools"), resources: changed("resources"), prompts: changed("prompts") },
      }),
    },
  );
}

/** Changes of a server over HTTP, for whose stream nobody waits; where there is none, lists are read at each start. */
function listen(client: Client, of: McpConnecting): void {
  if (client.getProtocolEra() !== "modern") return;
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  client.setNotificationHandler("notifications/tools/list_changed", () => of.changed("tools"));
  client.setNotificationHandler("notifications/resources/list_changed", () => of.changed("resources"));
  client.setNotificationHandler("notifications/prompts/list_changed", () => of.changed("prompts"));
  client.listen(filter).catch((error: unknown) => of.log(`[fettle] no news of changes: ${String(error)}\n`));
}

/** The calls that are being made: whose time runs, and whom the server asks. */
class Calls {
  readonly #server: string;
  readonly #running: { call: McpCall; clock: CallClock; told: string[] }[] = [];
  /** One question after the other. */
  #asking: Promise<unknown> = Promise.resolve();

  constructor(server: string) {
    this.#server = server;
  }

  async run(call: McpCall, what: string, make: (options: RequestOptions) => Promise<McpReply>): Promise<McpReply> {
    const clock = new CallClock(call);
    const entry = { call, clock, told: [] as string[] };
    this.#running.push(entry);
    const onprogress: ProgressCallback = ({ progress, total, message }) =>
      call.talk.progress(`${message ?? "progress"} ${progress}${total === undefined ? "" : `/${total}`}\n`);
    try {
      const options = { signal: clock.signal, timeout: longestMs, onprogress };
      const reply = await attempt(make(options), this.#server, what).catch((error: unknown) => {
        if (!clock.over) throw error;
        const seconds = Math.round(call.timeoutMs / 1000);
        throw new McpFailure("mcp.timeout", `The MCP server ${this.#server} ${what}: it timed out after ${seconds} s.`);
      });
      return entry.told.length === 0 ? reply : { ...reply, told: entry.told };
    } finally {
      clock.stop();
      this.#running.splice(this.#running.indexOf(entry), 1);
    }
  }

  /** A server does not say for which call it asks: the last that began. */
  async elicited(params: ElicitRequestParams): Promise<ElicitResult> {
    const entry = this.#running.at(-1);
    if (!entry) return { action: "decline" };
    const { call, clock, told } = entry;
    const { elicited } = await import("./elicitation.ts");
    const ask: McpTalk["ask"] = (question, options) => call.talk.ask(question, options);
    const asking = this.#asking.then(() =>
      elicited(params, { server: this.#server, ask, told: (text) => void told.push(text) }),
    );
    this.#asking = asking.catch(() => undefined);
    return clock.during(asking);
  }
}

/** Stands still while the person is asked. */
class CallClock {
  readonly #controller = new AbortController();
  readonly signal: AbortSignal;
  over = false;
  #left: number;
  #since = 0;
  #asking = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ signal, timeoutMs }: McpCall) {
    this.#left = timeoutMs;
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
    this.#go();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async during<T>(work: Promise<T>): Promise<T> {
    this.#asking += 1;
    if (this.#asking === 1) {
      this.stop();
      this.#left -= performance.now() - this.#since;
    }
    try {
      return await work;
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) this.#go();
    }
  }

  #go(): void {
    this.#since = performance.now();
    const over = () => {
      this.over = true;
      this.#controller.abort();
    };
    this.#timer = setTimeout(over, Math.max(1, this.#left));
  }
}

const fettleVersion = (): string => process.env["FETTLE_VERSION"] ?? "0.0.0";

/** What is asked of it in one revision and not understood is asked in the other: both are tried by the SDK. */
const transportOf = (line: McpLine, of: McpConnecting): Transport =>
  "process" in line
    ? transportOver(line.process, of)
    : new StreamableHTTPClientTransport(new URL(line.url), { fetch: line.fetch, redirectPolicy: "same-origin" });

/** What comes is looked at before the SDK refuses all of it for a part. */
function forgiving(transport: Transport, { log }: McpConnecting): Transport {
  let inner: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    get: (): Transport["onmessage"] => inner && ((message, extra) => inner?.(withUsableTools(message, log), extra)),
    set(given: Transport["onmessage"]) {
      inner = given;
    },
  });
  return transport;
}

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
