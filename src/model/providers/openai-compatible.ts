import { type AnswerPart, WireFault } from "../../protocol/request.ts";
import type { Provider, Scrubbed } from "../provider.ts";
import { type Connection, openScrubbed, sdkProvider } from "../sdk/provider.ts";

/** Servers differ in which common parameters they refuse; what one refused is left out from then on. */
interface Quirks {
  temperature: boolean;
  completionTokens: boolean;
  streamOptions: boolean;
}

/** Chat completions at any base URL. `callId`: ids that this server takes (Mistral wants exactly nine letters or digits). */
export function openaiCompatibleProvider(connection: Connection, callId = /^.{1,40}$/s): Provider {
  const quirks: Quirks = { temperature: false, completionTokens: false, streamOptions: false };
  const authorization = connection.key ? { authorization: `Bearer ${connection.key}` } : {};
  const provider = sdkProvider(connection, {
    rules: { vendor: `chat:${connection.name}`, callId, resultImages: "after" },
    model: async (id, fetch) => {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        // Not the configuration name: the package spreads options under some names into the request.
        name: "compatible",
        baseURL: connection.baseUrl,
        headers: { ...authorization, ...connection.headers },
        includeUsage: true,
        transformRequestBody: (body) => adapt(body, quirks),
        fetch,
      }).chatModel(id);
    },
    models: { path: "/models", headers: authorization },
    lastWord: "[DONE]",
  });
  return {
    ...provider,
    stream(request, signal) {
      openScrubbed(request);
      return withQuirks(provider, quirks, { request, signal });
    },
  };
}

async function* withQuirks(
  provider: Provider,
  quirks: Quirks,
  call: { request: Scrubbed; signal: AbortSignal },
): AsyncGenerator<AnswerPart> {
  for (;;) {
    try {
      yield* provider.stream(call.request, call.signal);
      return;
    } catch (error) {
      // A refused parameter is refused before anything is answered, so nothing is yielded twice.
      if (!learn(error, quirks)) throw error;
    }
  }
}

function learn(error: unknown, quirks: Quirks): boolean {
  if (!(error instanceof WireFault) || error.kind !== "bad-request") return false;
  const found = (
    [
      ["completionTokens", /max_completion_tokens/],
      ["temperature", /temperature/i],
      ["streamOptions", /stream_options/],
    ] as const
  ).find(([quirk, pattern]) => !quirks[quirk] && pattern.test(error.message));
  if (found) quirks[found[0]] = true;
  return found !== undefined;
}

function adapt(body: Record<string, unknown>, quirks: Quirks): Record<string, unknown> {
  const adapted = { ...body };
  if (quirks.temperature) delete adapted["temperature"];
  if (quirks.streamOptions) delete adapted["stream_options"];
  if (quirks.completionTokens) {
    adapted["max_completion_tokens"] = adapted["max_tokens"];
    delete adapted["max_tokens"];
  }
  return adapted;
}
