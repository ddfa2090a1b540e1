// What an editor may ask of fettle on one connection, and the sessions that it has open.
import path from "node:path";
import {
  type AgentContext,
  type AuthMethod,
  type InitializeRequest,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type McpServer,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type SessionConfigOption,
  type SessionModeState,
} from "@agentclientprotocol/sdk";
import type { Client } from "../../protocol/client.ts";
import type { HandedServer, OpenFlags } from "../../protocol/open.ts";
import type { EditorHost } from "./editor-host.ts";
import { EditorSession } from "./editor-session.ts";
import { badRequest, requestError } from "./request-errors.ts";
import { storedFacts } from "./session-feed.ts";
import { modeCommand, modeState, optionCommand, readOptions } from "./session-options.ts";
import type { EditorFeatures } from "./session-updates.ts";
import { words } from "./words.ts";

const pageSize = 50;

interface SessionState {
  modes: SessionModeState;
  configOptions: SessionConfigOption[];
}

export class Editor {
  readonly #host: EditorHost;
  readonly #sessions = new Map<string, EditorSession>();
  /** Where sessions lie that this connection has seen. */
  readonly #folders = new Map<string, string>();
  #features: EditorFeatures = { terminalOutput: false, notices: false, compaction: false, forms: false };
  #peer: AgentContext | undefined;
  #closed = false;

  constructor(host: EditorHost) {
    this.#host = host;
  }

  connect(peer: AgentContext): void {
    this.#peer = peer;
  }

