import type { Connection } from "../contract/connection.ts";
import type { Provider } from "../contract/provider.ts";
import { googleEffort } from "../sdk/effort.ts";
import { sdkProvider } from "../sdk/provider.ts";

/** Gemini. Thought signatures come and go on text, reasoning and calls. */
export function googleProvider(connection: Connection): Provider {
  return sdkProvider(connection, {
    rules: { vendor: "google", callId: /^.{1,128}$/s },
    effort: googleEffort,
    model: async (id, fetch) => {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
      return createGoogleGenerativeAI({
        baseURL: connection.baseUrl,
        apiKey: connection.key ?? "",
        headers: connection.headers,
        fetch,
      }).languageModel(id);
    },
    models: { path: "/models?pageSize=1000", headers: { "x-goog-api-key": connection.key ?? "" } },
  });
}
