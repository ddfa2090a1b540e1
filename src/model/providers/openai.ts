import type { Connection } from "../contract/connection.ts";
import type { Provider } from "../contract/provider.ts";
import { openaiEffort } from "../sdk/effort.ts";
import { sdkProvider } from "../sdk/provider.ts";

/** OpenAI Responses, nothing stored at the vendor: reasoning travels encrypted with the conversation. */
export function openaiProvider(connection: Connection): Provider {
  return sdkProvider(connection, {
    // The API makes schemas strict unless told otherwise; ours have optional fields.
    rules: { vendor: "openai", callId: /^.{1,64}$/s, tool: { strict: false } as object },
    options: { openai: { store: false } },
    effort: openaiEffort,
    model: async (id, fetch) => {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({
        baseURL: connection.baseUrl,
        apiKey: connection.key ?? "",
        headers: connection.headers,
        fetch,
      }).responses(id);
    },
    models: { path: "/models", headers: { authorization: `Bearer ${connection.key ?? ""}` } },
  });
}
