import { halves, pieces, type Step } from "./step.ts";

/** Ollama /api/chat, one JSON object per line. */
export function ollamaFrames(step: Step): string[] {
  const frames: string[] = [];
  const push = (data: object) =>
    frames.push(`${JSON.stringify({ model: "scripted", created_at: "2026-01-01T00:00:00Z", ...data })}\n`);
  const message = (content: object) => push({ message: { role: "assistant", content: "", ...content }, done: false });
  if (step.reasoning) for (const thinking of halves(step.reasoning)) message({ thinking });
  for (const content of pieces(step)) message({ content });
  for (const call of step.calls ?? []) {
    const input = call.raw === undefined ? (call.input ?? {}) : call.raw;
    message({ tool_calls: [{ ...(call.id ? { id: call.id } : {}), function: { name: call.name, arguments: input } }] });
  }
  if (step.streamError) {
    frames.push(`${JSON.stringify({ error: step.streamError.message })}\n`);
    return frames;
  }
  if (step.finish === "none") return frames;
  push({
    message: { role: "assistant", content: "" },
    done: true,
    done_reason: step.finish === "length" ? "length" : "stop",
    ...(step.usage ? { prompt_eval_count: step.usage.input ?? 0, eval_count: step.usage.output ?? 0 } : {}),
  });
  return frames;
}
