// Fetching for a tool: only hosts that a person granted, never an address inside, every redirect judged again.
import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { classifyHost } from "../../base/address.ts";
import { type NetReply, request } from "./client.ts";
import { NetFailure } from "./failure.ts";
import { htmlToText } from "./html.ts";
import type { FetchReply } from "./spec.ts";

export interface GuardedOptions {
  method?: "GET" | "HEAD";
  signal?: AbortSignal;
  /** For the whole fetch with its redirects; default 20,000. */
  timeoutMs?: number;
  /** Default 2 MB; what is longer is cut and said to be. */
  maxBytes?: number;
  /** Resolves a name to all its addresses; default the system's resolver. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
}

const maxRedirects = 5;

/**
 * `hosts`: `host` or `*.host`, optional `:port`; without a port, the scheme's own. Rejects with a NetFailure
 * (`forbidden` when a rule is against it) or the signal's reason.
 */
export async function guardedFetch(
  url: string,
  hosts: readonly string[],
  options: GuardedOptions = {},
): Promise<FetchReply> {
  const timeoutMs = options.timeoutMs ?? 20_000;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    return await follow(url, hosts, { ...options, signal });
  } catch (error) {
    if (!deadline.aborted || options.signal?.aborted) throw error;
    throw new NetFailure("stalled", `${url} did not answer completely in ${timeoutMs / 1000} s.`, error);
  }
}

async function follow(start: string, hosts: readonly string[], options: GuardedOptions): Promise<FetchReply> {
  let target = judge(start, hosts);
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const reply = await send(target, options);
    const location = [301, 302, 303, 307, 308].includes(reply.status) ? reply.headers["location"] : undefined;
    if (location === undefined) return read(target, reply, options);
    reply.body.destroy();
    const next = URL.canParse(location, target.href) ? new URL(location, target.href).href : location;
    if (target.protocol === "https:" && next.startsWith("http:")) {
      throw new NetFailure("forbidden", `${target.host} redirects to an unencrypted address, which is not followed.`);
    }
    target = judge(next, hosts, target);
  }
  throw new NetFailure("invalid", `${start} redirects more than ${maxRedirects} times.`);
}

/** The URL, if the hosts that were granted cover it. */
function judge(text: string, hosts: readonly string[], from?: URL): URL {
  const sentence = (rest: string) => (from ? `${from.host} redirects to ${text}: ${rest}` : `${text}: ${rest}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new NetFailure("invalid", sentence("only http and https URLs can be fetched."));
  }
  if (url.username || url.password) {
    throw new NetFailure("forbidden", sentence("a URL with a user name or password is not fetched."));
  }
  const kind = classifyHost(url.hostname);
  if (kind === "invalid") throw new NetFailure("invalid", sentence("the host name is not valid."));
  if (kind === "metadata") throw new NetFailure("forbidden", sentence("cloud metadata services are never fetched."));
  const granted = kind === "public" ? hosts.some((entry) => covers(entry, url)) : hosts.some((e) => names(e, url));
  if (!granted) {
    const inside =
      kind === "public" ? "is not among the granted hosts." : `is ${kind}; only its exact address can be granted.`;
    throw new NetFailure("forbidden", sentence(`${url.host} ${inside}`));
  }
  return url;
}

const portOf = (url: URL): string => url.port || (url.protocol === "https:" ? "443" : "80");

function splitEntry(entry: string): { host: string; port: string | undefined } {
  const found = /^(.*?)(?::(\d+))?$/.exec(entry.trim().toLowerCase());
  const bracketed = /^(\[[^\]]+\])(?::(\d+))?$/.exec(entry.trim().toLowerCase());
  const [, host = "", port] = bracketed ?? found ?? [];
  return { host: host.replace(/\.$/, ""), port };
}

function covers(entry: string, url: URL): boolean {
  const { host, port } = splitEntry(entry);
  const name = url.hostname.replace(/\.$/, "");
  const isHost = host.startsWith("*.") ? name.endsWith(host.slice(1)) : name === host;
  return isHost && (port === undefined ? url.port === "" : port === portOf(url));
}

/** Addresses inside must be granted as themselves: an IP or `localhost`, with the port. */
function names(entry: string, url: URL): boolean {
  const { host, port } = splitEntry(entry);
  const bare = host.replace(/^\[|\]$/g, "");
  const literal = isIP(bare) !== 0 || bare === "localhost";
  return literal && url.hostname.replace(/^\[|\]$/g, "") === bare && (port ?? defaultPort(url)) === portOf(url);
}
const defaultPort = (url: URL): string => (url.protocol === "https:" ? "443" : "80");

async function send(url: URL, options: GuardedOptions): Promise<NetReply> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookUp(host, options);
  const expected = classifyHost(url.hostname);
  const bad = addresses.find(({ address }) => classifyHost(address) !== expected);
  if (bad) {
    throw new NetFailure("forbidden", `${host} resolves to ${bad.address}, an address inside; it is not fetched.`);
  }
  return request({
    url: url.href,
    method: options.method ?? "GET",
    headers: {
      accept: "text/html, text/plain, application/json;q=0.9, */*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
      "user-agent": "fettle",
    },
    idleMs: options.timeoutMs ?? 20_000,
    lookup: pinned(addresses),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

async function lookUp(host: string, options: GuardedOptions): Promise<LookupAddress[]> {
  try {
    if (options.resolve) return await options.resolve(host);
    const { lookup } = process.getBuiltinModule("node:dns/promises");
    return await lookup(host, { all: true });
  } catch (error) {
    throw new NetFailure("unreachable", `${host} could not be found.`, error);
  }
}

/** Answers every lookup with the addresses that were judged: a second answer of the DNS cannot slip in. */
function pinned(addresses: LookupAddress[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses;
    if (!first) done(new Error("no address"), "");
    else if (all) done(null, addresses);
    else done(null, first.address, first.family);
  };
}

async function read(url: URL, reply: NetReply, options: GuardedOptions): Promise<FetchReply> {
  const contentType = reply.headers["content-type"] ?? "";
  const limit = options.maxBytes ?? 2 * 1024 * 1024;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  const bytes = Buffer.concat(chunks).subarray(0, limit);
  return {
    url: url.href,
    status: reply.status,
    contentType,
    text: toText(bytes, contentType),
    truncated: size > limit,
  };
}

function toText(bytes: Buffer, contentType: string): string {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const textual = type === "" || /^text\/|[/+](json|xml|yaml|toml|javascript|ecmascript|x-sh|x-ndjson)$/.test(type);
  if (!textual || (type === "" && bytes.includes(0))) return `[${type || "binary"}, ${bytes.length} bytes: not text]`;
  const text = decoderFor(contentType, bytes).decode(bytes);
  return type === "text/html" || type === "application/xhtml+xml" ? htmlToText(text) : text;
}

function decoderFor(contentType: string, bytes: Buffer): { decode(bytes: Uint8Array): string } {
  const inHeader = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const inPage = /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i.exec(bytes.subarray(0, 2048).toString("latin1"))?.[1];
  try {
    return new TextDecoder(inHeader ?? inPage ?? "utf-8");
  } catch {
    return new TextDecoder("utf-8");
  }
}
