// A forge of this process's own on loopback, for the demonstration of projects: one bare repository, which git's own
// http-backend serves, and the part of GitHub's interface that opens pull requests.
import { spawn } from "node:child_process";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

export interface ProposedPull {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
}

export interface LocalForge {
  /** Of the repository, as it is cloned. */
  url: string;
  /** Where its interface begins. */
  api: string;
  pulls: readonly ProposedPull[];
  close(): Promise<void>;
}

interface Served {
  /** The folder that holds the bare repository `OWNER/NAME.git`. */
  root: string;
  /** `OWNER/NAME` */
  repository: string;
  /** What whoever writes has to show. */
  token: string;
}

/** Ends with the process at the latest. */
export async function serveForge({ root, repository, token }: Served): Promise<LocalForge> {
  const pulls: ProposedPull[] = [];
  const prefix = `/api/v3/repos/${repository}/pulls`;
  let url = "";
  const server = http.createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      if (incoming.url?.startsWith("/api/") === true) api(incoming, body, outgoing);
      else await git(incoming, body, outgoing);
    })().catch(() => outgoing.destroy());
  });

  function api(incoming: http.IncomingMessage, body: Buffer, outgoing: http.ServerResponse): void {
    const at = new URL(incoming.url ?? "/", "http://forge.local");
    const reply = (status: number, value: unknown) =>
      outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const shown = (pull: ProposedPull) => ({
      ...{ number: pull.number, title: pull.title, body: pull.body, state: "open" },
      ...{ head: { ref: pull.head }, base: { ref: pull.base }, html_url: `${url}/${repository}/pull/${pull.number}` },
    });
    if (!at.pathname.startsWith(prefix)) return void reply(404, { message: "Not Found" });
    if (incoming.headers.authorization !== `Bearer ${token}`) return void reply(401, { message: "Bad credentials" });
    const head = at.searchParams.get("head")?.replace(/^[^:]*:/, "");
    if (incoming.method === "GET") return void reply(200, pulls.filter((pull) => pull.head === head).map(shown));
    const given = JSON.parse(body.toString("utf8")) as Omit<ProposedPull, "number">;
    const number = Number(/\/(\d+)$/.exec(at.pathname)?.[1] ?? pulls.length + 1);
    const known = pulls[number - 1];
    const pull = known ? Object.assign(known, given) : { ...given, number };
    if (!known) pulls.push(pull);
    reply(known ? 200 : 201, shown(pull));
  }

  /** The interface of CGI (RFC 3875), as far as git's program uses it. */
  async function git(incoming: http.IncomingMessage, body: Buffer, outgoing: http.ServerResponse): Promise<void> {
    const [name = "", query = ""] = (incoming.url ?? "/").split("?");
    const basic = `Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
    if (incoming.url?.includes("git-receive-pack") === true && incoming.headers.authorization !== basic)
      return void outgoing.writeHead(401, { "www-authenticate": "Basic" }).end();
    const child = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env["PATH"] ?? "/usr/bin:/bin",
        ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: "1", GIT_CONFIG_NOSYSTEM: "1" },
        ...{ PATH_INFO: name, QUERY_STRING: query, REQUEST_METHOD: incoming.method ?? "GET", REMOTE_USER: "demo" },
        CONTENT_TYPE: incoming.method === "POST" ? `application/x-${path.basename(name)}-request` : "",
        CONTENT_LENGTH: String(body.length),
      },
    });
    child.on("error", () => outgoing.destroy());
    child.stdin.on("error", () => undefined);
    child.stdin.end(body);
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) chunks.push(chunk);
    const out = Buffer.concat(chunks);
    const end = out.indexOf("\r\n\r\n");
    const head = out.subarray(0, Math.max(0, end)).toString("latin1");
    const status = Number(/^Status: (\d+)/m.exec(head)?.[1] ?? (end < 0 ? 500 : 200));
    const type = /^Content-Type: ([^\r]*)/im.exec(head)?.[1];
    outgoing.writeHead(status, type === undefined ? {} : { "content-type": type });
    outgoing.end(out.subarray(end + 4));
  }

  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  server.unref();
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url: `${url}/${repository}.git`, api: `${url}/api/v3`, pulls },
    close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      return closed.promise;
    },
  };
}
