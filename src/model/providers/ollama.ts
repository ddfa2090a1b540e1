// Ollama by its native API: the compatible endpoint can set neither num_ctx nor keep_alive and truncates silently.
import { request } from "../../io/net/client.ts";
import { NetFailure } from "../../io/net/failure.ts";
import { readText } from "../../io/net/fetch.ts";
import { linesOf } from "../../io/net/lines.ts";
import type { AssistantContent, CallContent, Finish, Json, Message, Part, Usage } from "../../protocol/message.ts";
import { noUsage } from "../../protocol/usage.ts";
import type { AnswerPart, ModelRequest } from "../../protocol/request.ts";
import { type Connection, counterpart, listModels, openScrubbed } from "../contract/connection.ts";
import {
  normalFinish,
  parseArguments,
  replayArguments,
  resultText,
  takenArguments,
  textOf,
} from "../contract/content.ts";
import { type Counterpart, faultOfReply, unreadable } from "../contract/faults.ts";
import { type NativeAnswer, streamNative } from "../native/stream.ts";
import type { Provider } from "../contract/provider.ts";
import { noteSent } from "../contract/sent.ts";
import { toldTokens } from "../contract/told-tokens.ts";
import { textIn } from "../../base/text-in.ts";

interface OllamaOptions {
  /** Tokens of the window; the server's own default is too small for work with tools. */
  numCtx: number;
  /** How long the model stays loaded; -1: for ever. */
  keepAlive: number | string;
}

const vendor = "ollama";

export function ollamaProvider(connection: Connection, options: OllamaOptions): Provider {
  return {
    name: connection.name,
    vendor,
    local: connection.local,
    stream(token, signal) {
      const asked = openScrubbed(token);
      const body = requestBody(asked, options);
      noteSent(asked, body);
      return streamNative({
        connection,
        path: "/api/chat",
        headers: {},
        body: JSON.stringify(body),
        pieces: linesOf,
        answer: new Answer(counterpart(connection)),
        signal,
      });
    },
    preload: (model, signal) => preload(connection, model, { options, signal }),
    models: (signal) => listModels(connection, { path: "/api/tags", headers: {} }, signal),
  };
}

/** A request without a prompt loads the model; with the window of those to come, as another one would load it anew. */
async function preload(
  connection: Connection,
  model: string,
  { options, signal }: { options: OllamaOptions; signal: AbortSignal },
): Promise<void> {
  const body = { model, stream: false, keep_alive: options.keepAlive, options: { num_ctx: options.numCtx } };
  try {
    const reply = await request({
      url: `${connection.baseUrl}/api/generate`,
      method: "POST",
      headers: { "content-type": "application/json", ...connection.headers },
      body: JSON.stringify(body),
      signal,
    });
    await readText(reply.body);
  } catch (error) {
    // Whoever asks the model is told what is wrong with its server.
    if (!(error instanceof NetFailure) && !signal.aborted) throw error;
  }
}

interface Chunk {
  message?: { content?: string; thinking?: string; tool_calls?: { id?: string; function?: ToolCall }[] };
  done?: boolean;
  done_reason?: string;
  prompt_eval_count?: number;
  eval_count?: number;
  error?: string;
}
interface ToolCall {
  name?: string;
  arguments?: Json;
}

function parseChunk(line: string, about: Counterpart): Chunk {
  let chunk: Chunk;
  try {
    chunk = JSON.parse(line) as Chunk;
  } catch (error) {
    throw unreadable(about, "a line of it is not JSON.", error);
  }
  if (typeof chunk.error === "string") throw faultOfReply({ status: 0, headers: {}, body: chunk.error }, about);
  if (!chunk.message && chunk.done === undefined) throw unreadable(about, "a line of it is no part of an answer.");
  return chunk;
}

class Answer implements NativeAnswer {
  readonly #about: Counterpart;
  finish: Finish | undefined;
  #usage: Usage = noUsage;
  #reasoning = "";
  #text = "";
  readonly #calls: CallContent[] = [];

  constructor(about: Counterpart) {
    this.#about = about;
  }

  get over(): boolean {
    return this.finish !== undefined;
  }

