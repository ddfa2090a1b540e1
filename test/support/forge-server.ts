// A GitHub of one's own on loopback: git over HTTP by git's own http-backend, and the part of the API that fettle uses.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import {
  basicError,
  combined,
  type commitStatus,
  type checkRun,
  type Pull,
  pullRequest,
  type workflowRun,
} from "./forge-shapes.ts";

export const forgeToken = "secret-token-of-this-test";

export interface Asked {
  method: string;
  path: string;
  authorization: string | undefined;
  body: string;
}

export interface ForgeServer {
  url: string;
  api: string;
  /** The bare repository `octo/sample`. */
  folder: string;
  requests: Asked[];
  /** Looked up at each request; `look` counts the requests for runs. */
  ci: {
    runs(commit: string, look: number): ReturnType<typeof workflowRun>[];
    checks(commit: string): ReturnType<typeof checkRun>[];
    statuses(commit: string): ReturnType<typeof commitStatus>[];
  };
  pulls: Pull[];
  /** Told when a pull request was made, before that is answered. */
  made?: () => void;
  /** By path below the repository, `/issues/7`. */
  answers: Map<string, { status: number; json: unknown }>;
  close(): Promise<void>;
}

const prefix = "/api/v3/repos/octo/sample";

export async function startForge(): Promise<ForgeServer> {
  const root = mkdtempSync(path.join(os.tmpdir(), "fettle-forge-"));
  const folder = path.join(root, "octo/sample.git");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", folder]);
  execFileSync("git", ["config", "http.receivepack", "true"], { cwd: folder });
  const requests: Asked[] = [];
  let looks = 0;
  const server = http.createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const asked = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        authorization: incoming.headers.authorization,
        body: body.toString("utf8"),
      };
      requests.push(asked);
      if (asked.path.startsWith("/api/")) answer(asked, outgoing);
      else await backend(asked, body, outgoing);
    })().catch(() => outgoing.destroy());
  });
  const forge: ForgeServer = {
    ...{ url: "", api: "", folder, requests, pulls: [], answers: new Map() },
    ci: { runs: () => [], checks: () => [], statuses: () => [] },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };

  function answer(asked: Asked, outgoing: http.ServerResponse): void {
    const reply = (status: number, json: unknown) => {
      outgoing.writeHead(status, { "content-type": "application/json; charset=utf-8" });
      outgoing.end(JSON.stringify(json));
    };
    const at = new URL(asked.path, "http://forge.test");
    if (!at.pathname.startsWith(prefix)) return reply(404, basicError("Not Found", 404));
    const own = at.pathname.slice(prefix.length);
    const known = forge.answers.get(own);
    if (known) return reply(known.status, known.json);
    if (asked.authorization !== `Bearer ${forgeToken}`) return reply(401, basicError("Bad credentials", 401));
    const commit = /^\/commits\/([0-9a-f]+)\//.exec(own)?.[1] ?? at.searchParams.get("head_sha") ?? "";
    if (own === "/actions/runs") {
      const runs = forge.ci.runs(commit, looks);
      looks += 1;
      return reply(200, { total_count: runs.length, workflow_runs: runs });
    }
    if (own.endsWith("/check-runs")) {
      const checks = forge.ci.checks(commit);
      return reply(200, { total_count: checks.length, check_runs: checks });
    }
    if (own.endsWith("/status")) return reply(200, combined(commit, forge.ci.statuses(commit)));
    return pulls(asked, { own, at }, reply);
  }

  function pulls(
    asked: Asked,
    { own, at }: { own: string; at: URL },
    reply: (status: number, json: unknown) => void,
  ): void {
    const number = /^\/pulls\/(\d+)$/.exec(own)?.[1];
    if (own === "/pulls" && asked.method === "GET") {
      const head = at.searchParams.get("head")?.replace(/^octo:/, "");
      return reply(200, forge.pulls.filter((pull) => pull.head.ref === head).map(pullRequest));
    }
    const given = JSON.parse(asked.body || "{}") as { title: string; body: string; head: string; base: string };
    if (own === "/pulls" && asked.method === "POST") {
      const made = forge.pulls.length + 1;
      const pull = {
        ...{ number: made, title: given.title, body: given.body, head: { ref: given.head }, base: { ref: given.base } },
        html_url: `${forge.url}/octo/sample/pull/${made}`,
      };
      forge.pulls.push(pull);
      forge.made?.();
      return reply(201, pullRequest(pull));
    }
    const pull = forge.pulls.find((each) => String(each.number) === number);
    if (!pull || asked.method !== "PATCH") return reply(404, basicError("Not Found", 404));
    Object.assign(pull, { title: given.title, body: given.body });
    return reply(200, pullRequest(pull));
  }

  /** The interface of CGI (RFC 3875), as far as git's program uses it. */
  async function backend(asked: Asked, body: Buffer, outgoing: http.ServerResponse): Promise<void> {
    const [name = "", query = ""] = asked.path.split("?");
    const basic = `Basic ${Buffer.from(`x-access-token:${forgeToken}`).toString("base64")}`;
    if (asked.path.includes("git-receive-pack") && asked.authorization !== basic) {
      outgoing.writeHead(401, { "www-authenticate": "Basic" }).end();
      return;
    }
    const child = spawn("/usr/lib/git-core/git-http-backend", [], {
      env: {
        PATH: process.env["PATH"] ?? "/usr/bin:/bin",
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: name,
        QUERY_STRING: query,
        REQUEST_METHOD: asked.method,
        REMOTE_USER: "octocat",
        CONTENT_TYPE: asked.method === "POST" ? `application/x-${path.basename(name)}-request` : "",
        CONTENT_LENGTH: String(body.length),
      },
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(body);
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) chunks.push(chunk);
    const out = Buffer.concat(chunks);
    const end = out.indexOf("\r\n\r\n");
    const lines = out.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^Status: (\d+)/.exec(lines.find((line) => line.startsWith("Status:")) ?? "")?.[1] ?? 200);
    const type = /^Content-Type: (.*)$/.exec(lines.find((line) => line.startsWith("Content-Type:")) ?? "")?.[1];
    outgoing.writeHead(status, type === undefined ? {} : { "content-type": type });
    outgoing.end(out.subarray(end + 4));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  forge.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  forge.api = `${forge.url}/api/v3`;
  return forge;
}
