// The same server at an address of this machine: many clients, each known by its token. A client of the current revision
// sends requests that stand alone; one of the previous revision has a session, whose streams it may take up again.
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isInitializeRequest,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpHttpHandler,
  originValidationResponse,
  readRequestBody,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { sha256 } from "../../base/digest.ts";
import type { Json } from "../../protocol/message.ts";
import { RecentEvents } from "./recent-events.ts";
import type { Seat, WebHost } from "./host.ts";
import { serverFor, tellNews } from "./serve.ts";
import { ServedSession } from "./served-session.ts";
import { sentenceOf } from "./sentence.ts";

const place = "/mcp";
const mostSessions = 32;
const idleMs = 30 * 60 * 1000;

interface StreamSession {
  server?: Server;
  transport: WebStandardStreamableHTTPServerTransport;
  close(): Promise<void>;
  usedAt: number;
  /** Requests and streams of it that are open. */
  open: number;
}

export class WebServing {
  readonly #tables: ReadonlyMap<string, Table>;

  constructor(host: WebHost) {
    this.#tables = new Map(host.seats.map((seat) => [sha256(seat.token), new Table(host, seat)]));
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused) return refused;
    const { pathname } = new URL(request.url);
    if (pathname !== place && !pathname.startsWith(`${place}/`)) return refusal(404, "There is nothing here.");
    const table = this.#tables.get(sha256(tokenOf(request, pathname)));
    if (!table) return refusal(401, "A token is needed.", { "www-authenticate": "Bearer" });
    const body = request.method === "POST" ? await readBody(request) : undefined;
    if (body && "refused" in body) return body.refused;
    return table.take(request, body?.parsed);
  };

  async close(): Promise<void> {
    await Promise.all([...this.#tables.values()].map((table) => table.close()));
  }
}

/** Its digest is looked up, so that no time tells how much of it was right. */
const tokenOf = (request: Request, pathname: string): string =>
  /^bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? pathname.slice(place.length + 1);

/** What is no JSON is the protocol's own to refuse. */
async function readBody(request: Request): Promise<{ parsed: unknown } | { refused: Response }> {
  const read = await readRequestBody(request);
  if (read.tooLarge) return { refused: refusal(413, "The request is too large.") };
  try {
    return { parsed: JSON.parse(read.text) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { refused: refusal(400, "The request is no JSON.", {}, -32_700) };
  }
}

const refusal = (status: number, message: string, headers: Record<string, string> = {}, code = -32_000): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });

function wantedResources(body: unknown): string[] {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { notifications?: unknown } };
  if (method !== "subscriptions/listen") return [];
  const { resourceSubscriptions: uris } = (params?.notifications ?? {}) as { resourceSubscriptions?: unknown };
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string").slice(0, mostWatched) : [];
}

const mostWatched = 50;

/** A session that begins when it is first needed. What failed may succeed for whoever asks next. */
class OpenedLater {
  readonly #open: () => Promise<ServedSession>;
  #opening: Promise<ServedSession> | undefined;

  constructor(open: () => Promise<ServedSession>) {
    this.#open = open;
  }

  /** Undefined: nobody has needed it, or it could not begin. */
  get opened(): Promise<ServedSession | undefined> {
    return Promise.resolve(this.#opening?.catch(() => undefined));
  }

  get(): Promise<ServedSession> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    await (await this.opened)?.close();
  }
}

/** The clients of one seat. */
class Table {
  readonly #host: WebHost;
  readonly #seat: Seat;
  readonly #sessions = new Map<string, StreamSession>();
  /** With those that are being begun and have no name yet. */
  readonly #all = new Set<StreamSession>();
  readonly #modern: McpHttpHandler;
  readonly #shared: OpenedLater;

