import { argumentsOf, callId, halves, pieces, type Step, sse } from "./step.ts";

const finishes: Record<string, string> = {
  stop: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  filter: "refusal",
};

/** Anthropic Messages. */
export function anthropicFrames(step: Step, number: number): string[] {
  const frames: string[] = [];
  const push = (type: string, data: object) => frames.push(sse({ type, ...data }, type));
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = step.usage ?? {};
  push("message_start", {
    message: {
      id: `msg_${number}`,
      type: "message",
      role: "assistant",
      model: "scripted",
      content: [],
      stop_reason: null,
      usage: {
        input_tokens: input - cacheRead - cacheWrite,
        cache_read_input_tokens: cacheRead,
        cache_creation_input_tokens: cacheWrite,
        output_tokens: 1,
      },
    },
  });
  let index = 0;
  const block = (start: object, deltas: object[]) => {
    push("content_block_start", { index, content_block: start });
    for (const delta of deltas) push("content_block_delta", { index, delta });
    push("content_block_stop", { index });
    index += 1;
  };
  if (step.reasoning) {
    const deltas: object[] = halves(step.reasoning).map((thinking) => ({ type: "thinking_delta", thinking }));
    if (step.signature) deltas.push({ type: "signature_delta", signature: step.signature });
    block({ type: "thinking", thinking: "", signature: "" }, deltas);
  }
  if (step.redacted) block({ type: "redacted_thinking", data: step.redacted }, []);
  const text = pieces(step);
  if (text.length > 0) {
    block(
      { type: "text", text: "" },
      text.map((part) => ({ type: "text_delta", text: part })),
    );
  }
  for (const [position, call] of (step.calls ?? []).entries()) {
    block(
      { type: "tool_use", id: callId(call, position, number), name: call.name, input: {} },
      halves(argumentsOf(call)).map((part) => ({ type: "input_json_delta", partial_json: part })),
    );
  }
  if (step.streamError) {
    push("error", { error: step.streamError });
    return frames;
  }
  const reason = step.finish ?? (step.calls?.length ? "calls" : "stop");
  if (reason === "none") return frames;
  push("message_delta", {
    delta: { stop_reason: finishes[reason] ?? reason, stop_sequence: null },
    usage: { output_tokens: output },
  });
  push("message_stop", {});
  return frames;
}

export const anthropicError = (status: number, message: string): string => {
  const types: Record<number, string> = {
    401: "authentication_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
  };
  return JSON.stringify({
    type: "error",
    error: { type: types[status] ?? (status >= 500 ? "api_error" : "invalid_request_error"), message },
  });
};
