// One request to a remote or a forge: to exactly the host that was judged, without redirects, its size bounded.
import { readWebAddress } from "../../base/web-address.ts";
import { checkedAddresses, pinned } from "../net/addresses.ts";
import { type NetRequest, release, request } from "../net/client.ts";
import { ForgeFailure } from "./spec.ts";

export interface Exchange {
  url: string;
  method: NetRequest["method"];
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** `Authorization`; never sent unencrypted but to this machine itself. */
  authorization?: string;
  /** The person's configuration names the host: it may lie inside their network. */
  configured: boolean;
  signal: AbortSignal;
  timeoutMs?: number;
  maxBytes?: number;
}

interface Exchanged {
  status: number;
  contentType: string;
  bytes: Buffer;
}

/** Rejects with a NetFailure, a ForgeFailure or the signal's reason. */
export async function exchange(given: Exchange): Promise<Exchanged> {
  const read = readWebAddress(given.url);
  if ("problem" in read) throw new ForgeFailure(`${given.url} ${read.problem}.`);
  const { kind, host, url } = read;
  const secure = url.protocol === "https:" || kind === "loopback";
  if (given.authorization !== undefined && !secure)
    throw new ForgeFailure(`${url.host} is asked unencrypted, so no token is sent there.`);
  if (kind === "metadata") throw new ForgeFailure("Cloud metadata services are never asked.");
  const deadline = AbortSignal.timeout(given.timeoutMs ?? 30_000);
  const reply = await request({
    url: url.href,
    method: given.method,
    headers: {
      ...given.headers,
      "user-agent": "fettle",
      ...(given.authorization !== undefined && { authorization: given.authorization }),
    },
    ...(given.body !== undefined && { body: given.body }),
    signal: AbortSignal.any([given.signal, deadline]),
    idleMs: given.timeoutMs ?? 30_000,
    ...(!given.configured && { lookup: pinned(await checkedAddresses(host)) }),
  });
  if (reply.status >= 300 && reply.status < 400) {
    release(reply.body, false);
    const to = reply.headers["location"];
    throw new ForgeFailure(
      `${url.origin}${url.pathname} has moved${to === undefined ? "" : ` to ${to}`}; redirects are not followed with a token, so mend the address.`,
    );
  }
  const limit = given.maxBytes ?? 8 * 1024 * 1024;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) throw new ForgeFailure(`${url.host} answers with more than ${limit} bytes.`);
  }
  return { status: reply.status, contentType: reply.headers["content-type"] ?? "", bytes: Buffer.concat(chunks) };
}
