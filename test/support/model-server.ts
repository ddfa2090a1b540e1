// A scripted model over real HTTP on loopback, in five wire formats, told apart by the path.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { anthropicError, anthropicFrames } from "./wire/anthropic.ts";
import { chatError, chatFrames } from "./wire/chat.ts";
import { googleError, googleFrames } from "./wire/google.ts";
import { ollamaFrames } from "./wire/ollama.ts";
import { responsesFrames } from "./wire/responses.ts";
import { type Reply, type Step, stepOf } from "./wire/step.ts";

export type { Reply, Step } from "./wire/step.ts";

export type WireFormat = "chat" | "responses" | "anthropic" | "google" | "ollama";

export interface ModelServerRequest {
  format: WireFormat;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** Parsed JSON. */
  body: Record<string, unknown>;
  /** As it came. */
  raw: string;
  /** ms since 1970. */
  at: number;
  /** Counts from 0. */
  index: number;
  /** Resolves when the connection of this answer has ended: `complete` when all of it was sent. */
  closed: Promise<"complete" | "closed">;
}

export type Script = readonly Reply[] | ((request: ModelServerRequest) => Reply | Promise<Reply>);

export interface ModelServer {
  /** `http://127.0.0.1:PORT`, for Ollama and Google. Chat, Responses and Anthropic live below `/v1`. */
  url: string;
  requests: ModelServerRequest[];
  /** How many connections were opened so far. */
  connections(): number;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  /** What /models and /api/tags list. */
  models?: string[];
}

/** An array answers in order; asked for more, it answers 400 with `the script is over`. */
export async function startModelServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ModelServerRequest[] = [];
  const models = options.models ?? ["scripted"];
  const server = http.createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy());
  });

  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });

  async function serve(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const path = incoming.url ?? "/";
    const raw = await bodyOf(incoming);
    if (incoming.method === "GET") return list(path, models, outgoing);
    const { promise: closed, resolve } = Promise.withResolvers<"complete" | "closed">();
    outgoing.once("close", () => resolve(outgoing.writableFinished ? "complete" : "closed"));
    const request: ModelServerRequest = {
      format: formatOf(path),
      path,
      headers: incoming.headers,
      body: JSON.parse(raw || "{}") as Record<string, unknown>,
      raw,
      at: Date.now(),
      index: requests.length,
      closed,
    };
    requests.push(request);
    const step = typeof script === "function" ? await script(request) : script[request.index];
    await answer(stepOf(step ?? { status: 400, say: "the script is over" }), request, outgoing);
  }

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    close: () => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      server.close(() => end());
      server.closeAllConnections();
      return ended;
    },
  };
}

async function bodyOf(incoming: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function formatOf(path: string): WireFormat {
  if (path.includes("/chat/completions")) return "chat";
  if (path.includes("/responses")) return "responses";
  if (path.includes("/messages")) return "anthropic";
  if (path.includes(":streamGenerateContent")) return "google";
  if (path.includes("/api/chat")) return "ollama";
  throw new Error(`no model answers at ${path}`);
}

function list(path: string, models: string[], outgoing: http.ServerResponse): void {
  const body = path.includes("/api/tags")
    ? { models: models.map((name) => ({ name, model: name })) }
    : path.includes("/v1beta")
      ? { models: models.map((name) => ({ name: `models/${name}`, inputTokenLimit: 1000 })) }
      : { object: "list", data: models.map((id) => ({ id, object: "model", context_length: 1000 })) };
  outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function answer(step: Step, request: ModelServerRequest, outgoing: http.ServerResponse): Promise<void> {
  if (step.delayMs) await sleep(step.delayMs);
  if (step.drop === "before") {
    outgoing.socket?.resetAndDestroy();
    return;
  }
  if (step.status !== undefined || step.body !== undefined) {
    const status = step.status ?? 200;
    const body = step.body ?? errorBody(request.format, status, step.say ?? "scripted error");
    outgoing.writeHead(status, { "content-type": "application/json", ...step.headers }).end(body);
    return;
  }
  const frames = framesOf(step, request);
  const half = step.drop === "middle" || step.cut || step.torn;
  const stop = half ? Math.ceil(frames.length / 2) : frames.length;
  const contentType = request.format === "ollama" ? "application/x-ndjson" : "text/event-stream";
  outgoing.writeHead(200, { "content-type": contentType, ...step.headers });
  if (step.drop === "begun") {
    outgoing.flushHeaders();
    await sleep(30);
    outgoing.socket?.resetAndDestroy();
    return;
  }
  for (const frame of frames.slice(0, stop)) {
    await step.gate?.(frame);
    if (outgoing.destroyed) return;
    outgoing.write(frame);
    // A frame must be on its way before a reset may overtake it.
    if (step.frameMs || step.drop) await sleep(step.frameMs ?? 5);
  }
  const [next = ""] = frames.slice(stop);
  if (step.torn) outgoing.write(next.slice(0, next.length / 2));
  if (step.drop === "middle") outgoing.socket?.resetAndDestroy();
  else if (!step.hang) outgoing.end();
}

function framesOf(step: Step, request: ModelServerRequest): string[] {
  switch (request.format) {
    case "chat":
      return chatFrames(step, request.index);
    case "responses":
      return responsesFrames(step, request.index);
    case "anthropic":
      return anthropicFrames(step, request.index);
    case "google":
      return googleFrames(step);
    case "ollama":
      return ollamaFrames(step);
  }
}

function errorBody(format: WireFormat, status: number, message: string): string {
  if (format === "anthropic") return anthropicError(status, message);
  if (format === "google") return googleError(status, message);
  return format === "ollama" ? JSON.stringify({ error: message }) : chatError(status, message);
}
