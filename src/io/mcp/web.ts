// Requests to an MCP server over HTTP: to the hosts that were granted and no other, never to an address that a name
// leads to behind fettle's back, and never where a redirect points.
import type { Readable } from "node:stream";
import { readWebAddress } from "../../base/web-address.ts";
import { checkedAddresses, pinned } from "../net/addresses.ts";
import { request } from "../net/client.ts";
import { NetFailure } from "../net/failure.ts";
import { LineLength } from "../net/lines.ts";
import type { McpFetch, McpTokens } from "./spec.ts";

/** Of an answer that is no stream of events. */
const mostBytes = 16 * 1024 * 1024;
const idleMs = 300_000;

/** `headers` go along with each request, and the token of whoever has signed in. */
export const webFetch =
  (hosts: readonly string[], headers: Readonly<Record<string, string>>, tokens?: McpTokens): McpFetch =>
  async (input, init = {}) => {
    const url = judged(String(input), hosts);
    // Whether it ends a session is the server's to see: nothing is sent that nobody waits for.
    if (init.method === "DELETE") return new Response(null, { status: 405 });
    const send = (token: string | undefined) =>
      exchange(url, init, { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers });
    const token = await tokens?.current();
    const reply = await send(token);
    if (!tokens) return reply;
    const renewed = token === undefined || reply.status !== 401 ? undefined : await tokens.renew(token);
    const again = renewed === undefined ? reply : await send(renewed);
    const wanted = again.status === 403 ? missingRights(again) : undefined;
    if (wanted !== undefined)
      throw new NetFailure("forbidden", `${url.host} wants further rights of you: ${tokens.remedy}${wanted}.`);
    if (again.status !== 401) return again;
    throw new NetFailure("forbidden", `${url.host} wants you to sign in: ${tokens.remedy}.`);
  };

/** As an option of the command to sign in; "" where the server names them in no form that may stand in one. */
function missingRights(reply: Response): string | undefined {
  const said = reply.headers.get("www-authenticate") ?? "";
  if (!/\berror="?insufficient_scope\b/.test(said)) return undefined;
  const named = /\bscope="?((?:[\w:./-]{1,100} ?){1,20})(?:"|,|$)/.exec(said)?.[1];
  return named === undefined ? "" : ` --scope ${JSON.stringify(named.trim())}`;
}

/** One request that follows no redirect, to the addresses that its host's name led to when it was judged. */
export async function exchange(
  url: URL,
  init: RequestInit,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const reply = await request({
    url: url.href,
    method: init.method === "POST" ? "POST" : "GET",
    headers: { ...plain(init.headers), "user-agent": "fettle", ...headers },
    ...(init.body != null && { body: String(init.body) }),
    ...(init.signal && { signal: init.signal }),
    ...{ idleMs, lookup: pinned(await checkedAddresses(url.hostname)) },
  });
  if (reply.status >= 300 && reply.status < 400) {
    reply.body.destroy();
    const to = reply.headers["location"]?.slice(0, 200) ?? "nowhere";
    throw new NetFailure("forbidden", `${url.host} redirects to ${to}, which is not followed.`);
  }
  const empty = [204, 205, 304].includes(reply.status);
  if (empty) reply.body.destroy();
  const events = reply.headers["content-type"]?.startsWith("text/event-stream") === true;
  return new Response(empty ? null : streamOf(reply.body, events), { status: reply.status, headers: reply.headers });
}

function judged(given: string, hosts: readonly string[]): URL {
  const read = readWebAddress(given);
  if ("problem" in read) throw new NetFailure("forbidden", `${given.slice(0, 200)} ${read.problem}.`);
  if (read.credentials || read.kind === "metadata" || read.kind === "invalid" || !hosts.includes(read.url.host))
    throw new NetFailure("forbidden", `${read.url.host} was not granted to this server.`);
  return read.url;
}

function plain(headers: RequestInit["headers"]): Record<string, string> {
  return Object.fromEntries(new Headers(headers));
}

function streamOf(body: Readable, events: boolean): ReadableStream<Uint8Array> {
  const line = new LineLength();
  let size = 0;
  // Whoever reads may lose interest while something is still on its way.
  let over = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      body.on("data", (chunk: Buffer) => {
        if (over) return;
        size += chunk.length;
        const endless = line.add(chunk);
        const large = !events && size > mostBytes;
        if (endless || large)
          return void body.destroy(endless ?? new NetFailure("too-large", "The answer has more than 16 MB."));
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) body.pause();
      });
      body.once("end", () => over || controller.close());
      body.on("error", (error) => over || controller.error(error));
      body.pause();
    },
    pull: () => void body.resume(),
    cancel() {
      over = true;
      body.destroy();
    },
  });
}
