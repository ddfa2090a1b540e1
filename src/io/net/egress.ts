// The only way out of a sandboxed process: an HTTP proxy on sockets of its own network, and fettle at the other end.
// It reaches what was granted, at addresses that it looked up and judged itself, and keeps count.
import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http";
import { type AddressInfo, isIP, type NetConnectOpts, type Server, type Socket } from "node:net";
import { readWebAddress } from "../../base/web-address.ts";
import { checkedAddresses, pinned, type Resolve } from "./addresses.ts";
import {
  type Destination,
  directPorts,
  type EgressGrant,
  isOwnPort,
  parseDestination,
  refusalOf,
} from "./egress-rules.ts";
import { NetFailure } from "./failure.ts";
import { type Greeting, serverName } from "./server-name.ts";

export type { EgressGrant } from "./egress-rules.ts";

export interface EgressOptions extends EgressGrant {
  /** A connection that carries nothing for so long is closed; default five minutes. */
  idleMs?: number;
  connectMs?: number;
  /** Bytes that may be sent out in all; what comes in is not counted against it. Default 1 GB. */
  uploadBytes?: number;
  resolve?: Resolve;
}

/** What went to one host and port. */
export interface Reached {
  host: string;
  connections: number;
  sent: number;
  received: number;
  /** Why it was not reached. */
  refused?: string;
}

/** Where the proxy listens, in a network that holds nothing else. */
export const proxyPort = 17_871;
const mostConnections = 256;

export class Egress {
  readonly #options: EgressOptions;
  readonly #reached = new Map<string, Reached>();
  readonly #servers = new Set<Server>();
  readonly #sockets = new Set<Socket>();
  #http: HttpServer | undefined;
  #sent = 0;
  #closed = false;

  constructor(options: EgressOptions) {
    this.#options = options;
  }

  /** Loopback ports that the process's network must have: the proxy's, and those of this machine that were granted. */
  get ports(): number[] {
    return [proxyPort, ...directPorts(this.#options).map(({ port }) => port)];
  }

  /** Serves a listening socket of the process's network. */
  attach(port: number, server: Server): void {
    if (this.#closed) {
      server.close();
      return;
    }
    this.#servers.add(server);
    const direct = port === proxyPort ? undefined : directPorts(this.#options).find((each) => each.port === port);
    // A program that has said all it has to say still waits for the answer.
    Object.assign(server, { allowHalfOpen: true });
    server.on("error", () => undefined);
    server.on("connection", (socket: Socket) => {
      this.#keep(socket);
      if (this.#sockets.size > mostConnections) socket.destroy();
      else if (direct) this.#join(socket, direct).catch(() => socket.destroy());
      else if (port === proxyPort) this.#proxy().emit("connection", socket);
      else socket.destroy();
    });
  }

  /** For systems without networks of their own: the proxy on a port of this machine, which a profile opens alone. */
  async listen(): Promise<number> {
    const server = process.getBuiltinModule("node:net").createServer();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    this.attach(proxyPort, server);
    return (server.address() as AddressInfo).port;
  }

  /** In the order of first use. */
  report(): Reached[] {
    return [...this.#reached.values()].map((one) => ({ ...one }));
  }

  close(): void {
    this.#closed = true;
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#http?.close();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.setTimeout(this.#options.idleMs ?? 300_000, () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.once("close", () => this.#sockets.delete(socket));
  }

  #proxy(): HttpServer {
    if (this.#http) return this.#http;
    const http = process.getBuiltinModule("node:http").createServer({ requestTimeout: 0, headersTimeout: 60_000 });
    http.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#plain(request, response).catch(() => response.destroy());
    });
    http.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const destination = parseDestination(request.url ?? "");
      if ("refused" in destination) answer(socket, 400, destination.refused);
      else this.#tunnel(socket, destination, head).catch(() => socket.destroy());
    });
    http.on("clientError", (_error, socket) => socket.destroy());
    this.#http = http;
    return http;
  }

  #note({ host, port }: Destination, refused?: string): Reached {
    const name = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    let entry = this.#reached.get(`${name} ${refused === undefined}`);
    if (!entry) {
      entry = { host: name, connections: 0, sent: 0, received: 0, ...(refused !== undefined && { refused }) };
      if (this.#reached.size < 1000) this.#reached.set(`${name} ${refused === undefined}`, entry);
    }
    entry.connections += 1;
    return entry;
  }

  /** A connection to a judged address, or the sentence why there is none. */
  async #dial(destination: Destination): Promise<Socket | { refused: string; status: number }> {
    const refused = refusalOf(destination, this.#options);
    if (refused !== undefined) {
      this.#note(destination, refused);
      return { refused: `${destination.host}:${destination.port} is ${refused}.`, status: 403 };
    }
    try {
      const socket = isOwnPort(destination)
        ? this.#options.sockets?.find(({ port }) => port === destination.port)
        : undefined;
      if (socket) return await this.#connect(destination, { path: socket.path });
      const addresses = await checkedAddresses(destination.host, this.#options.resolve);
      const { host, port } = destination;
      return await this.#connect(destination, { host, port, lookup: pinned(addresses), autoSelectFamily: true });
    } catch (error) {
      if (!(error instanceof NetFailure)) throw error;
      this.#note(destination, error.message);
      return { refused: error.message, status: error.kind === "forbidden" ? 403 : 502 };
    }
  }

  #connect({ host, port }: Destination, to: NetConnectOpts): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    const socket = process.getBuiltinModule("node:net").connect({ ...to, allowHalfOpen: true });
    const failed = (why: string) => {
      socket.destroy();
      reject(new NetFailure("unreachable", `${host}:${port} cannot be reached (${why}).`));
    };
    const timer = setTimeout(() => failed("no answer in time"), this.#options.connectMs ?? 15_000);
    socket.once("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      failed(error.code ?? error.message);
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      this.#keep(socket);
      resolve(socket);
    });
    return promise;
  }

  async #tunnel(socket: Socket, destination: Destination, head: Buffer): Promise<void> {
    this.#keep(socket);
    const far = await this.#dial(destination);
    if ("refused" in far) {
      answer(socket, far.status, far.refused);
      return;
    }
    if (socket.destroyed) return void far.destroy();
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    this.#splice(socket, far, destination, isIP(destination.host) === 0);
  }

