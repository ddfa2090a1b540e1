// Messages to an OpenAI chat-completions body. The same bytes for the same messages.
import type { AssistantContent, CallContent, Json, Message, Part, ResultContent } from "../../protocol/message.ts";
import type { Effort } from "../../protocol/effort.ts";
import type { ModelRequest } from "../../protocol/request.ts";
import type { ServerKind } from "../registry/efforts.ts";
import { fittingId, replayArguments, resultText } from "../contract/content.ts";
import { textIn } from "../../base/text-in.ts";

export interface ChatRules {
  vendor: string;
  /** Call ids that the server takes as they are. */
  callId: RegExp;
  server: ServerKind;
}

/** Servers differ in which common parameters they refuse; what one refused is left out from then on. */
export interface ChatQuirks {
  temperature: boolean;
  completionTokens: boolean;
  streamOptions: boolean;
  effort: boolean;
}

/** Vendor data of this format stands under this key. */
export const chatKey = "chat";

/**
 * Builds bodies for one provider, as UTF-8. A message is rendered and encoded once: a conversation only grows, and what
 * is sent again and again would be encoded again and again.
 */
export function chatBodies(rules: ChatRules): (request: ModelRequest, quirks: ChatQuirks) => Uint8Array {
  const rendered = new WeakMap<Message, Uint8Array>();
  const encoder = new TextEncoder();
  const render = (message: Message): Uint8Array => {
    const known = rendered.get(message);
    if (known !== undefined) return known;
    // A small Buffer would be a slice of a shared 64 KB, and hold all of them for as long as its message is known.
    const bytes = encoder.encode(
      convert(message, rules)
        .map((each) => `,${JSON.stringify(each)}`)
        .join(""),
    );
    rendered.set(message, bytes);
    return bytes;
  };
  return (request, quirks) => {
    const system = request.system ? `,${JSON.stringify({ role: "system", content: request.system })}` : "";
    const messages = Buffer.concat([Buffer.from(system), ...request.messages.map(render)]);
    const rest = JSON.stringify({ ...toolsOf(request), ...parameters(request, quirks, rules) }).slice(1);
    return Buffer.concat([
      Buffer.from(`{"model":${JSON.stringify(request.model)},"messages":[`),
      // Each message begins with a comma.
      messages.subarray(1),
      Buffer.from(`],${rest}`),
    ]);
  };
}

const toolsOf = ({ tools }: ModelRequest) =>
  tools.length > 0 ? { tools: tools.map(({ name, description, schema }) => tool(name, description, schema)) } : {};

/** What of a body is neither tools nor messages. */
export const parameters = (
  { model, maxOutputTokens, temperature, effort }: ModelRequest,
  quirks: ChatQuirks,
  { server }: Pick<ChatRules, "server">,
) => ({
  [quirks.completionTokens ? "max_completion_tokens" : "max_tokens"]: maxOutputTokens,
  ...(temperature === undefined || quirks.temperature ? {} : { temperature }),
  ...(effort === undefined || quirks.effort ? {} : reasoningOf(effort, model, server)),
  stream: true,
  ...(quirks.streamOptions ? {} : { stream_options: { include_usage: true } }),
});

/** As the server takes it: most know OpenAI's word, those that offer the models of many have a switch besides. */
function reasoningOf(effort: Effort, model: string, server: ServerKind): Record<string, unknown> {
  if (server === "openrouter")
    return { reasoning: effort === "off" ? { enabled: false } : { effort: effort === "max" ? "xhigh" : effort } };
  if (effort !== "off") return { reasoning_effort: effort };
  if (server === "together") return { reasoning: { enabled: false } };
  // Servers of one's own hand this to the model's own template.
  return /qwen-?3/i.test(model) ? { chat_template_kwargs: { enable_thinking: false } } : { reasoning_effort: "none" };
}

const tool = (name: string, description: string, parameters: { [key: string]: Json }) => ({
  type: "function",
  function: { name, description, parameters },
});

function convert(message: Message, rules: ChatRules): object[] {
  if (message.role === "user") return [{ role: "user", content: userContent(message.content) }];
  if (message.role === "assistant") return assistant(message, rules);
  const results = message.content.map((result) => ({
    role: "tool",
    tool_call_id: fittingId(result.call, rules.callId),
    content: resultText(result),
  }));
  const images = message.content.flatMap(imagesOf);
  return images.length > 0 ? [...results, { role: "user", content: images }] : results;
}

const userContent = (content: readonly Part[]): string | object[] => {
  const [only] = content;
  return content.length === 1 && only?.type === "text" ? only.text : content.map(userPart);
};

const userPart = (part: Part): object =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:${part.mime};base64,${part.data}` } };

/** Tool messages hold text only; the images follow as the person's. */
function imagesOf(result: ResultContent): object[] {
  const images = result.parts.filter((part) => part.type === "image");
  return images.length === 0
    ? []
    : [{ type: "text", text: `Images of the result of ${result.name}:` }, ...images.map(userPart)];
}

function assistant(message: Extract<Message, { role: "assistant" }>, rules: ChatRules): object[] {
  const own = message.vendor === rules.vendor;
  const text = textIn(message.content);
  const calls = message.content.filter((block) => block.type === "call").map((call) => chatCall(call, own, rules));
  const thought = reasoning(message.content, rules.vendor);
  if (!text && calls.length === 0 && Object.keys(thought).length === 0) return [];
  return [
    {
      role: "assistant",
      content: text || (calls.length > 0 ? null : ""),
      ...thought,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ];
}

function chatCall(call: CallContent, own: boolean, rules: ChatRules): object {
  const extra = own ? call.vendorData?.[chatKey]?.["extra_content"] : undefined;
  return {
    id: fittingId(call.id, rules.callId),
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(replayArguments(call)) },
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

/** In the field in which this server sent it; details (signatures, encrypted parts) unchanged. */
function reasoning(content: readonly AssistantContent[], vendor: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const block of content) {
    if (block.type !== "reasoning" || block.vendor !== vendor) continue;
    const data = block.vendorData?.[chatKey] ?? {};
    const field = data["field"] === "reasoning" ? "reasoning" : "reasoning_content";
    if (block.text) fields[field] = `${(fields[field] as string | undefined) ?? ""}${block.text}`;
    if (data["details"] !== undefined) fields["reasoning_details"] = data["details"];
  }
  return fields;
}
