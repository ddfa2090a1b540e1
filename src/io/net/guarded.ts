// Fetching for a tool: only hosts that a person granted, never an address inside, every redirect judged again.
import { isNamedInside, parsePattern, requestCovered, splitHost } from "../../base/host-pattern.ts";
import { readWebAddress } from "../../base/web-address.ts";
import { checkedAddresses, pinned, type Resolve } from "./addresses.ts";
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
  resolve?: Resolve;
}

const maxRedirects = 5;

/**
 * `hosts`: patterns of base/host-pattern.ts; without a port, the scheme's own. Rejects with a NetFailure
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
  const method = options.method ?? "GET";
  let target = judge(start, hosts, method);
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const reply = await send(target, options);
    const location = [301, 302, 303, 307, 308].includes(reply.status) ? reply.headers["location"] : undefined;
    if (location === undefined) return read(target, reply, options);
    reply.body.destroy();
    const next = URL.canParse(location, target.href) ? new URL(location, target.href).href : location;
    if (target.protocol === "https:" && next.startsWith("http:")) {
      throw new NetFailure("forbidden", `${target.host} redirects to an unencrypted address, which is not followed.`);
    }
    target = judge(next, hosts, method, target);
  }
  throw new NetFailure("invalid", `${start} redirects more than ${maxRedirects} times.`);
}

/** The URL, if the hosts that were granted cover it. A user name in it is left out. */
function judge(text: string, hosts: readonly string[], method: string, from?: URL): URL {
  const sentence = (rest: string) => (from ? `${from.host} redirects to ${text}: ${rest}` : `${text}: ${rest}`);
  const read = readWebAddress(text);
  if ("problem" in read) {
    if (read.code === "scheme" || read.code === "not-a-url")
      throw new NetFailure("invalid", sentence("only http and https URLs can be fetched."));
    throw new NetFailure("forbidden", sentence(`it ${read.problem}.`));
  }
  const { url, kind, target } = read;
  if (from && read.credentials)
    throw new NetFailure("forbidden", sentence("a redirect to a URL with a user name is not followed."));
  if (kind === "invalid") throw new NetFailure("invalid", sentence("the host name is not valid."));
  if (kind === "metadata") throw new NetFailure("forbidden", sentence("cloud metadata services are never fetched."));
  const asked = {
    ...splitHost(target),
    ownPort: url.protocol === "https:" ? "443" : "80",
    method,
    pathname: url.pathname,
  };
  const patterns = hosts.map(parsePattern);
  const granted = patterns.some(
    (pattern) => (kind === "public" || isNamedInside(pattern, asked)) && requestCovered(pattern, asked),
  );
  if (!granted) {
    const inside =
      kind === "public" ? "is not among the granted hosts." : `is ${kind}; only its exact address can be granted.`;
    throw new NetFailure("forbidden", sentence(`${target} ${inside}`));
  }
  url.username = "";
  url.password = "";
  return url;
}

async function send(url: URL, options: GuardedOptions): Promise<NetReply> {
  const addresses = await checkedAddresses(url.hostname, options.resolve);
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
