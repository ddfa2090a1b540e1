import http from "node:http";
import type { AddressInfo } from "node:net";

export interface RawServer {
  url: string;
  /** `127.0.0.1:PORT` */
  host: string;
  port: number;
  seen: { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
}

/** A plain HTTP server on loopback; the body of each request is read before it is answered. */
export async function startRawServer(
  answer: (request: http.IncomingMessage, response: http.ServerResponse) => void,
): Promise<RawServer> {
  const seen: RawServer["seen"] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      seen.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
      answer(request, response);
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    port,
    seen,
    close: () => {
      const ended = Promise.withResolvers<void>();
      server.close(() => ended.resolve());
      server.closeAllConnections();
      return ended.promise;
    },
  };
}
