import type { ModelInfo } from "./provider.ts";

/** Any vendor's list of models; undefined when the text is none. */
export function modelList(body: string): ModelInfo[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const list = Array.isArray(parsed) ? parsed : (field(parsed, "data") ?? field(parsed, "models"));
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((entry: unknown) => {
    const id = field(entry, "id") ?? field(entry, "model") ?? field(entry, "name");
    if (typeof id !== "string") return [];
    const window = ["context_length", "context_window", "max_model_len", "inputTokenLimit", "max_context_length"]
      .map((name) => field(entry, name))
      .find((value) => typeof value === "number" && value > 0);
    return [{ id: id.replace(/^models\//, ""), ...(typeof window === "number" ? { contextWindow: window } : {}) }];
  });
}

const field = (value: unknown, name: string): unknown =>
  value !== null && typeof value === "object" && name in value ? (value as Record<string, unknown>)[name] : undefined;
