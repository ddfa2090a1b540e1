import { argumentsOf, callId, halves, pieces, type Step, sse } from "./step.ts";

/** OpenAI Responses. */
export function responsesFrames(step: Step, number: number): string[] {
  const frames: string[] = [];
  const push = (type: string, data: object) => frames.push(sse({ type, ...data }, type));
  const id = `resp_${number}`;
  let index = 0;
  push("response.created", {
    response: { id, object: "response", created_at: 1, model: "scripted", status: "in_progress" },
  });
  if (step.reasoning !== undefined || step.signature !== undefined) {
    const item = { id: `rs_${number}`, type: "reasoning", encrypted_content: step.signature ?? null, summary: [] };
    push("response.output_item.added", { output_index: index, item: { ...item, encrypted_content: null } });
    if (step.reasoning) {
      const at = { item_id: item.id, output_index: index, summary_index: 0 };
      push("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
      for (const delta of halves(step.reasoning)) push("response.reasoning_summary_text.delta", { ...at, delta });
      push("response.reasoning_summary_part.done", { ...at, part: { type: "summary_text", text: step.reasoning } });
    }
    const summary = step.reasoning ? [{ type: "summary_text", text: step.reasoning }] : [];
    push("response.output_item.done", { output_index: index, item: { ...item, summary } });
    index += 1;
  }
  const text = pieces(step);
  if (text.length > 0) {
    const item = { id: `msg_${number}`, type: "message", role: "assistant", status: "in_progress", content: [] };
    push("response.output_item.added", { output_index: index, item });
    for (const delta of text) {
      push("response.output_text.delta", {
        item_id: item.id,
        output_index: index,
        content_index: 0,
        delta,
        logprobs: [],
      });
    }
    const content = [{ type: "output_text", text: text.join(""), annotations: [] }];
    push("response.output_item.done", { output_index: index, item: { ...item, status: "completed", content } });
    index += 1;
  }
  for (const [position, call] of (step.calls ?? []).entries()) {
    const item = {
      id: `fc_${number}_${position}`,
      type: "function_call",
      call_id: callId(call, position, number),
      name: call.name,
    };
    push("response.output_item.added", {
      output_index: index,
      item: { ...item, arguments: "", status: "in_progress" },
    });
    for (const delta of halves(argumentsOf(call))) {
      push("response.function_call_arguments.delta", { item_id: item.id, output_index: index, delta });
    }
    push("response.function_call_arguments.done", {
      item_id: item.id,
      output_index: index,
      arguments: argumentsOf(call),
    });
    push("response.output_item.done", {
      output_index: index,
      item: { ...item, arguments: argumentsOf(call), status: "completed" },
    });
    index += 1;
  }
  if (step.streamError) {
    const { type: code, message } = step.streamError;
    push("error", { sequence_number: 9, error: { type: code, code, message, param: null } });
    return frames;
  }
  if (step.finish === "none") return frames;
  const { input = 0, output = 0, cacheRead = 0, reasoning = 0 } = step.usage ?? {};
  const usage = {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens_details: { reasoning_tokens: reasoning },
  };
  const reasons: Record<string, string> = { length: "max_output_tokens", filter: "content_filter" };
  const incomplete = step.finish ? reasons[step.finish] : undefined;
  push(incomplete ? "response.incomplete" : "response.completed", {
    response: {
      id,
      object: "response",
      created_at: 1,
      model: "scripted",
      status: incomplete ? "incomplete" : "completed",
      incomplete_details: incomplete ? { reason: incomplete } : null,
      usage,
    },
  });
  return frames;
}