  constructor(host: WebHost, seat: Seat) {
    this.#host = host;
    this.#seat = seat;
    // Requests that stand alone have one session of fettle's together: what is declined there stays declined.
    this.#shared = new OpenedLater(() => this.#open((method, params) => this.#tell(method, params)));
    const open = () => this.#shared.get();
    this.#modern = createMcpHandler(() => serverFor(host, open), {
      legacy: "reject",
      onerror: (error) => host.log(sentenceOf(error)),
    });
  }

  /** Of the requests that stand alone: who listens is told. */
  #tell(method: string, params: Json): void {
    const { notify } = this.#modern;
    if (method === "notifications/tools/list_changed") notify.toolsChanged();
    if (method === "notifications/prompts/list_changed") notify.promptsChanged();
    if (method === "notifications/resources/list_changed") notify.resourcesChanged();
    const { uri } = params as { uri?: string };
    if (method === "notifications/resources/updated" && uri !== undefined) notify.resourceUpdated(uri);
  }

  async take(request: Request, parsedBody: unknown): Promise<Response> {
    const given = { ...(parsedBody !== undefined && { parsedBody }) };
    if (!(await isLegacyRequest(request, parsedBody))) {
      await this.#watch(parsedBody);
      return this.#modern.fetch(request, given);
    }
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : this.#sessions.get(id);
    if (id !== null && !known) return refusal(404, "There is no such session.", {}, -32_001);
    if (!known && !isInitializeRequest(parsedBody)) return refusal(400, "A session begins with initialize.");
    const session = known ?? (await this.#begin());
    if (!session) return refusal(503, "There are too many sessions.");
    session.usedAt = Date.now();
    session.open += 1;
    // It fires when the exchange is over, however it ends.
    const over = () => {
      session.open -= 1;
      session.usedAt = Date.now();
    };
    request.signal.addEventListener("abort", over, { once: true });
    try {
      return await session.transport.handleRequest(request, given);
    } finally {
      // The protocol has refused its first request: nobody knows its name.
      if (session.transport.sessionId === undefined) await session.close();
    }
  }

  /** Whoever wants news of a resource has them only if its server is asked for them. */
  async #watch(body: unknown): Promise<void> {
    const { gateway } = (await this.#shared.opened) ?? {};
    const wanted = gateway ? wantedResources(body) : [];
    for (const uri of wanted) await gateway?.watch(uri).catch((error: unknown) => this.#host.log(sentenceOf(error)));
  }

  async close(): Promise<void> {
    await this.#modern.close();
    await Promise.all([...this.#all].map((session) => session.close()));
    await this.#shared.close();
  }

  async #open(news: (method: string, params: Json) => void): Promise<ServedSession> {
    const session = new ServedSession(this.#host, await this.#seat.open());
    session.calls.news.add(news);
    return session;
  }

  /** Undefined: all of them are in use. */
  async #begin(): Promise<StreamSession | undefined> {
    const isIdle = ({ open, usedAt }: StreamSession) => open === 0 && usedAt < Date.now() - idleMs;
    await Promise.all([...this.#all].filter(isIdle).map((session) => session.close()));
    if (this.#all.size >= mostSessions) return undefined;
    const served = new OpenedLater(() =>
      this.#open((method, params) => void (session.server && tellNews(session.server, method, params))),
    );
    const session: StreamSession = {
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        eventStore: new RecentEvents(),
        onsessioninitialized: (id) => void this.#sessions.set(id, session),
        onsessionclosed: () => session.close(),
      }),
      usedAt: Date.now(),
      open: 0,
      close: async () => {
        const { sessionId } = session.transport;
        if (sessionId !== undefined) this.#sessions.delete(sessionId);
        this.#all.delete(session);
        await session.server?.close();
        await served.close();
      },
    };
    // Before anything is awaited: those that begin at once are counted, too.
    this.#all.add(session);
    try {
      session.server = await serverFor(this.#host, () => served.get());
      session.server.onerror = (error) => this.#host.log(sentenceOf(error));
      await session.server.connect(session.transport);
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }
}