  async #join(socket: Socket, destination: Destination): Promise<void> {
    const far = await this.#dial(destination);
    if ("refused" in far) socket.destroy();
    else if (socket.destroyed) far.destroy();
    else this.#splice(socket, far, destination, false);
  }

  /** Both ways until one ends. What a client names in its TLS greeting must be the host that it was let through to. */
  #splice(near: Socket, far: Socket, destination: Destination, greets: boolean): void {
    const entry = this.#note(destination);
    let greeting: Buffer | undefined = greets ? Buffer.alloc(0) : undefined;
    near.on("data", (chunk: Buffer) => {
      let bytes = chunk;
      if (greeting) {
        bytes = greeting = Buffer.concat([greeting, chunk]);
        const greeted = serverName(greeting);
        if (greeted === "more") return;
        greeting = undefined;
        if (!this.#mayGreet(greeted, destination)) return void near.destroy();
      }
      this.#count(bytes.length, entry, near);
      if (!near.destroyed && !far.write(bytes)) near.pause();
    });
    far.on("drain", () => near.resume());
    far.on("data", (chunk: Buffer) => {
      entry.received += chunk.length;
      if (!near.write(chunk)) far.pause();
    });
    near.on("drain", () => far.resume());
    near.once("end", () => {
      if (greeting && greeting.length > 0) far.write(greeting);
      far.end();
    });
    far.once("end", () => near.end());
    near.once("close", () => far.destroy());
    far.once("close", () => near.destroySoon());
  }

  #mayGreet(greeted: Exclude<Greeting, "more">, destination: Destination): boolean {
    const { host, port } = destination;
    if (greeted === "strange") this.#note(destination, "greeted in a way that hides the name");
    else if (greeted.name === undefined || greeted.name === host) return true;
    else this.#note({ host: greeted.name, port }, `named in a connection to ${host}`);
    return false;
  }

  #count(bytes: number, entry: Reached, near: Socket): void {
    entry.sent += bytes;
    this.#sent += bytes;
    if (this.#sent <= (this.#options.uploadBytes ?? 1024 ** 3)) return;
    entry.refused = "more was sent than a command may send";
    near.destroy();
  }

  /** Plain HTTP by absolute URI: one request, one answer, headers of the hop left out. */
  async #plain(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const read = readWebAddress(request.url ?? "");
    if ("problem" in read || read.url.protocol !== "http:" || read.credentials) {
      refuse(response, 400, "only http:// addresses and CONNECT are served here");
      return;
    }
    const destination = { host: read.host, port: Number(read.url.port || 80) };
    const far = await this.#dial(destination);
    if ("refused" in far) {
      refuse(response, far.status, far.refused);
      return;
    }
    const entry = this.#note(destination);
    const sent = process.getBuiltinModule("node:http").request({
      createConnection: () => far,
      method: request.method ?? "GET",
      path: `${read.url.pathname}${read.url.search}`,
      headers: { ...endToEnd(request.headers), ...bodyFraming(request), host: read.url.host, connection: "close" },
    });
    const head = request.rawHeaders.reduce((sum, text) => sum + text.length + 2, (request.url ?? "").length);
    this.#count(head, entry, request.socket);
    request.on("data", (chunk: Buffer) => this.#count(chunk.length, entry, request.socket));
    const broken = () => (response.headersSent ? response.destroy() : refuse(response, 502, "the host broke off"));
    sent.on("response", (reply) => {
      // What a host answers must not throw here: nothing would catch it.
      if (!isFinalStatus(reply.statusCode)) return void sent.destroy(new Error("no HTTP status"));
      response.writeHead(reply.statusCode, endToEnd(reply.headers));
      reply.on("data", (chunk: Buffer) => {
        entry.received += chunk.length;
      });
      reply.on("error", () => response.destroy());
      reply.pipe(response);
    });
    sent.on("upgrade", broken);
    sent.on("error", broken);
    response.on("close", () => sent.destroy());
    if (response.destroyed) sent.destroy();
    else request.pipe(sent);
  }
}

const hop = new Set(
  "connection proxy-connection keep-alive proxy-authorization proxy-authenticate te trailer upgrade transfer-encoding".split(
    " ",
  ),
);

function endToEnd(headers: IncomingMessage["headers"]): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !hop.has(name) && !named.has(name)) kept[name] = value;
  return kept;
}

/** A body of unknown length stays one, whatever the method: written bare it would be read as another request. */
const bodyFraming = ({ headers }: IncomingMessage): Record<string, string> =>
  headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" };

const isFinalStatus = (status: number | undefined): status is number =>
  status !== undefined && status >= 200 && status <= 999;

const sentence = (why: string): string => `fettle does not let this connection out: ${why}\n`;

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(sentence(why));
}

function answer(socket: Socket, status: number, why: string): void {
  const body = sentence(why);
  const reason = status === 403 ? "Forbidden by fettle" : status === 400 ? "Bad Request" : "Bad Gateway";
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
