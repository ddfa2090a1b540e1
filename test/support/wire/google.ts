import { pieces, type Step, sse } from "./step.ts";

const finishes: Record<string, string> = { stop: "STOP", calls: "STOP", length: "MAX_TOKENS", filter: "SAFETY" };

/** Gemini streamGenerateContent with alt=sse. */
export function googleFrames(step: Step): string[] {
  const frames: string[] = [];
  const push = (parts: object[], more: object = {}) =>
    frames.push(
      sse({ candidates: [{ index: 0, content: { role: "model", parts }, ...more }], modelVersion: "scripted" }),
    );
  if (step.reasoning) {
    push([{ thought: true, text: step.reasoning, ...(step.signature ? { thoughtSignature: step.signature } : {}) }]);
  }
  for (const text of pieces(step)) push([{ text }]);
  for (const call of step.calls ?? []) {
    const functionCall = { ...(call.id ? { id: call.id } : {}), name: call.name, args: call.input ?? {} };
    push([{ functionCall, ...(call.signature ? { thoughtSignature: call.signature } : {}) }]);
  }
  if (step.streamError) {
    frames.push(sse({ error: { code: 503, status: step.streamError.type, message: step.streamError.message } }));
    return frames;
  }
  const reason = step.finish ?? "stop";
  if (reason === "none") return frames;
  const { input = 0, output = 0, cacheRead = 0, reasoning = 0 } = step.usage ?? {};
  frames.push(
    sse({
      candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason: finishes[reason] ?? reason }],
      usageMetadata: {
        promptTokenCount: input,
        candidatesTokenCount: output - reasoning,
        thoughtsTokenCount: reasoning,
        cachedContentTokenCount: cacheRead,
        totalTokenCount: input + output,
      },
    }),
  );
  return frames;
}

export const googleError = (status: number, message: string): string => {
  const names: Record<number, string> = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
  };
  return JSON.stringify({ error: { code: status, message, status: names[status] ?? "UNKNOWN" } });
};
