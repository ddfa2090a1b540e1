// What the provider packages need of `fetch`, without undici (its first use costs a young process tens of ms).
import type { Readable } from "node:stream";
import { type NetReply, request } from "./client.ts";
import { LineLength } from "./lines.ts";

interface FetchOptions {
  idleMs?: number;
}

/** Only string bodies, plain header records, GET and POST: what the packages send. */
export function createFetch(options: FetchOptions = {}): typeof globalThis.fetch {
  const send = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const reply = await request({
      url: String(input),
      method: init.method === "POST" ? "POST" : "GET",
      headers: plainHeaders(init.headers),
      ...(typeof init.body === "string" ? { body: init.body } : {}),
      ...(init.signal ? { signal: init.signal } : {}),
      ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
    });
    return response(String(input), reply) as unknown as Response;
  };
  return send;
}

function plainHeaders(headers: RequestInit["headers"]): Record<string, string> {
  if (headers === undefined) return {};
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value]) => [String(name), String(value)]));
}

function response(url: string, reply: NetReply) {
  return {
    url,
    ok: reply.status >= 200 && reply.status < 300,
    status: reply.status,
    statusText: reply.statusText,
    headers: new Map(Object.entries(reply.headers)),
    body: webStream(reply.body),
    text: () => readText(reply.body),
  };
}

/** Reads on demand; cancelling it closes the connection. */
function webStream(body: Readable): ReadableStream<Uint8Array> {
  const length = new LineLength();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (body.errored) controller.error(body.errored);
      body.on("data", (chunk: Buffer) => {
        const endless = length.add(chunk);
        if (endless) return void body.destroy(endless);
        controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        if ((controller.desiredSize ?? 0) <= 0) body.pause();
      });
      body.once("end", () => controller.close());
      body.once("error", (error) => controller.error(error));
      body.pause();
    },
    pull: () => void body.resume(),
    cancel: () => void body.destroy(),
  });
}

/** At most `limit` bytes of a body, as text; the rest is not read. */
export async function readText(body: Readable, limit = 4 * 1024 * 1024): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit).toString("utf8");
}
