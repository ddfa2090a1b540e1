import { scrubbed } from "../../src/guard/firewall/scrubbed.ts";
import { defaultSettings, type ProviderType } from "../../src/io/config/settings.ts";
import type { Arm } from "../../src/model/contract/arm.ts";
import { resolveArm } from "../../src/model/arms.ts";
import type { Scrubbed } from "../../src/model/contract/provider.ts";
import type { AnswerPart, ModelRequest } from "../../src/protocol/request.ts";

/** Providers that speak over HTTP, with the path below the server's URL. */
export const vendors = [
  { type: "anthropic", path: "/v1" },
  { type: "openai", path: "/v1" },
  { type: "google", path: "/v1beta" },
  { type: "openai-compatible", path: "/v1" },
  { type: "ollama", path: "" },
] as const satisfies { type: ProviderType; path: string }[];
export type Vendor = (typeof vendors)[number];

/** An arm `test/scripted` of that type, asking the server at `url`. */
export function armAt(url: string, vendor: Vendor, more: { idle_secs?: number } = {}): Promise<Arm> {
  const settings = defaultSettings();
  const place = { base_url: `${url}${vendor.path}`, api_key_env: "TEST_MODEL_KEY" };
  settings.providers["test"] = { type: vendor.type, ...place, ...more };
  return resolveArm("test/scripted", settings, { TEST_MODEL_KEY: "k-123" });
}

export function modelRequest(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "scripted",
    system: "You are a test.",
    tools: [
      {
        name: "shell",
        description: "Runs a command.",
        schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
      },
      {
        name: "read",
        description: "Reads a file.",
        schema: { type: "object", properties: { path: { type: "string" } } },
      },
    ],
    messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
    maxOutputTokens: 500,
    temperature: 0,
    ...more,
  };
}

export const scrub = (request: ModelRequest): Scrubbed => scrubbed.make(request);

export interface Heard {
  parts: AnswerPart[];
  text: string;
  reasoning: string;
  end: Extract<AnswerPart, { type: "end" }>;
}

/** Everything that a stream says, to its end. */
export async function hear(stream: AsyncIterable<AnswerPart>): Promise<Heard> {
  const parts: AnswerPart[] = [];
  for await (const part of stream) parts.push(part);
  const joined = (type: "text" | "reasoning") => parts.map((part) => (part.type === type ? part.text : "")).join("");
  const end = parts.at(-1);
  if (end?.type !== "end") throw new Error("the stream had no end");
  return { parts, text: joined("text"), reasoning: joined("reasoning"), end };
}
