// A server on this machine's loopback, of web requests and answers: whoever handles them sees no socket.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";

export interface WebServer {
  port: number;
  /** Ends what is still open, too. */
  close(): Promise<void>;
}

/** `port` 0: a free one. Rejects with a Fault. */
export async function serveWeb(
  port: number,
  handle: (request: Request) => Promise<Response>,
  failed: (error: unknown) => void,
): Promise<WebServer> {
  const server = process.getBuiltinModule("node:http").createServer((incoming, outgoing) => {
    void exchange(incoming, outgoing, handle).catch((error: unknown) => {
      failed(error);
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, "127.0.0.1", resolve);
  await promise.catch((error: NodeJS.ErrnoException) => {
    throw new Fault(
      "port.taken",
      Exit.usage,
      `Port ${port} of this machine cannot be served (${error.code ?? error.message}).`,
      "Name another one, or 0 for a free one.",
    );
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      return closed.promise;
    },
  };
}

async function exchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const request = requestOf(incoming, gone.signal);
  if (!request) return void outgoing.writeHead(400).end();
  const reply = await handle(request);
  outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
  // Whoever waits for events sees that the stream is open.
  outgoing.flushHeaders();
  if (!reply.body) return void outgoing.end();
  const reader = reply.body.getReader();
  gone.signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined), { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || gone.signal.aborted) break;
    if (!outgoing.write(value))
      await new Promise<void>((resolve) => {
        outgoing.once("drain", resolve);
        outgoing.once("close", resolve);
      });
  }
  outgoing.end();
}

/** Undefined where its first line or its headers are none that a web request may have. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const method = incoming.method ?? "GET";
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) headers.append(name, each);
    const bodiless = method === "GET" || method === "HEAD";
    const body = bodiless ? {} : { body: bodyOf(incoming), duplex: "half" as const };
    return new Request(new URL(incoming.url ?? "/", "http://127.0.0.1"), { method, headers, signal, ...body });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const bodyOf = (incoming: IncomingMessage): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      incoming.on("data", (chunk: Buffer) => {
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => controller.close());
      incoming.once("error", (error) => controller.error(error));
    },
    pull: () => void incoming.resume(),
    cancel: () => void incoming.destroy(),
  });
