import { argumentsOf, callId, halves, pieces, type Step, sse } from "./step.ts";

const finishes: Record<string, string> = {
  stop: "stop",
  calls: "tool_calls",
  length: "length",
  filter: "content_filter",
};

/** OpenAI chat completions. */
export function chatFrames(step: Step, number: number): string[] {
  const frame = (delta: object, more: object = {}) =>
    sse({
      id: `chat-${number}`,
      object: "chat.completion.chunk",
      created: 1,
      model: "scripted",
      choices: [{ index: 0, delta, ...more }],
    });
  const frames = [frame({ role: "assistant" })];
  if (step.reasoning) frames.push(...halves(step.reasoning).map((text) => frame({ reasoning_content: text })));
  frames.push(...pieces(step).map((text) => frame({ content: text })));
  for (const [index, call] of (step.calls ?? []).entries()) {
    const head = { id: callId(call, index, number), type: "function", function: { name: call.name, arguments: "" } };
    frames.push(frame({ tool_calls: [{ index, ...head }] }));
    const text = halves(argumentsOf(call));
    frames.push(...text.map((part) => frame({ tool_calls: [{ index, function: { arguments: part } }] })));
  }
  if (step.streamError) return [...frames, sse({ error: step.streamError })];
  const reason = step.finish ?? (step.calls?.length ? "calls" : "stop");
  if (reason !== "none") frames.push(frame({}, { finish_reason: finishes[reason] ?? reason }));
  if (step.usage) {
    const { input = 0, output = 0, cacheRead = 0, reasoning = 0 } = step.usage;
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cacheRead },
      completion_tokens_details: { reasoning_tokens: reasoning },
    };
    frames.push(sse({ id: `chat-${number}`, object: "chat.completion.chunk", choices: [], usage }));
  }
  return [...frames, sse("[DONE]")];
}

export const chatError = (status: number, message: string): string =>
  JSON.stringify({
    error: { message, type: status === 429 ? "rate_limit_error" : "invalid_request_error", code: null },
  });
