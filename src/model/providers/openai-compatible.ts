// Chat completions at any base URL, spoken directly: the path that most servers and the first request of a run take
// (docs/decisions/0003-providers.md has the numbers).
import { eventsOf } from "../../io/net/lines.ts";
import { readText } from "../../io/net/fetch.ts";
import { type AnswerPart, type ModelRequest, WireFault } from "../../protocol/request.ts";
import { type Connection, counterpart, listModels, openScrubbed } from "../contract/connection.ts";
import { ChatAnswer } from "../native/chat-answer.ts";
import { chatBodies, type ChatQuirks, type ChatRules, parameters } from "../native/chat-request.ts";
import { streamNative } from "../native/stream.ts";
import type { ModelInfo, Provider } from "../contract/provider.ts";
import { serverKind } from "../registry/efforts.ts";
import { noteSent } from "../contract/sent.ts";

/** `callId`: ids that this server takes (Mistral wants exactly nine letters or digits). */
export function openaiCompatibleProvider(connection: Connection, callId = /^.{1,40}$/s): Provider {
  const rules: ChatRules = { vendor: `chat:${connection.name}`, callId, server: serverKind(connection.baseUrl) };
  const bodyOf = chatBodies(rules);
  const quirks: ChatQuirks = { temperature: false, completionTokens: false, streamOptions: false, effort: false };
  const headers: Record<string, string> = connection.key ? { authorization: `Bearer ${connection.key}` } : {};
  const once = (request: ModelRequest, signal: AbortSignal) => {
    noteSent(request, parameters(request, quirks, rules));
    return streamNative({
      connection,
      path: "/chat/completions",
      headers,
      body: bodyOf(request, quirks),
      // One JSON object comes from servers that do not stream.
      pieces: (body, type) => (/application\/json/i.test(type) ? whole(readText(body)) : eventsOf(body)),
      answer: new ChatAnswer(rules.vendor, counterpart(connection)),
      signal,
    });
  };
  return {
    name: connection.name,
    vendor: rules.vendor,
    local: connection.local,
    limits: () => connection.told?.news(),
    stream(token, signal) {
      const request = openScrubbed(token);
      return untilAccepted(() => once(request, signal), quirks);
    },
    models: (signal) => listedModels(connection, headers, signal),
  };
}

async function* whole(text: Promise<string>): AsyncGenerator<string[]> {
  yield [await text];
}

async function* untilAccepted(ask: () => AsyncIterable<AnswerPart>, quirks: ChatQuirks): AsyncGenerator<AnswerPart> {
  for (;;) {
    try {
      yield* ask();
      return;
    } catch (error) {
      // A refused parameter is refused before anything is answered, so nothing is yielded twice.
      if (!learn(error, quirks)) throw error;
    }
  }
}

function learn(error: unknown, quirks: ChatQuirks): boolean {
  if (!(error instanceof WireFault) || error.kind !== "bad-request") return false;
  const found = (
    [
      ["completionTokens", /max_completion_tokens/],
      ["temperature", /temperature/i],
      ["streamOptions", /stream_options/],
      ["effort", /reasoning|enable_thinking|chat_template_kwargs/i],
    ] as const
  ).find(([quirk, pattern]) => !quirks[quirk] && pattern.test(error.message));
  if (found) quirks[found[0]] = true;
  return found !== undefined;
}

/** LM Studio says how much a model reads in a list of its own, beside the one that all servers have. */
async function listedModels(
  connection: Connection,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<ModelInfo[]> {
  const models = await listModels(connection, { path: "/models", headers }, signal);
  const untold = models.length > 0 && models.every(({ contextWindow }) => contextWindow === undefined);
  if (!connection.local || !untold) return models;
  const own = { ...connection, baseUrl: new URL(connection.baseUrl).origin };
  const more = await listModels(own, { path: "/api/v0/models", headers }, signal).catch((error: unknown) => {
    if (error instanceof WireFault || signal.aborted) return [];
    throw error;
  });
  return models.map((model) => ({ ...model, ...more.find(({ id }) => id === model.id) }));
}
