// Writes down what a provider is asked and what it answers, so that `recorded` can play it.
import { recordingFile } from "../io/recording-file.ts";
import type { AssistantContent, Message } from "../protocol/message.ts";
import { type AnswerPart, WireFault } from "../protocol/request.ts";
import { resultText, textOf } from "./content.ts";
import type { Provider, Scrubbed } from "./provider.ts";
import { type RecordedStep, type TailPart, tailDigest } from "./recording.ts";
import { openScrubbed } from "./connection.ts";

/** Starts the file anew, once per process. Only what the firewall has scrubbed is written. */
export function recordProvider(provider: Provider, file: string): Provider {
  const header = JSON.stringify({ recording: 1, title: `Recorded from ${provider.name}` });
  const append = recordingFile(file, header);
  return {
    ...provider,
    stream: (request, signal) => record(provider, append, { request, signal }),
    models: (signal) => provider.models(signal),
  };
}

async function* record(
  provider: Provider,
  append: (line: string) => void,
  call: { request: Scrubbed; signal: AbortSignal },
): AsyncGenerator<AnswerPart> {
  const match = tailDigest(tailOf(openScrubbed(call.request).messages));
  try {
    for await (const part of provider.stream(call.request, call.signal)) {
      if (part.type === "end" && part.finish !== "aborted") append(JSON.stringify(stepOf(part, match)));
      yield part;
    }
  } catch (error) {
    if (error instanceof WireFault && error.status !== undefined && error.status >= 400) {
      append(JSON.stringify({ match, status: error.status, say: error.message } satisfies RecordedStep));
    }
    throw error;
  }
}

function stepOf(end: Extract<AnswerPart, { type: "end" }>, match: string): RecordedStep {
  const joined = (type: "text" | "reasoning") =>
    end.content.map((block) => (block.type === type ? block.text : "")).join("");
  const calls = end.content.filter((block) => block.type === "call").map(recordedCall);
  const { input, output, cacheRead } = end.usage;
  return {
    match,
    ...(joined("reasoning") ? { reasoning: joined("reasoning") } : {}),
    ...(joined("text") ? { say: joined("text") } : {}),
    ...(calls.length > 0 ? { calls } : {}),
    ...(end.finish === "length" || end.finish === "filter" ? { finish: end.finish } : {}),
    usage: { input, output, ...(cacheRead ? { cacheRead } : {}) },
  };
}

const recordedCall = (call: Extract<AssistantContent, { type: "call" }>) => ({
  id: call.id,
  name: call.name,
  ...(call.malformed === undefined ? { input: call.input } : { raw: call.malformed }),
});

function tailOf(messages: readonly Message[]): TailPart[] {
  const start = messages.findLastIndex((message) => message.role === "assistant") + 1;
  return messages.slice(start).flatMap((message): TailPart[] => {
    if (message.role === "user") return [{ role: "user", text: textOf(message.content) }];
    if (message.role === "tool") return message.content.map((result) => ({ role: "tool", text: resultText(result) }));
    return [];
  });
}
