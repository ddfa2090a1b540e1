// The provider packages' common language (LanguageModelV4), named once: their own type package is not ours to import.
import type { OpenAIProvider } from "@ai-sdk/openai";

export type SdkModel = ReturnType<OpenAIProvider["responses"]>;
export type SdkOptions = Parameters<SdkModel["doStream"]>[0];
export type SdkMessage = SdkOptions["prompt"][number];
export type SdkTool = NonNullable<SdkOptions["tools"]>[number];
export type SdkProviderOptions = NonNullable<SdkOptions["providerOptions"]>;
type SdkStream = Awaited<ReturnType<SdkModel["doStream"]>>["stream"];
export type SdkPart = SdkStream extends ReadableStream<infer Part> ? Part : never;
export type SdkUserPart = Extract<SdkMessage, { role: "user" }>["content"][number];
export type SdkAssistantPart = Extract<SdkMessage, { role: "assistant" }>["content"][number];
export type SdkToolPart = Extract<Extract<SdkMessage, { role: "tool" }>["content"][number], { type: "tool-result" }>;