  get begun(): boolean {
    return this.#reasoning !== "" || this.#text !== "" || this.#calls.length > 0;
  }

  *take(line: string): Generator<AnswerPart> {
    const chunk = parseChunk(line, this.#about);
    const { thinking, content, tool_calls: calls } = chunk.message ?? {};
    if (thinking) {
      this.#reasoning += thinking;
      yield { type: "reasoning", text: thinking };
    }
    if (content) {
      this.#text += content;
      yield { type: "text", text: content };
    }
    for (const call of calls ?? []) {
      this.#addCall(call);
      yield { type: "call", bytes: Buffer.byteLength(JSON.stringify(call)) };
    }
    if (!chunk.done) return;
    const [input, output] = [chunk.prompt_eval_count, chunk.eval_count].map(toldTokens);
    this.#usage = { ...noUsage, input: input ?? 0, output: output ?? 0 };
    this.finish = chunk.done_reason === "length" ? "length" : "stop";
  }

  #addCall(call: { id?: string; function?: ToolCall }): void {
    const input = call.function?.arguments ?? {};
    this.#calls.push({
      type: "call",
      id: call.id || `call_${crypto.randomUUID().slice(0, 8)}`,
      name: call.function?.name ?? "",
      ...(typeof input === "string" ? parseArguments(input) : takenArguments(input)),
    });
  }

  end(finish: Finish): Extract<AnswerPart, { type: "end" }> {
    const content: AssistantContent[] = [];
    if (this.#reasoning) content.push({ type: "reasoning", text: this.#reasoning, vendor });
    if (this.#text) content.push({ type: "text", text: this.#text });
    content.push(...this.#calls);
    return { type: "end", content, finish: normalFinish(finish, this.#calls.length), usage: this.#usage };
  }
}

function requestBody(request: ModelRequest, options: OllamaOptions): object {
  const { effort } = request;
  return {
    model: request.model,
    messages: [
      ...(request.system ? [{ role: "system", content: request.system }] : []),
      ...request.messages.flatMap(convert),
    ],
    ...(request.tools.length > 0
      ? {
          tools: request.tools.map(({ name, description, schema }) => ({
            type: "function",
            function: { name, description, parameters: schema },
          })),
        }
      : {}),
    stream: true,
    ...(effort !== undefined && { think: /(^|\/)gpt-oss/.test(request.model) ? effort : effort !== "off" }),
    keep_alive: options.keepAlive,
    // An error, not a silent loss, when the conversation outgrows the window.
    truncate: false,
    shift: false,
    options: {
      num_ctx: options.numCtx,
      num_predict: request.maxOutputTokens,
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    },
  };
}

function convert(message: Message): object[] {
  if (message.role === "user") return [{ role: "user", content: textOf(message.content), ...images(message.content) }];
  if (message.role === "tool") {
    const results = message.content.map((result) => ({
      role: "tool",
      content: resultText(result),
      tool_name: result.name,
      tool_call_id: result.call,
    }));
    const parts = message.content.flatMap((result) => result.parts.filter((part) => part.type === "image"));
    return parts.length === 0
      ? results
      : [...results, { role: "user", content: "Images of the results:", ...images(parts) }];
  }
  return assistant(message.content);
}

function assistant(content: readonly AssistantContent[]): object[] {
  const calls = content.filter((block) => block.type === "call");
  const text = textIn(content);
  const thinking = content
    .map((block) => (block.type === "reasoning" && block.vendor === vendor ? block.text : ""))
    .join("");
  if (calls.length === 0 && !text && !thinking) return [];
  return [
    {
      role: "assistant",
      content: text,
      ...(thinking ? { thinking } : {}),
      ...(calls.length > 0
        ? {
            tool_calls: calls.map((call) => ({
              id: call.id,
              function: { name: call.name, arguments: replayArguments(call) },
            })),
          }
        : {}),
    },
  ];
}

const images = (parts: readonly Part[]): { images?: string[] } => {
  const data = parts.flatMap((part) => (part.type === "image" ? [part.data] : []));
  return data.length > 0 ? { images: data } : {};
};
