// An MCP server over HTTP for scenes: the SDK's own handler, so that fettle meets the current revision of the protocol.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type SignInRules, type SignInServer, signInServer } from "./sign-in-server.ts";

export interface HttpStandIn extends AsyncDisposable {
  url: string;
  /** Of each request, in order. */
  heard: http.IncomingHttpHeaders[];
  signIn: SignInServer;
}

/** `redirects`: every request is sent elsewhere. `status`: in place of an answer. `signIn`: it answers those who have signed in. */
export async function startHttpStandIn(
  of: { redirects?: string; status?: number; signIn?: SignInRules } = {},
): Promise<HttpStandIn> {
  const heard: http.IncomingHttpHeaders[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "web", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.registerTool(
      "greet",
      { description: "Greet somebody.", inputSchema: z.object({ name: z.string() }) },
      ({ name }) => ({ content: [{ type: "text", text: `Hello ${name}` }] }),
    );
    return server;
  });
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signIn = signInServer(base, of.signIn);
  const server = http.createServer((incoming, outgoing) => {
    heard.push(incoming.headers);
    if (of.redirects) return void outgoing.writeHead(307, { location: of.redirects }).end();
    if (of.status) return void outgoing.writeHead(of.status).end("no");
    void answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  async function answer(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (of.signIn) {
      if (signIn.answer(incoming, outgoing, body.toString())) return;
      const challenge = `Bearer resource_metadata="${base()}/.well-known/oauth-protected-resource"`;
      if (!signIn.admits(incoming.headers))
        return void outgoing.writeHead(401, { "www-authenticate": challenge }).end();
    }
    const { method = "GET", headers, url } = incoming;
    const request = new Request(`http://127.0.0.1${url ?? "/"}`, {
      ...{ method, headers: headers as Record<string, string> },
      ...(method === "POST" && { body }),
    });
    const reply = await handler.fetch(request);
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers));
    outgoing.flushHeaders();
    for await (const chunk of reply.body ?? []) outgoing.write(chunk);
    outgoing.end();
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return {
    url: `${base()}/mcp`,
    ...{ heard, signIn },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
