// Writes down what a provider is asked and what it answers, so that `recorded` can play it.
import { isA, withFallback } from "../../base/fallback.ts";
import { recordingFile } from "../../io/recording-file.ts";
import type { AssistantContent, Message } from "../../protocol/message.ts";
import { type AnswerPart, WireFault } from "../../protocol/request.ts";
import { resultText, textOf } from "../contract/content.ts";
import type { Provider, Scrubbed } from "../contract/provider.ts";
import { RecordedStep } from "./recording.ts";
import { settled, type TailPart } from "./recording-match.ts";
import { openScrubbed } from "../contract/connection.ts";

/** The firewall's: its text without secrets. */
export type Redact = (text: string) => string;

/** Starts the file anew, once per process. What is asked was scrubbed; `redact` goes over the answers too. */
export function recordProvider(provider: Provider, file: string, redact: Redact): Provider {
  const header = JSON.stringify({ recording: 1, title: `Recorded from ${provider.name}` });
  const append = recordingFile(file, header);
  const keep = (step: RecordedStep) => append(redactedLine(step, redact));
  return {
    ...provider,
    stream: (request, signal) => record(provider, keep, { request, signal }),
    models: (signal) => provider.models(signal),
  };
}

/** A name beside a value can make it a secret: the line is looked at as a whole, too, where it stays a step by that. */
function redactedLine(step: RecordedStep, redact: Redact): string {
  const line = JSON.stringify(step, (_key, value: unknown) => (typeof value === "string" ? redact(value) : value));
  const whole = redact(line);
  return withFallback(line, isA(SyntaxError), () => (RecordedStep.safeParse(JSON.parse(whole)).success ? whole : line));
}

async function* record(
  provider: Provider,
  keep: (step: RecordedStep) => void,
  call: { request: Scrubbed; signal: AbortSignal },
): AsyncGenerator<AnswerPart> {
  const { messages } = openScrubbed(call.request);
  const asked = tailOf(messages).map(({ role, text }) => ({ role, text: settled(text) }));
  const before = { asked, at: messages.filter(({ role }) => role === "assistant").length };
  try {
    for await (const part of provider.stream(call.request, call.signal)) {
      if (part.type === "end" && part.finish !== "aborted") keep({ ...before, ...answerOf(part) });
      yield part;
    }
  } catch (error) {
    if (error instanceof WireFault && error.status !== undefined && error.status >= 400) {
      keep({ ...before, status: error.status, say: error.message });
    }
    throw error;
  }
}

function answerOf(end: Extract<AnswerPart, { type: "end" }>): RecordedStep {
  const joined = (type: "text" | "reasoning") =>
    end.content.map((block) => (block.type === type ? block.text : "")).join("");
  const calls = end.content.filter((block) => block.type === "call").map(recordedCall);
  const { input, output, cacheRead } = end.usage;
  return {
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
