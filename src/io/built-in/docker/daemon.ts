// Requests to a Docker daemon, or to Podman where it speaks the same interface (Docker Engine API, https://docs.docker.com/reference/api/engine).
import { type IncomingMessage, request } from "node:http";
import type { Readable } from "node:stream";
import { PluginProblem } from "../serving/spec.ts";
import type { DockerOptions } from "./spec.ts";

const answerMs = 30_000;
const mostBytes = 8_000_000;

interface Sent {
  method?: "GET" | "POST";
  /** With its query. */
  path: string;
  /** A tar file. */
  body?: Readable;
  /** Until the whole answer is there. */
  withinMs?: number;
}

/** The body, at most so much of it as a person could read. Rejects with a PluginProblem. */
export async function ask(daemon: DockerOptions, sent: Sent): Promise<Buffer> {
  const { signal, done } = limit(sent.withinMs ?? answerMs);
  try {
    const response = await answered(daemon, sent, signal);
    const body = await bytesOf(response);
    if ((response.statusCode ?? 500) < 300) return body;
    throw new PluginProblem(`Docker refuses: ${refusal(body)}`);
  } catch (error) {
    if (error instanceof PluginProblem) throw error;
    const { code, name, message } = error as NodeJS.ErrnoException;
    if (name === "AbortError") throw new PluginProblem("Docker did not answer in time.");
    throw new PluginProblem(`Docker cannot be reached at ${daemon.host}:${daemon.port} (${code ?? message}).`);
  } finally {
    done();
  }
}

function limit(ms: number): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, done: () => clearTimeout(timer) };
}

function answered(daemon: DockerOptions, sent: Sent, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { host, port } = daemon;
  const { method = "GET", path, body } = sent;
  const headers = body ? { "content-type": "application/x-tar" } : {};
  const made = request({ host, port, method, path, headers, signal, agent: false }, resolve);
  made.once("error", reject);
  if (!body) made.end();
  else {
    body.once("error", (error) => made.destroy(error));
    body.pipe(made);
  }
  return promise;
}

async function bytesOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += (chunk as Buffer).length;
    if (length > mostBytes) throw new PluginProblem("Docker's answer is too long; ask for less.");
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function refusal(body: Buffer): string {
  const text = body.toString();
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === "string") return message.slice(0, 500);
  } catch {
    return text.slice(0, 500);
  }
  return text.slice(0, 500);
}

/** Of both streams in the order in which they were written. What a terminal wrote has no frames. */
export function logText(body: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const framed = (body[at] ?? 9) <= 2 && body.subarray(at + 1, at + 4).equals(Buffer.alloc(3));
    if (!framed || at + 8 > body.length) {
      parts.push(body.subarray(at));
      break;
    }
    const end = at + 8 + body.readUInt32BE(at + 4);
    parts.push(body.subarray(at + 8, end));
    at = end;
  }
  return Buffer.concat(parts).toString();
}