  /** Whatever version is asked for, ours is answered: a client that does not speak it goes away. */
  initialize({ clientCapabilities: can, clientInfo }: InitializeRequest): InitializeResponse {
    this.#features = {
      terminalOutput: can?._meta?.["terminal_output"] === true,
      notices: can?.session?.notices != null,
      compaction: can?.session?.compaction != null,
      forms: can?.elicitation?.form != null,
    };
    this.#host.log(`${clientInfo?.name ?? "An editor"} ${clientInfo?.version ?? ""} is connected.`);
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "fettle", title: "fettle", version: this.#host.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: false },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
      authMethods: authMethods(can?.auth?.terminal === true),
    };
  }

  /** The person says that a model can be asked now: looked at, not believed. */
  async authenticate(): Promise<void> {
    await this.#briefly(undefined, (client) => client.read("session.view", {}));
  }

  async begin(cwd: string, servers: readonly McpServer[]): Promise<NewSessionResponse> {
    const client = await this.#open(cwd, { kind: "new" }, servers);
    try {
      // A session begins with its first command; the editor needs its name before.
      await client.send({ type: "effort.set" });
      const session = await this.#add(client, true);
      const state = await this.#stateOf(session);
      const facts = await storedFacts(client, session.id);
      session.follow(facts.at(-1)?.seq ?? 0);
      afterAnswer(() => session.start(facts));
      return { sessionId: session.id, ...state };
    } catch (error) {
      for (const [id, session] of this.#sessions) if (session.client === client) this.#sessions.delete(id);
      await client.close();
      throw error;
    }
  }

  /** `replay`: the editor is shown the whole conversation before it is answered. */
  async load(
    id: string,
    cwd: string,
    { replay, servers }: { replay: boolean; servers: readonly McpServer[] },
  ): Promise<SessionState> {
    const known = this.#sessions.get(id);
    if (known) {
      if (replay) await known.replay();
      return this.#stateOf(known);
    }
    const client = await this.#open(cwd, { kind: "resume", id }, servers);
    try {
      const session = await this.#add(client, false, id);
      const seen = replay ? await session.replay() : ((await storedFacts(client, id)).at(-1)?.seq ?? 0);
      session.follow(seen);
      const state = await this.#stateOf(session);
      afterAnswer(() => session.start());
      return state;
    } catch (error) {
      this.#sessions.delete(id);
      await client.close();
      throw error;
    }
  }

  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const from = cursor == null ? 0 : offsetOf(cursor);
    if (cwd != null) absolute(cwd);
    return this.#briefly(cwd ?? undefined, async (client) => {
      const rows = await client.read("session.list", { limit: from + pageSize + 1 });
      const page = rows.slice(from, from + pageSize).filter((row) => cwd == null || row.cwd === path.resolve(cwd));
      for (const row of page) this.#folders.set(row.id, row.cwd);
      return {
        sessions: page.map(({ id, cwd: folder, title, lastAt }) => ({
          sessionId: id,
          cwd: folder,
          ...(title !== "" && { title: this.#host.words.safe(title) }),
          updatedAt: new Date(lastAt).toISOString(),
        })),
        ...(rows.length > from + pageSize && { nextCursor: cursorOf(from + pageSize) }),
      };
    });
  }

  async delete(id: string): Promise<void> {
    await this.#sessions.get(id)?.close();
    this.#sessions.delete(id);
    await this.#briefly(this.#folders.get(id), async (client) => {
      const { id: found } = await client.read("session.show", { session: id });
      if (found !== id) throw notOpen(id);
      await client.send({ type: "session.delete", session: id });
    });
  }

  async closeSession(id: string): Promise<void> {
    const session = this.session(id);
    this.#sessions.delete(id);
    await session.cancel();
    await session.close();
  }

  session(id: string): EditorSession {
    const session = this.#sessions.get(id);
    if (!session) throw notOpen(id);
    return session;
  }

  async setMode(id: string, mode: string): Promise<void> {
    await this.session(id).set(modeCommand(mode));
  }

  async setOption(id: string, option: string, value: unknown): Promise<SessionConfigOption[]> {
    const session = this.session(id);
    await session.set(optionCommand(await readOptions(session.client), option, value));
    return readOptions(session.client);
  }

  /** The editor has gone, or is to go. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
    this.#sessions.clear();
  }

  #open(cwd: string, session: NonNullable<OpenFlags["session"]>, named: readonly McpServer[]): Promise<Client> {
    absolute(cwd);
    const servers = handed(named);
    return this.#host.open({ cwd, session, headless: false, attended: true, ...(servers.length > 0 && { servers }) });
  }

  async #add(client: Client, owned: boolean, id?: string): Promise<EditorSession> {
    const view = await client.read("session.view", {});
    if (id !== undefined && view.id !== id) throw notOpen(id);
    if (!this.#peer || this.#closed) throw new Error("The editor is gone.");
    const session = new EditorSession({
      ...{ host: this.#host, peer: this.#peer, features: this.#features, client, view, owned },
    });
    this.#sessions.set(session.id, session);
    this.#folders.set(session.id, view.cwd);
    return session;
  }

  async #stateOf({ client }: EditorSession): Promise<SessionState> {
    const [view, configOptions] = await Promise.all([client.read("session.view", {}), readOptions(client)]);
    return { modes: modeState(view), configOptions };
  }

  async #briefly<T>(cwd: string | undefined, work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.#host.open({ headless: true, ...(cwd !== undefined && { cwd }) });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }
}

const pairs = (list: readonly { name: string; value: string }[]): { [name: string]: string } =>
  Object.fromEntries(list.map(({ name, value }) => [name, value]));

/** Throws for a transport that was not offered. */
const handed = (named: readonly McpServer[]): HandedServer[] =>
  named.map((server) => {
    const { name } = server;
    if (!("type" in server))
      return { name, command: [server.command, ...server.args], set: pairs(server.env), headers: {} };
    if (server.type === "http") return { name, url: server.url, set: {}, headers: pairs(server.headers) };
    throw badRequest(
      `The MCP server ${name} is spoken to by ${server.type}, which fettle does not offer: stdio or http.`,
    );
  });

const notOpen = (id: string) =>
  requestError(
    Object.assign(new Error(`There is no session ${id} here.`), {
      ...{ name: "Fault", code: "session.unknown", exit: 2, remedy: "Begin one, or load it." },
    }),
    id,
  );

function absolute(cwd: string): void {
  if (!path.isAbsolute(cwd)) throw badRequest(`The folder of a session is an absolute path, which ${cwd} is not.`);
}

/** The editor knows a session's name only from the answer: what happens in it is told behind that. */
const afterAnswer = (work: () => void): void => void setTimeout(work, 0);

const cursorOf = (offset: number): string => Buffer.from(`from ${offset}`).toString("base64url");

function offsetOf(cursor: string): number {
  const [, offset] = /^from (\d{1,9})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (offset === undefined) throw badRequest("The cursor is not one that fettle gave.");
  return Number(offset);
}

function authMethods(terminal: boolean): AuthMethod[] {
  const configured: AuthMethod = {
    id: "configured",
    name: words.login.ready,
    description: words.login.readyHow,
  };
  const login: AuthMethod = {
    ...{ type: "terminal", id: "login", name: words.login.key },
    ...{ description: words.login.keyHow, args: ["--login"] },
  };
  return terminal ? [login, configured] : [configured];
}
