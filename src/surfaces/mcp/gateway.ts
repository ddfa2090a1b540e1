// Servers of the person that fettle passes on: what they offer, and each request to one of them by way of the gate.
import {
  type ClientCapabilities,
  type InputRequiredResult,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { calledAs, namedTool } from "../../base/mcp-names.ts";
import type { Json } from "../../protocol/message.ts";
import type { Passing, ServerHost } from "./host.ts";
import type { ServedCalls } from "./served-calls.ts";
import { Continuations } from "./continuations.ts";
import { fitsPattern } from "./uri-pattern.ts";

type Row = { [name: string]: Json };
type Reply = Record<string, unknown>;

/** What one server says of itself. */
interface Offers {
  server: string;
  capabilities: { [name: string]: { listChanged?: boolean; subscribe?: boolean } | undefined };
  instructions?: string;
  tools: Row[];
  resources: Row[];
  resourceTemplates: Row[];
  prompts: Row[];
}

export interface Request {
  server: string;
  method: string;
  params: Row;
}

export interface Asking {
  can: ClientCapabilities | undefined;
  context: ServerContext["mcpReq"];
}

export class Gateway {
  readonly #passing: Passing;
  readonly #calls: ServedCalls;
  readonly #log: ServerHost["log"];
  readonly #continuations = new Continuations();
  #offers: Promise<Offers[]> | undefined;

  constructor(passing: Passing, calls: ServedCalls, log: ServerHost["log"]) {
    this.#passing = passing;
    this.#calls = calls;
    this.#log = log;
    calls.news.add((method) => {
      if (method.endsWith("/list_changed")) this.#offers = undefined;
    });
  }

  get alone(): boolean {
    return this.#passing.alone;
  }

  /** Of those that could be started; they stay until one says that something has changed. */
  offers(): Promise<Offers[]> {
    this.#offers ??= this.#look();
    return this.#offers;
  }

  async #look(): Promise<Offers[]> {
    const found: Offers[] = [];
    for (const server of this.#passing.servers) {
      const ended = await this.#calls.call({
        make: (call) => ({ type: "mcp.pass", call, server, method: "list", params: {}, can: {} }),
        can: undefined,
        context: { signal: new AbortController().signal, requestState: () => undefined as never },
      });
      if (isWhole(ended)) found.push({ server, ...(resultIn(ended.whole) as unknown as Omit<Offers, "server">) });
      else this.#log(`${server}: ${textIn(ended)}`);
    }
    // One that does not start now may start when it is asked again.
    if (found.length < this.#passing.servers.length) this.#offers = undefined;
    return found;
  }

  async list(kind: "tools" | "prompts" | "resources" | "resourceTemplates"): Promise<Row[]> {
    const renamed = kind === "tools" || kind === "prompts";
    return (await this.offers()).flatMap((each) =>
      each[kind].map((row) => (renamed ? { ...row, name: this.#shownAs(each.server, String(row["name"])) } : row)),
    );
  }

  #shownAs(server: string, name: string): string {
    return this.alone ? name : calledAs(server, name);
  }

  /** Undefined: it is nobody's name. */
  named(name: string): { server: string; name: string } | undefined {
    const [only] = this.#passing.servers;
    if (this.alone && only !== undefined) return { server: only, name };
    const named = namedTool(name);
    return named && this.#passing.servers.includes(named.server)
      ? { server: named.server, name: named.tool }
      : undefined;
  }

  /** The first that lists it, then the first that has a pattern for it. */
  async holderOf(uri: string): Promise<string | undefined> {
    if (this.alone) return this.#passing.servers[0];
    const all = await this.offers();
    const listed = all.find(({ resources }) => resources.some((row) => row["uri"] === uri));
    const fits = ({ resourceTemplates }: Offers) =>
      resourceTemplates.some((row) => fitsPattern(uri, String(row["uriTemplate"])));
    return (listed ?? all.find(fits))?.server;
  }

  async holderOfPattern(pattern: string): Promise<string | undefined> {
    if (this.alone) return this.#passing.servers[0];
    const all = await this.offers();
    return all.find(({ resourceTemplates }) => resourceTemplates.some((row) => row["uriTemplate"] === pattern))?.server;
  }

  /** Asks the server for news of a resource; each client is told those that it wants by its own stream. */
  async watch(uri: string): Promise<void> {
    const server = await this.holderOf(uri);
    if (server === undefined) return;
    const context = { signal: new AbortController().signal, requestState: () => undefined as never };
    await this.#calls.call({
      make: (call) => ({ type: "mcp.pass", call, server, method: "resources/subscribe", params: { uri }, can: {} }),
      can: undefined,
      context,
    });
  }

  /** Rejects with a ProtocolError, also for what the gate or the machine refused. */
  async pass({ server, method, params }: Request, { can, context }: Asking): Promise<Reply | InputRequiredResult> {
    const given = context.requestState<unknown>();
    const open = this.#calls.awaits(given);
    const before = open ? undefined : this.#continuations.take(given, { server, method, params });
    if (given !== undefined && !open && !before) throw this.#calls.closed();
    const { inputResponses } = context;
    // The revision before says it once, and is then sent what it wants of all.
    const level = context.envelope ? (context.envelope as Row)[LOG_LEVEL_META_KEY] : "debug";
    let made = "";
    const ended = await this.#calls.call({
      make: (call) => {
        made = call;
        return {
          ...{ type: "mcp.pass", call, server, method, params, can: (can ?? {}) as Json },
          ...(typeof level === "string" && { level }),
          ...(inputResponses && { inputs: inputResponses as Json }),
          ...(before && { continues: before.call }),
          ...(before?.state !== undefined && { state: before.state }),
        };
      },
      can,
      context: before ? { ...context, requestState: () => undefined as never } : context,
      told: (said, about) => void this.#tell(said, about as Row, context),
    });
    if (!isWhole(ended)) {
      if ("resultType" in ended) return ended;
      return { ...ended };
    }
    const result = resultIn(ended.whole);
    if (result["resultType"] !== "input_required") return result;
    const { requestState, inputRequests } = result;
    const call = made === "" ? (String(given).split(" ")[0] ?? "") : made;
    const state = this.#continuations.keep(
      { call, ...(requestState !== undefined && { state: String(requestState) }) },
      { server, method, params },
    );
    return { resultType: "input_required", inputRequests, requestState: state } as unknown as InputRequiredResult;
  }

  /** What a server says while its call runs, to whoever made that call. */
  async #tell(method: string, params: Row, context: ServerContext["mcpReq"]): Promise<void> {
    const { progressToken } = context._meta ?? {};
    try {
      if (method === "notifications/message") {
        const { level, data, logger } = params;
        const log = (context as unknown as { log: ServerContext["mcpReq"]["log"] }).log;
        await log(level as never, data, logger as string | undefined);
      } else if (progressToken !== undefined)
        await context.notify({ method, params: { ...params, progressToken } } as never);
    } catch (error) {
      // Whoever asked may have gone.
      this.#log(String(error));
    }
  }
}

const isWhole = (ended: object): ended is { whole: Json } => "whole" in ended;

function resultIn(whole: Json): Row {
  const { result, error } = whole as unknown as {
    result?: Row;
    error?: { code: number; message: string; data?: Json };
  };
  if (error) throw new ProtocolError(error.code, error.message, error.data);
  return result ?? {};
}

const textIn = (ended: object): string =>
  "reply" in ended ? JSON.stringify((ended.reply as { content?: unknown }).content) : "it asks for something";

/** What is no answer of the server, of a request that has no other way to say so. */
export const orError = (reply: Reply): Reply => {
  if (!("reply" in reply)) return reply;
  const { content } = reply["reply"] as { content: { text?: string }[] };
  throw new ProtocolError(ProtocolErrorCode.InternalError, content.map(({ text }) => text ?? "").join("\n"));
};
