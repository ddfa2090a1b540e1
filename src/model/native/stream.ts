// One call of an adapter that speaks its wire format itself: from request to `end`, the connection closed whatever happens.
import type { Readable } from "node:stream";
import { type NetReply, release, request as send } from "../../io/net/client.ts";
import { NetFailure } from "../../io/net/failure.ts";
import { readText } from "../../io/net/fetch.ts";
import type { Finish } from "../../protocol/message.ts";
import type { AnswerPart } from "../../protocol/request.ts";
import { type Connection, counterpart } from "../contract/connection.ts";
import { brokenOff, faultOfConnection, faultOfReply, webPage } from "../contract/faults.ts";

/** Gathers one answer from the pieces of a stream. */
export interface NativeAnswer {
  /** What a consumer may see at once. May throw a WireFault. */
  take(piece: string): Iterable<AnswerPart>;
  /** True once there is anything worth keeping. */
  readonly begun: boolean;
  /** True when no further piece is wanted. */
  readonly over: boolean;
  /** Undefined as long as the answer may have been cut. */
  readonly finish: Finish | undefined;
  end(finish: Finish): AnswerPart;
}

export interface NativeCall {
  connection: Connection;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Splits a body of the given content type; what came together is together. */
  pieces(body: Readable, contentType: string): AsyncIterable<readonly string[]>;
  answer: NativeAnswer;
  signal: AbortSignal;
}

export async function* streamNative(call: NativeCall): AsyncGenerator<AnswerPart> {
  const { answer, signal } = call;
  const about = counterpart(call.connection);
  let body: Readable | undefined;
  try {
    const reply = await open(call);
    body = reply.body;
    reading: for await (const pieces of call.pieces(body, reply.headers["content-type"] ?? "")) {
      for (const piece of pieces) {
        yield* answer.take(piece);
        if (answer.over || signal.aborted) break reading;
      }
    }
  } catch (error) {
    if (!signal.aborted)
      throw error instanceof NetFailure ? faultOfConnection(error, about, body !== undefined) : error;
    if (!answer.begun) throw signal.reason;
  } finally {
    if (body) release(body, answer.over);
  }
  if (answer.finish) yield answer.end(answer.finish);
  else if (!signal.aborted) throw brokenOff(about);
  else if (answer.begun) yield answer.end("aborted");
  else throw signal.reason;
}

async function open(call: NativeCall): Promise<NetReply> {
  const { connection } = call;
  const about = counterpart(connection);
  const reply = await send({
    url: `${connection.baseUrl}${call.path}`,
    method: "POST",
    headers: { "content-type": "application/json", ...call.headers, ...connection.headers },
    body: call.body,
    signal: call.signal,
    ...(connection.idleMs === undefined ? {} : { idleMs: connection.idleMs }),
  });
  connection.told?.take((header) => reply.headers[header]);
  if (reply.status !== 200) {
    throw faultOfReply({ status: reply.status, headers: reply.headers, body: await readText(reply.body) }, about);
  }
  if (!/text\/html/i.test(reply.headers["content-type"] ?? "")) return reply;
  release(reply.body, false);
  throw webPage(about);
}
