// What a running Ollama says of its models: which there are, how much each reads, what each can do.
import { anyError, withFallback } from "../../base/fallback.ts";
import { request } from "../../io/net/client.ts";
import { readText } from "../../io/net/fetch.ts";
import type { Capabilities } from "../contract/card.ts";

interface ShownModel {
  contextTokens?: number;
  capabilities?: Capabilities;
}

/** Empty where this Ollama does not say. Rejects when it does not answer. */
export async function shownModel(baseUrl: string, model: string, signal: AbortSignal): Promise<ShownModel> {
  const reply = await request({
    url: `${baseUrl}/api/show`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model }),
    signal,
  });
  const body = await readText(reply.body);
  return reply.status === 200 ? shown(parsed(body)) : {};
}

const parsed = (body: string): unknown => withFallback(undefined, anyError, () => JSON.parse(body));

function shown(value: unknown): ShownModel {
  if (typeof value !== "object" || value === null) return {};
  const { model_info: info, capabilities: can } = value as { model_info?: unknown; capabilities?: unknown };
  // `qwen3.context_length`: the name begins with the architecture.
  const [, length] =
    Object.entries(typeof info === "object" && info !== null ? info : {}).find(([name]) =>
      name.endsWith(".context_length"),
    ) ?? [];
  return {
    ...(typeof length === "number" && length > 0 && { contextTokens: length }),
    ...(Array.isArray(can) && {
      capabilities: {
        tools: can.includes("tools"),
        images: can.includes("vision"),
        reasoning: can.includes("thinking"),
      },
    }),
  };
}
