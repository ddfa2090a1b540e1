// One HTTP request over node:http: keep-alive, deadlines, abort, decompression. The only way to the network.
import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";
import type { Readable, Transform } from "node:stream";
import { classifyHost } from "../../base/address.ts";
import { NetFailure, netFailure } from "./failure.ts";
import { KeepAlive } from "./keep-alive.ts";

export interface NetRequest {
  url: string;
  method: "GET" | "HEAD" | "POST" | "PATCH";
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal?: AbortSignal;
  /** Longest silence, in ms, before the connection is given up; default 300,000. */
  idleMs?: number;
  /** Longest wait for a connection, in ms; default 15,000. */
  connectMs?: number;
  /** Resolves names in place of the system; such a request uses a connection of its own and no proxy. */
  lookup?: LookupFunction;
}

export interface NetReply {
  status: number;
  statusText: string;
  headers: Record<string, string>;
  /** Decoded. Fails with a NetFailure or the abort reason; destroying it closes the connection. */
  body: Readable;
}

// A static import would evaluate every export of the module, and one of them (WebSocket) loads undici: 25 ms.
const builtin = {
  http: () => process.getBuiltinModule("node:http"),
  https: () => process.getBuiltinModule("node:https"),
  zlib: () => process.getBuiltinModule("node:zlib"),
};

const agents = new Map<string, Agent>();

/** Loopback is never reached through a proxy. */
function agentFor(secure: boolean, host: string): Agent {
  const { HTTP_PROXY, http_proxy, HTTPS_PROXY, https_proxy } = process.env;
  const proxied = Boolean(HTTP_PROXY || http_proxy || HTTPS_PROXY || https_proxy) && classifyHost(host) !== "loopback";
  const key = `${secure ? "https" : "http"}${proxied ? "+proxy" : ""}`;
  let agent = agents.get(key);
  if (!agent) {
    const options = { keepAlive: true, ...(proxied ? { proxyEnv: process.env } : {}) };
    agent = secure ? new (builtin.https().Agent)(options) : new (builtin.http().Agent)(options);
    agents.set(key, agent);
  }
  return agent;
}

/** Resolves when the headers have come. Rejects with a NetFailure or the signal's reason. */
export async function request(options: NetRequest): Promise<NetReply> {
  if (!URL.canParse(options.url)) throw new NetFailure("invalid", `"${options.url}" is not a URL.`);
  const url = new URL(options.url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new NetFailure("invalid", `"${options.url}" is not an http or https URL.`);
  }
  options.signal?.throwIfAborted();
  try {
    return await attempt(url, options);
  } catch (error) {
    // Servers close idle connections without a word; one may have gone just as it was used again.
    if (!(error instanceof StaleConnection)) throw error;
    return await attempt(url, options);
  }
}

/**
 * Ends the reading of a body. What is `whole` may still get its last bytes, so that the connection can be used again;
 * anything else is closed now.
 */
export function release(body: Readable, whole: boolean): void {
  if (body.closed) return;
  if (!whole) {
    body.destroy();
    return;
  }
  const timer = setTimeout(() => body.destroy(), 1_000);
  timer.unref();
  body.once("close", () => clearTimeout(timer));
  body.resume();
}

class StaleConnection extends NetFailure {}

const defaultIdleMs = 300_000;

function attempt(url: URL, options: NetRequest): Promise<NetReply> {
  const { promise, resolve, reject } = Promise.withResolvers<NetReply>();
  const { signal } = options;
  // Once headers have come, Node reports any destruction as "aborted"; the true cause is kept here.
  let cause: Error | undefined;
  const translate = (error: unknown): Error => cause ?? netFailure(error, url.host);
  const end = (reason: Error) => {
    cause ??= reason;
    sent.destroy(reason);
  };
  const sent = open(url, options, end);
  const stop = () => end(abortReason(signal));
  signal?.addEventListener("abort", stop, { once: true });

  sent.on("error", (error) => {
    signal?.removeEventListener("abort", stop);
    const failure = translate(error);
    const stale = sent.reusedSocket && failure instanceof NetFailure && failure.kind === "reset";
    reject(stale ? new StaleConnection("reset", failure.message, error) : failure);
  });
  sent.on("response", (message) => {
    const alive = new KeepAlive(url.host, options.idleMs ?? defaultIdleMs);
    const body = decode(message, { host: url.host, translate, alive });
    // Whoever reads is told; an error that comes before anybody reads must not end the process.
    body.on("error", () => undefined);
    body.once("close", () => {
      signal?.removeEventListener("abort", stop);
      if (!message.complete) message.destroy();
    });
    resolve({
      status: message.statusCode ?? 0,
      statusText: message.statusMessage ?? "",
      headers: flatHeaders(message.headers),
      body,
    });
  });
  sent.end(options.body);
  return promise;
}

