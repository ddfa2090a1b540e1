import type { Connection } from "../contract/connection.ts";
import type { Provider } from "../contract/provider.ts";
import { anthropicEffort } from "../sdk/effort.ts";
import { sdkProvider } from "../sdk/provider.ts";

const cached = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** Anthropic Messages. Thinking comes back with its signature; the prefix and the last two messages are marked for caching. */
export function anthropicProvider(connection: Connection): Provider {
  return sdkProvider(connection, {
    rules: { vendor: "anthropic", callId: /^[\w-]{1,64}$/, cacheMark: cached },
    effort: anthropicEffort,
    model: async (id, fetch) => {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({
        baseURL: connection.baseUrl,
        apiKey: connection.key ?? "",
        headers: connection.headers,
        fetch,
      }).languageModel(id);
    },
    models: {
      path: "/models?limit=1000",
      headers: { "x-api-key": connection.key ?? "", "anthropic-version": "2023-06-01" },
    },
  });
}
