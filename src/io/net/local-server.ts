// A server for this process and this machine only: 127.0.0.1, a free port, never in the way of the process's end.

export interface LocalRequest {
  method: string;
  path: string;
  body: string;
}
export interface LocalReply {
  status: number;
  contentType: string;
  /** Written piece by piece as they come. */
  body: AsyncIterable<string> | Iterable<string>;
}
export interface LocalServer {
  /** `http://127.0.0.1:PORT` */
  url: string;
  close(): Promise<void>;
}

export async function serveLocally(answer: (request: LocalRequest) => LocalReply): Promise<LocalServer> {
  const server = process.getBuiltinModule("node:http").createServer(async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString("utf8");
      const reply = answer({ method: incoming.method ?? "GET", path: incoming.url ?? "/", body });
      outgoing.writeHead(reply.status, { "content-type": reply.contentType });
      for await (const piece of reply.body) {
        if (outgoing.destroyed) return;
        outgoing.write(piece);
      }
      outgoing.end();
    } catch (error) {
      outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  server.unref();
  // An idle kept-alive connection would hold the process for five seconds; one in use is held by its client.
  server.on("connection", (socket) => socket.unref());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the local server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      return closed.promise;
    },
  };
}