function open(url: URL, options: NetRequest, end: (reason: Error) => void): ClientRequest {
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const settings: RequestOptions = {
    method: options.method,
    headers: options.body === undefined ? options.headers : withLength(options.headers, options.body),
    agent: options.lookup ? false : agentFor(secure, host),
    timeout: options.idleMs ?? defaultIdleMs,
    ...(options.lookup ? { lookup: options.lookup } : {}),
  };
  const sent = (secure ? builtin.https() : builtin.http()).request(url, settings);
  const idleMs = options.idleMs ?? defaultIdleMs;
  sent.on("timeout", () => end(new NetFailure("stalled", `${url.host} has sent nothing for ${seconds(idleMs)}.`)));
  const connectMs = options.connectMs ?? 15_000;
  sent.on("socket", (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(
      () => end(new NetFailure("unreachable", `${url.host} took no connection in ${seconds(connectMs)}.`)),
      connectMs,
    );
    const clear = () => clearTimeout(timer);
    socket.once("connect", clear);
    socket.once("close", clear);
  });
  return sent;
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
const withLength = (headers: Readonly<Record<string, string>>, body: string | Uint8Array) => ({
  ...headers,
  "content-length": String(Buffer.byteLength(body)),
});

function abortReason(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException(String(reason ?? "Stopped."), "AbortError");
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

interface Body {
  host: string;
  translate: (error: unknown) => Error;
  alive: KeepAlive;
}

/** The body as sent by the application; every error in it has been translated. */
function decode(message: IncomingMessage, body: Body): Readable {
  const { host, translate, alive } = body;
  const encodings = encodingsOf(message);
  if (encodings.length === 0) return plain(message, body);
  const { Transform, pipeline } = process.getBuiltinModule("node:stream");
  const out = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const stalled = alive.add(chunk);
      if (stalled) done(stalled);
      else done(null, chunk);
    },
    destroy: (error, done) => done(error && translate(error)),
  });
  const decoders = encodings.map((encoding) => decoder(encoding));
  const known = decoders.filter((step) => step !== undefined);
  if (known.length !== decoders.length) {
    const problem = new NetFailure("invalid", `${host} answered in an unknown encoding.`);
    message.destroy();
    out.destroy(problem);
    return out;
  }
  pipeline([message, ...known, out], () => undefined);
  return out;
}

/** What `pipeline` would do with nothing between, without its half a millisecond for each answer. */
function plain(message: IncomingMessage, { translate, alive }: Body): Readable {
  const { Readable } = process.getBuiltinModule("node:stream");
  const out = new Readable({ read: () => void message.resume() });
  message.on("data", (chunk: Buffer) => {
    const stalled = alive.add(chunk);
    if (stalled) {
      out.destroy(stalled);
      message.destroy();
    } else if (!out.push(chunk)) message.pause();
  });
  message.once("end", () => out.push(null));
  message.on("error", (error) => out.destroy(translate(error)));
  return out;
}

const encodingsOf = (message: IncomingMessage): string[] =>
  (message.headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")
    .reverse();

function decoder(encoding: string): Transform | undefined {
  if (encoding === "gzip" || encoding === "x-gzip" || encoding === "deflate") return builtin.zlib().createUnzip();
  if (encoding === "br") return builtin.zlib().createBrotliDecompress();
  return undefined;
}
